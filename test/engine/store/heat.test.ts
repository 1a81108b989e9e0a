import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HeatMap, RecordQuery } from '../../../engine/api/types.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { heatMap } from '../../../engine/store/heat.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import type { RecordView } from '../../../engine/store/view.ts';
import { viewOfMessages } from './fixtures.ts';

/** The beginning of a minute. */
const START = 1_699_999_980_000;

const stores: RecordStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** A record at some milliseconds, with a value; null: it has none. */
interface Sample {
  readonly at: number;
  readonly value: number | string | null;
}

const fieldsOf = ({ value }: Sample): Field[] => {
  if (value === null) return [];
  return typeof value === 'number' ? [{ name: 'n', valueType: 3, values: [value] }] : [{ name: 'n', valueType: 0, values: [value] }];
};

async function viewOf(batches: readonly (readonly Sample[])[], query: RecordQuery = {}): Promise<{ store: RecordStore; view: RecordView }> {
  const made = batches.map((samples) =>
    samples.map((sample): Message => ({ uuid: new Uint8Array(16), timestamp: BigInt(sample.at) * 1_000_000n, fields: fieldsOf(sample) })),
  );
  const filled = await viewOfMessages(made, query);
  stores.push(filled.store);
  return filled;
}

async function whole(
  { store, view }: { store: RecordStore; view: RecordView },
  rows: number,
  request: Parameters<typeof heatMap>[3],
): Promise<HeatMap> {
  for (let asked = 0; asked < 20; asked++) {
    const heat = await heatMap(store, view, { variable: 'Fields[n]', rows }, request);
    if (heat.complete) return heat;
  }
  throw new Error('It is never complete.');
}

/** Evenly spread over some values. */
const spread = (values: readonly number[]): Sample[] => values.map((value, i) => ({ at: START + i * 1000, value }));
const edgesOf = async (values: readonly number[], rows: number): Promise<number[]> => [
  ...(await whole(await viewOf([spread(values)]), rows, { buckets: 10 })).edges,
];

/** Expects what a count of each record by itself gives. */
function expectCounts({ edges, counts, from, to, bucketMs, records, missing }: HeatMap, samples: readonly Sample[], rows: number): void {
  const all = samples.filter(({ at }) => at >= from && at < to);
  const numbers = all.filter(({ value }) => value !== null && value !== 'x').map(({ at, value }) => ({ at, value: Number(value) }));
  expect([records, missing]).toEqual([all.length, all.length - numbers.length]);
  const size = samples.length === 0 ? 0 : (to - from) / bucketMs;
  const expected = new Float64Array(Math.max(0, edges.length - 1) * size);
  for (const { at, value } of numbers) {
    const row = edges.findIndex((edge, i) => edge <= value && value < (edges[i + 1] ?? -Infinity));
    expect(row).toBeGreaterThanOrEqual(0);
    const cell = row * size + Math.floor((at - from) / bucketMs);
    expected[cell] = (expected[cell] ?? 0) + 1;
  }
  expect(counts).toEqual(expected);
  expect(edges.length - 1).toBeLessThanOrEqual(rows);
}

describe('heatMap', () => {
  it('counts each record in the row of its number and the bucket of its time', async () => {
    const kinds = [
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 0, max: 30, noNaN: true }),
      fc.double({ min: 99.5, max: 101.25, noNaN: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
    ];
    const sampleOf = (kind: fc.Arbitrary<number>): fc.Arbitrary<Sample> =>
      fc.record({
        at: fc.integer({ min: -50_000, max: 100_000 }),
        value: fc.oneof({ weight: 6, arbitrary: kind }, { weight: 1, arbitrary: fc.constantFrom(null, 'x', '5', '0') }),
      });
    const samples = fc.oneof(...kinds.map((kind) => fc.array(fc.array(sampleOf(kind), { maxLength: 30 }), { minLength: 1, maxLength: 4 })));
    await fc.assert(
      fc.asyncProperty(samples, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 2, max: 60 }), async (batches, buckets, rows) => {
        const views = await viewOf(batches);
        const all = await whole(views, rows, { buckets });
        expectCounts(all, batches.flat(), rows);
        // Sums that are kept for one time serve others, and other rows.
        const part = { from: 20_000, to: 70_000 };
        expectCounts(await whole(views, rows, { buckets, ...part }), batches.flat(), rows);
        expectCounts(await whole(views, 7, { buckets }), batches.flat(), 7);
        expect(await whole(views, rows, { buckets })).toEqual(all);
      }),
      { numRuns: 80 },
    );
  });

  it.each<[string, number[], number, number[]]>([
    ['within two decades linear', [100, 140, 199], 10, [100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200]],
    ['of small integers whole', [0, 1, 3], 20, [0, 1, 2, 3, 4]],
    ['about zero linear', [-0.5, 0.25], 8, [-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]],
    ['of many decades logarithmic', [1, 2, 900], 10, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]],
    ['with a row for zero', [0, 20, 30_000], 5, [0, 10, 100, 1000, 10_000, 100_000]],
    ['of one number', [5], 10, [5, 6]],
    ['of zeros', [0, 0], 10, [0, 1]],
    ['of great numbers', [1e14 + 2, 1e14 + 5], 10, [1e14 + 2, 1e14 + 3, 1e14 + 4, 1e14 + 5, 1e14 + 6]],
  ])('has rows %s', async (_what, values, rows, edges) => {
    expect(await edgesOf(values, rows)).toEqual(edges);
  });

  it('keeps what it counted for other times, rows and numbers that come later', async () => {
    const early = spread(Array.from({ length: 300 }, (_, i) => 100 + (i % 50)));
    const late = early.map(({ at }, i) => ({ at: at + 300_000, value: i + 1 }));
    const views = await viewOf([early, late]);
    const part = { from: START, to: START + 60_000 };
    const first = await whole(views, 10, { buckets: 6, ...part });
    expect([...first.edges]).toEqual([100, 105, 110, 115, 120, 125, 130, 135, 140, 145, 150]);
    const all = await whole(views, 10, { buckets: 6 });
    expect([...all.edges]).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500]);
    expect(all.counts.reduce((sum, count) => sum + count, 0)).toBe(600);
    const { store, view } = views;
    const columns = vi.spyOn(store, 'readInto');
    expect((await heatMap(store, view, { variable: 'Fields[n]', rows: 20 }, { buckets: 12 })).complete).toBe(true);
    expect(columns).not.toHaveBeenCalled();
  });

  it('looks only at the records that the view shows', async () => {
    const found = await whole(await viewOf([spread([1, 2, 8, 9])], { matcher: 'Fields[n] >= 8' }), 10, { buckets: 1 });
    expect([[...found.edges], [...found.counts], found.records]).toEqual([[8, 9, 10], [1, 1], 2]);
  });
});
