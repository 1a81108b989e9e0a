import { describe, expect, it } from 'vitest';
import { Pace } from '../../../../../renderer/src/lib/time/pace.ts';

describe('Pace', () => {
  it('smooths, and forgets when it starts over', () => {
    const pace = new Pace();
    pace.add(0, 0);
    expect(pace.rate).toBeNull();
    pace.add(50, 100);
    expect(pace.rate).toBeNull();
    pace.add(1000, 1000);
    expect(pace.rate).toBe(1000);
    expect(pace.timeLeft(3000)).toBe(2000);
    expect(pace.timeLeft(500)).toBe(0);
    pace.add(2000, 10);
    expect(pace.rate).toBeNull();
    expect(pace.timeLeft(3000)).toBeNull();
  });
});
