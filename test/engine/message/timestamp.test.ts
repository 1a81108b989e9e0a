import { afterEach, expect, it, vi } from 'vitest';
import { nowNs } from '../../../engine/message/timestamp.ts';

afterEach(() => vi.useRealTimers());

it('Now follows the clock of the system, also when that is set', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_795_168_800_123 });
  expect(nowNs()).toBe(1_795_168_800_123_000_000n);
  vi.setSystemTime(1_795_168_000_000);
  expect(nowNs()).toBe(1_795_168_000_000_000_000n);
});
