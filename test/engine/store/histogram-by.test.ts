import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Histogram } from '../../../engine/api/types.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { histogramBy } from '../../../engine/store/histogram-by.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import type { RecordView } from '../../../engine/store/view.ts';
import type { Line } from './fixtures.ts';
import { until } from '../../until.ts';
import { closeAll, setUp, START, lines } from './value-fixtures.ts';

/** A clock that stands, so that no answer runs out of its time on a busy machine. */
const stopClock = (): void => void vi.spyOn(performance, 'now').mockReturnValue(performance.now());

afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

describe('histogramBy', () => {
  async function whole(store: RecordStore, view: RecordView, by: string, buckets: number): Promise<Histogram> {
    for (;;) {
      const histogram = await histogramBy(store, view, by, { buckets });
      if (histogram.complete) return histogram;
    }
  }
  const sums = ({ groups, counts }: Histogram): Record<string, number> =>
    Object.fromEntries(groups.map(({ kind, name }, i) => [name || kind, (counts[i] ?? []).reduce((a, b) => a + b, 0)]));

  it('layers statuses by class, whatever the buckets', async () => {
    const { store, append, view } = setUp();
    const input = lines(3000);
    for (let at = 0; at < 3000; at += 500) await append(input.slice(at, at + 500));
    const all = view();
    await until(() => all.complete);
    const classOf = ({ status }: Line): string =>
      status === undefined ? 'none' : status < 100 ? 'other' : `${Math.floor(status / 100)}xx`;
    const expected: Record<string, number> = {};
    for (const line of input) expected[classOf(line)] = (expected[classOf(line)] ?? 0) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (buckets) => {
        const histogram = await whole(store, all, 'Fields[status]', buckets);
        expect(histogram.groups.map(({ name, kind }) => name || kind)).toEqual(['2xx', '3xx', '4xx', '5xx', 'other', 'none']);
        expect(sums(histogram)).toEqual(expected);
        const at = (line: Line): number => Math.floor((line.at * 1000 - histogram.from) / histogram.bucketMs);
        const fives = input.filter((line) => classOf(line) === '5xx').map(at);
        for (const [bucket, number] of (histogram.counts[3] ?? []).entries()) {
          expect(number).toBe(fives.filter((candidate) => candidate === bucket).length);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('layers texts that are not statuses of HTTP by themselves', async () => {
    const { store, view } = setUp();
    const texts = ['paid', '404', 'open', 'paid', '200', '404', 'failed', 'paid'];
    const message = (status: string, i: number) => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(START + i) * 1_000_000_000n,
      fields: [{ name: 'status', valueType: 0 as const, values: [status] }],
    });
    await store.append({ batch: batchOf(texts.map(message)), raw: null, source: 1, decoder: 'test' });
    const all = view();
    await until(() => all.complete);
    const histogram = await whole(store, all, 'Fields[status]', 4);
    expect(histogram.groups.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'class 2xx',
      'class 4xx',
      'value paid',
      'value failed',
      'value open',
    ]);
    expect(sums(histogram)).toEqual({ '2xx': 1, '4xx': 2, paid: 3, failed: 1, open: 1 });
  });

  it('layers other variables by their commonest values, and the rest', async () => {
    const { store, append, view } = setUp();
    await append(Array.from({ length: 1000 }, (_unused, i): Line => ({ at: START + i, text: '', severity: i % 100 === 0 ? 1 : 6 })));
    const all = view();
    await until(() => all.complete);
    expect(sums(await whole(store, all, 'Severity', 10))).toEqual({ 6: 990, 1: 10 });
    expect(sums(await whole(store, all, 'nothing', 10))).toEqual({ none: 1000 });
  });

  it('counts records while they are in memory, and those of a segment once for all filters', async () => {
    stopClock();
    const { store, append, view } = setUp();
    await append(lines(900));
    const all = view();
    await until(() => all.complete);
    await whole(store, all, 'Fields[status]', 50);
    const load = vi.spyOn(store, 'readInto');
    for (const from of [900, 1800]) await append(lines(900, from));
    const grown = await whole(store, all, 'Fields[status]', 50);
    expect(load).not.toHaveBeenCalled();
    expect(sums(grown)).toEqual(sums(await whole(store, view(), 'Fields[status]', 50)));
    expect(load).not.toHaveBeenCalled();
    all.setQuery({ matcher: 'Severity == 2' });
    await until(() => all.complete);
    const some = await whole(store, all, 'Fields[status]', 50);
    expect(Object.values(sums(some)).reduce((a, b) => a + b)).toBe(all.total);
    load.mockClear();
    all.setQuery({});
    await until(() => all.complete);
    expect(await whole(store, all, 'Fields[status]', 50)).toEqual(grown);
    expect(load).not.toHaveBeenCalled();
  });

  it('reads again what is looked at more closely', async () => {
    stopClock();
    const { store, append, view } = setUp();
    await append(lines(2000));
    await append([...lines(10), { at: START + 86_400, text: '', status: 500 }]);
    const all = view();
    await until(() => all.complete);
    await whole(store, all, 'status', 10);
    const load = vi.spyOn(store, 'readInto');
    const closely = await histogramBy(store, all, 'status', { buckets: 400, from: START * 1000, to: START * 1000 + 1000 });
    expect(closely.bucketMs).toBeLessThan(10);
    expect(load).toHaveBeenCalled();
    expect(sums(closely)).toEqual(sums(await whole(store, view({ to: START * 1000 + 1000 }), 'status', 1)));
  });

  it('is empty without records', async () => {
    const { store, view } = setUp();
    expect(await histogramBy(store, view(), 'status', { buckets: 10 })).toMatchObject({ groups: [], counts: [], complete: true });
  });
});
