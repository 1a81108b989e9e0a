import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { MEASURES, type Measure, type Measured, type MeasureAnswer, type MeasureQuery } from '../../../../engine/api/measure-types.ts';
import type { Field, Message } from '../../../../engine/message/types.ts';
import { MeasureCount } from '../../../../engine/store/measure/measure-count.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import type { RecordView } from '../../../../engine/store/view.ts';
import { viewOfMessages } from '../fixtures.ts';

/** The beginning of a minute. */
const START = 1_699_999_980_000;

const stores: RecordStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

interface Sample {
  readonly at: number;
  readonly path: string | null;
  readonly user: string | null;
  readonly took: number | string | null;
}

const text = (name: string, value: string | null): Field[] => (value === null ? [] : [{ name, valueType: 0, values: [value] }]);

function fieldsOf({ path, user, took }: Sample): Field[] {
  const number: Field[] = typeof took === 'number' ? [{ name: 'took', valueType: 3, values: [took] }] : text('took', took);
  return [...text('path', path), ...text('user', user), ...number];
}

async function viewOf(batches: readonly (readonly Sample[])[], matcher?: string): Promise<{ store: RecordStore; view: RecordView }> {
  const made = batches.map((samples) =>
    samples.map((sample): Message => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(START + sample.at) * 1_000_000n,
      fields: fieldsOf(sample),
    })),
  );
  const filled = await viewOfMessages(made, matcher === undefined ? {} : { matcher });
  stores.push(filled.store);
  return filled;
}

async function measure({ store, view }: Awaited<ReturnType<typeof viewOf>>, query: MeasureQuery): Promise<MeasureAnswer> {
  const count = new MeasureCount(store, view, query);
  while (!count.complete) await count.advance(0.01);
  return count.answer();
}

const numberOf = ({ took }: Sample): number =>
  typeof took === 'number' ? took : took !== null && /^-?\d+$/.test(took) ? Number(took) : NaN;

/** A measure as one would write it down. */
function naive(samples: readonly Sample[], measure: Measure, of: string | null): number {
  if (of === null) return samples.length;
  if (measure === 'distinct') return new Set(samples.flatMap(({ took }) => (took === null ? [] : [String(took)]))).size;
  const numbers = samples.map(numberOf).filter((number) => !Number.isNaN(number));
  if (measure === 'count') return numbers.length;
  if (numbers.length === 0) return NaN;
  numbers.sort((a, b) => a - b);
  if (measure === 'sum') return numbers.reduce((sum, number) => sum + number, 0);
  if (measure === 'average') return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  if (measure === 'min' || measure === 'max') return (measure === 'min' ? numbers[0] : numbers.at(-1)) as number;
  const place = (Number(measure.slice(1)) / 100) * (numbers.length - 1);
  const [below, above] = [numbers[Math.floor(place)] as number, numbers[Math.ceil(place)] as number];
  return below + (above - below) * (place - Math.floor(place));
}

const NUMBERS = MEASURES.filter((one) => one !== 'distinct');
const sample = fc.record({
  at: fc.integer({ min: 0, max: 100_000 }),
  path: fc.constantFrom('/', '/a', '/b', '', null),
  user: fc.constantFrom('ann', 'bo', 'a1:b', null),
  took: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }).map(String), fc.constantFrom(null, 'x')),
});

