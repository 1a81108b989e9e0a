import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IsoTimes } from '../../../../plugins/lib/time/iso_time.ts';

const plain = (ns: number | bigint | string): string => new Date(Number(BigInt(ns) / 1_000_000n)).toISOString();

it('writes the millisecond that a time is in', () => {
  const times = new IsoTimes();
  const near = fc.tuple(
    fc.constantFrom(0n, 1_614_949_679_000_000_000n, -1_000_000_000n),
    fc.bigInt({ min: -2_000_000_000n, max: 2_000_000_000n }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        near.map(([at, by]) => at + by),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      ),
      (ns) => {
        expect([times.of(ns), times.of(String(ns)), times.of(Number(ns))]).toEqual([plain(ns), plain(ns), plain(Number(ns))]);
      },
    ),
    { numRuns: 2000 },
  );
});

it('writes times of one second', () => {
  const times = new IsoTimes();
  const of = (ms: number): string => times.of(BigInt(1_614_949_679_000 + ms) * 1_000_000n);
  expect([0, 7, 70, 700, 999, 1000].map(of)).toEqual([
    '2021-03-05T13:07:59.000Z',
    '2021-03-05T13:07:59.007Z',
    '2021-03-05T13:07:59.070Z',
    '2021-03-05T13:07:59.700Z',
    '2021-03-05T13:07:59.999Z',
    '2021-03-05T13:08:00.000Z',
  ]);
});
