import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { MeasureAnswer, OverTime, RecordQuery } from '../../../../engine/api/types.ts';
import type { Field, Message } from '../../../../engine/message/types.ts';
import { isOfMoments, keptMoments } from '../../../../engine/store/measure/kept-moments.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import type { RecordView } from '../../../../engine/store/view.ts';
import { viewOfMessages } from '../fixtures.ts';

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

function fieldsOf({ value }: Sample): Field[] {
  if (value === null) return [];
  return typeof value === 'number' ? [{ name: 'n', valueType: 3, values: [value] }] : [{ name: 'n', valueType: 0, values: [value] }];
}

async function viewOf(batches: readonly (readonly Sample[])[], query: RecordQuery = {}): Promise<{ store: RecordStore; view: RecordView }> {
  const made = batches.map((samples) =>
    samples.map((sample): Message => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(sample.at) * 1_000_000n,
      fields: fieldsOf(sample),
    })),
  );
  const filled = await viewOfMessages(made, query);
  stores.push(filled.store);
  return filled;
}

interface Whole extends Pick<MeasureAnswer, 'from' | 'bucketMs' | 'all' | 'without'> {
  readonly average: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
}

async function whole({ store, view }: { store: RecordStore; view: RecordView }, over: OverTime): Promise<Whole> {
  for (;;) {
    const answer = await keptMoments(store, view, { measures: ['average', 'min', 'max'], of: 'Fields[n]', by: [], over, limit: 1 });
    const [average, minimum, maximum] = answer.all.series as [Float64Array, Float64Array, Float64Array];
    if (answer.complete) return { ...answer, average, minimum, maximum };
  }
}

describe('keptMoments', () => {
  it('has average, minimum and maximum of each bucket, of numbers and of texts that are numbers', async () => {
    const sample = fc.record({
      at: fc.integer({ min: 0, max: 100_000 }),
      value: fc.oneof(
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: -1000, max: 1000 }).map(String),
        fc.constantFrom(null, '', 'x1', '0x10', 'Infinity', ' 5'),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(sample, { maxLength: 30 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 300 }),
        async (batches, buckets) => {
          const found = await whole(await viewOf(batches), { buckets });
          const samples = batches.flat();
          if (samples.length === 0) {
            expect(found.average).toHaveLength(0);
            return;
          }
          const rows = found.average.length;
          const all = samples.map(({ value }) => (value === null ? '' : String(value))).filter((text) => /^-?\d+$/.test(text));
          expect(found.all.records - found.without).toBe(all.length);
          expect(found.all.numbers[2]).toBe(all.length === 0 ? NaN : Math.max(...all.map(Number)));
          for (let row = 0; row < rows; row++) {
            const values = samples
              .filter(({ at }) => Math.floor((at - found.from) / found.bucketMs) === row)
              .flatMap(({ value }) =>
                typeof value === 'number' ? [value] : value !== null && /^-?\d+$/.test(value) ? [Number(value)] : [],
              );
            if (values.length === 0) expect([found.average[row], found.minimum[row], found.maximum[row]]).toEqual([NaN, NaN, NaN]);
            else {
              expect(found.average[row]).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
              expect([found.minimum[row], found.maximum[row]]).toEqual([Math.min(...values), Math.max(...values)]);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('can be of a part of the time, and of other buckets after that', async () => {
    const samples = Array.from({ length: 600 }, (_, i): Sample => ({ at: START + i * 1000, value: i }));
    const views = await viewOf([samples.slice(0, 200), samples.slice(200)]);
    const part = { from: START + 60_000, to: START + 120_000 };
    expect(await whole(views, { buckets: 1, ...part })).toMatchObject({
      from: part.from,
      bucketMs: 60_000,
      average: Float64Array.of(89.5),
    });
    const fine = await whole(views, { buckets: 60, ...part });
    expect([...fine.maximum]).toEqual(Array.from({ length: 60 }, (_, i) => 60 + i));
    expect(await whole(views, { buckets: 10 })).toMatchObject({ bucketMs: 60_000, minimum: { 0: 0 } });
  });

  it('looks only at the records that the view shows', async () => {
    const samples = Array.from({ length: 10 }, (_, i): Sample => ({ at: i, value: i }));
    const found = await whole(await viewOf([samples], { matcher: 'Fields[n] >= 8' }), { buckets: 1 });
    expect([...found.average]).toEqual([8.5]);
  });

  it('is for numbers over time without groups', () => {
    const query = { measures: ['average', 'max'], of: 'Fields[n]', by: [], over: { buckets: 9 }, limit: 1 } as const;
    expect(isOfMoments(query)).toBe(true);
    for (const other of [
      { of: null },
      { by: ['Type'] },
      { over: null },
      { measures: ['p95'] as const },
      { measures: ['distinct'] as const },
    ])
      expect(isOfMoments({ ...query, ...other })).toBe(false);
  });
});