describe('MeasureCount', () => {
  it('measures what a plain count does: each measure, by none, one and two fields, filtered, over time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(sample, { maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.oneof(
          fc.record({ measures: fc.subarray(NUMBERS, { minLength: 1, maxLength: 3 }), of: fc.constant('Fields[took]') }),
          fc.constant({ measures: ['distinct' as const], of: 'Fields[took]' }),
          fc.constant({ measures: ['count' as const], of: null }),
        ),
        fc.constantFrom([], ['Fields[path]'], ['path', 'user']),
        fc.constantFrom(null, { buckets: 7 }, { buckets: 3, from: START + 20_000, to: START + 50_000 }),
        fc.boolean(),
        async (batches, { measures, of }, by, over, filtered) => {
          const shown = batches.flat().filter(({ user }) => !filtered || user === 'ann');
          // A count of texts is one of all that have the field.
          fc.pre(!(of !== null && measures.every((one) => one === 'count')));
          const found = await measure(await viewOf(batches, filtered ? "Fields[user] == 'ann'" : undefined), {
            measures,
            of,
            by,
            over,
            limit: 100,
          });
          const same = (numbers: readonly number[], samples: readonly Sample[]): void => {
            for (const [i, one] of measures.entries()) {
              const expected = naive(samples, one, of);
              if (Number.isNaN(expected)) expect(numbers[i]).toBeNaN();
              else expect(numbers[i]).toBeCloseTo(expected, 9);
            }
          };
          const keyOf = ({ path, user }: Sample): string | null => {
            const values = by.length === 2 ? [path, user] : [path];
            return values.includes(null) ? null : JSON.stringify(values);
          };
          const groups = by.length === 0 ? new Map<string | null, Sample[]>() : Map.groupBy(shown, keyOf);
          expect(found.missing).toBe(groups.get(null)?.length ?? 0);
          groups.delete(null);
          expect(new Set(found.groups.map(({ values }) => JSON.stringify(values)))).toEqual(new Set(groups.keys()));
          expect(found).toMatchObject({ distinct: groups.size, exact: true, complete: true, looked: shown.length, total: shown.length });
          const parts: { part: Measured; samples: readonly Sample[] }[] = [{ part: found.all, samples: shown }];
          for (const group of found.groups) parts.push({ part: group, samples: groups.get(JSON.stringify(group.values)) ?? [] });
          for (const { part, samples } of parts) {
            expect(part.records).toBe(samples.length);
            same(part.numbers, samples);
            for (const bucket of (part.series[0] ?? []).keys()) {
              const inside = samples.filter(({ at }) => Math.floor((START + at - found.from) / found.bucketMs) === bucket);
              same(
                part.series.map((series) => series[bucket] as number),
                inside,
              );
            }
          }
          const [first] = measures;
          const order = found.groups.map(({ numbers: [number = NaN] }) => (Number.isNaN(number) ? -Infinity : number));
          expect([first, order]).toEqual([first, order.toSorted((a, b) => b - a)]);
        },
      ),
      { numRuns: 150 },
    );
  });

  const many = (count: number, of: (i: number) => Partial<Sample>): Sample[] =>
    Array.from({ length: count }, (_unused, i) => ({ at: i, path: null, user: null, took: null, ...of(i) }));
  const bounded = async (
    samples: readonly Sample[],
    query: Partial<MeasureQuery>,
    bounds: ConstructorParameters<typeof MeasureCount>[3],
  ) => {
    const { store, view } = await viewOf([samples]);
    const count = new MeasureCount(store, view, { measures: ['count'], of: null, by: ['path'], over: null, limit: 1, ...query }, bounds);
    while (!count.complete) await count.advance(50);
    return count.answer();
  };

  it('drops the groups with the fewest records where there are very many, and says so', async () => {
    const samples = many(3000, (i) => ({ path: i % 3 === 0 ? '/7' : `/${i + 10}` }));
    const found = await bounded(samples, {}, { groups: 100, numbers: 10, characters: 10 });
    expect(found.groups).toMatchObject([{ values: ['/7'], records: 1000 }]);
    expect(found.exact).toBe(false);
    expect(found.distinct).toBeLessThanOrEqual(101);
  });

  it('estimates percentiles and different values where there are too many to keep, and says so', async () => {
    const samples = many(20_000, (i) => ({ took: (i * 7919) % 20_000 }));
    const bounds = { groups: 10, numbers: 2000, characters: 5000 };
    const percentile = await bounded(samples, { measures: ['p95'], of: 'took', by: [] }, bounds);
    expect(percentile.exact).toBe(false);
    expect(Math.abs((percentile.all.numbers[0] ?? 0) - 19_000)).toBeLessThan(600);
    const distinct = await bounded(samples, { measures: ['distinct'], of: 'took', by: [] }, bounds);
    expect(distinct.exact).toBe(false);
    expect(Math.abs((distinct.all.numbers[0] ?? 0) - 20_000)).toBeLessThan(1500);
  });

  it('measures only the first groups over time, and all records', async () => {
    const samples = many(600, (i) => ({ path: `/${i % 20}`, took: i % 20 }));
    const found = await measure(await viewOf([samples]), { measures: ['max'], of: 'took', by: ['path'], over: { buckets: 4 }, limit: 2 });
    expect(found.groups.map(({ values, numbers }) => [...values, ...numbers])).toEqual([
      ['/19', 19],
      ['/18', 18],
    ]);
    expect(found).toMatchObject({ distinct: 20, all: { records: 600, numbers: [19] } });
  });
});
