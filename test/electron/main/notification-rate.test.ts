import { describe, expect, it } from 'vitest';
import { NotificationRate } from '../../../electron/main/notification-rate.ts';

describe('the rate of notifications', () => {
  it('lets some through, and says how long the next one has to wait', () => {
    let now = 0;
    const rate = new NotificationRate(() => now);
    const seen: number[] = [];
    for (const at of [0, 1000, 4000, 8000, 12_000, 16_000, 20_000, 59_000, 60_000, 61_000]) {
      now = at;
      const wait = rate.wait();
      seen.push(wait);
      if (wait === 0) rate.shown();
    }
    expect(seen).toEqual([0, 3000, 0, 0, 0, 0, 40_000, 1000, 0, 3000]);
  });
});
