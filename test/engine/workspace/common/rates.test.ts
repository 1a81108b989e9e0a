import { describe, expect, it } from 'vitest';
import { RateMeter } from '../../../../engine/workspace/common/rates.ts';

describe('RateMeter', () => {
  it('counts by the second and keeps thirty seconds', () => {
    let now = 1000;
    const meter = new RateMeter(() => now);
    meter.add(10);
    now = 2500;
    meter.add(4);
    expect(meter.rate()).toBe(9);
    expect(meter.history().slice(-3)).toEqual([0, 0, 10]);
    now = 4000;
    expect([meter.rate(), ...meter.history().slice(-4)]).toEqual([0, 0, 10, 4, 0]);
    now = 100_000;
    expect(meter.history()).toEqual(new Array(30).fill(0));
    expect(meter.total).toBe(14);
  });
});
