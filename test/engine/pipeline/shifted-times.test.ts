import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { mergeDecoded } from '../../../engine/pipeline/decoded.ts';
import { offsetOf, withShiftedTimes } from '../../../engine/pipeline/shifted-times.ts';

const batch = (times: readonly bigint[]): ReturnType<typeof batchOf> =>
  batchOf(times.map((timestamp) => ({ uuid: new Uint8Array(16), timestamp, payload: 'x', fields: [] })));

describe('an offset of times', () => {
  it('is added to the times of messages and of refused records', () => {
    const input = batch([1n, 2n, 3n]);
    const decoded = mergeDecoded(input, {
      injected: batch([10n, 30n]),
      origins: Uint32Array.of(0, 2),
      failures: [{ row: 1, reason: 'no' }],
    });
    const shifted = withShiftedTimes(decoded, offsetOf(-1.5)());
    expect([...shifted.batch.timestamps]).toEqual([10n, 2n, 30n].map((time) => time - 1_500_000_000n));
    expect([...shifted.decoded.timestamps]).toEqual([10n, 30n].map((time) => time - 1_500_000_000n));
    expect([...decoded.batch.timestamps]).toEqual([10n, 2n, 30n]);
  });

  it('does not go beyond the times that there are', () => {
    const [first, last] = [-(2n ** 63n), 2n ** 63n - 1n];
    const decoded = mergeDecoded(batch([1n, 2n]), { injected: batch([first, last]), origins: null, failures: [] });
    expect([...withShiftedTimes(decoded, offsetOf(60)()).batch.timestamps]).toEqual([first + 60_000_000_000n, last]);
    expect([...withShiftedTimes(decoded, offsetOf(-60)()).batch.timestamps]).toEqual([first, last - 60_000_000_000n]);
  });

  it('of nothing changes nothing', () => {
    const decoded = mergeDecoded(batch([1n]), { injected: batch([5n]), origins: null, failures: [] });
    expect(withShiftedTimes(decoded, offsetOf(0)())).toBe(decoded);
    const shifted = withShiftedTimes(decoded, 7n);
    expect(shifted.decoded).toBe(shifted.batch);
  });
});
