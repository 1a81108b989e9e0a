import { describe, expect, it } from 'vitest';
import { NotificationRate } from '../../../electron/main/notification-rate.ts';

describe('the rate of notifications', () => {
  it('lets some through, holds the rest back, and says how many those were', () => {
    let now = 0;
    const rate = new NotificationRate(() => now);
    const seen: (number | null)[] = [];
    for (const at of [0, 1000, 3999, 4000, 8000, 12_000, 16_000, 20_000, 59_000, 60_000, 61_000]) {
      now = at;
      seen.push(rate.take());
    }
    expect(seen).toEqual([0, null, null, 2, 0, 0, 0, null, null, 2, null]);
  });
});
