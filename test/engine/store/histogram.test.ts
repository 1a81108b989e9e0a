import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { histogramOf } from '../../../engine/store/histogram.ts';
import { until } from '../../until.ts';
import { append, StoreBench, type Line } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('histogramOf', () => {
  it('counts as a plain count does, whatever the buckets', async () => {
    const { store, view } = setUp();
    const input = Array.from({ length: 4000 }, (_, i): Line => ({
      at: 1_700_000_000 + Math.floor((i * i) / 37) / 3,
      text: `${i}`,
      ...(i % 5 === 0 ? {} : { severity: i % 8 }),
    }));
    for (let at = 0; at < 4000; at += 800) await append(store, input.slice(at, at + 800));
    const some = view({ matcher: 'Severity == 2 || Severity == 7' });
    await until(() => some.complete);
    const shown = input.filter((line) => [2, 7, undefined].includes(line.severity));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.option(fc.tuple(fc.nat(140_000), fc.integer({ min: 1, max: 100_000 }))),
        async (buckets, range) => {
          const from = range === null ? undefined : (1_700_000_000 + range[0]) * 1000;
          const to = range === null ? undefined : (from as number) + range[1] * 1000;
          const result = await histogramOf(store, some, { buckets, from, to });
          expect(result.counts[0]?.length).toBeLessThanOrEqual(buckets + 1);
          const expected = result.counts.map((row) => row.map(() => 0));
          for (const line of shown) {
            const bucket = Math.floor((line.at * 1000 - result.from) / result.bucketMs);
            const row = expected[line.severity ?? 8] as number[];
            if (bucket >= 0 && bucket < row.length) row[bucket] = (row[bucket] as number) + 1;
          }
          expect(result.counts).toEqual(expected);
          const times = input.map(({ at }) => at * 1000);
          const first = Math.max(Math.min(...times), from ?? -Infinity);
          expect(result.covered.from).toBeCloseTo(first, 0);
          expect(result.covered.to).toBe(Math.min(Math.floor(Math.max(...times)) + 1, to ?? Infinity));
          if (range === null) expect(result.counts.flat().reduce((a, b) => a + b, 0)).toBe(shown.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts times before 1970', async () => {
    const { store, view } = setUp();
    await append(
      store,
      [-90, -61, -30, 20].map((at, severity) => ({ at, text: `${at}`, severity })),
    );
    const { from, bucketMs, counts } = await histogramOf(store, view(), { buckets: 2 });
    expect([from, bucketMs, ...counts.slice(0, 4)]).toEqual([-120_000, 120_000, [1, 0], [1, 0], [1, 0], [0, 1]]);
  });

  it.each(['Severity == 2', 'Severity == 7'])('keeps the range of all records when %s shows few', async (matcher) => {
    const { store, view } = setUp();
    await append(
      store,
      [0, 1000, 5000].map((at) => ({ at, text: `${at}`, severity: at === 1000 ? 2 : 3 })),
    );
    const few = view({ matcher });
    await until(() => few.complete);
    const { from, to, bucketMs, counts } = await histogramOf(store, few, { buckets: 6 });
    expect([from, to > 5_000_000]).toEqual([0, true]);
    expect(counts[2]?.map((count, at) => (count > 0 ? at : null)).filter((at) => at !== null)).toEqual(
      matcher.endsWith('2') ? [Math.floor(1_000_000 / bucketMs)] : [],
    );
  });

  it('is empty without records', async () => {
    const { store, view } = setUp();
    const result = await histogramOf(store, view(), { buckets: 10 });
    expect(result.counts).toHaveLength(9);
    expect(result.counts.flat()).toEqual([]);
  });
});
