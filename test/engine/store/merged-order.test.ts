import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { RunCursor } from '../../../engine/store/run-cursor.ts';
import { until } from '../../until.ts';
import { append, linesBatch, numberedLines, StoreBench, textsOf, type Line } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('several sources', () => {
  /** Times of a source: mostly ascending, with some steps back. */
  const times = fc.array(fc.integer({ min: -2, max: 9 }), { maxLength: 120 }).map((steps) => {
    let at = 1000;
    return steps.map((step) => (at += step));
  });

  /** Expected order of the merge: by running maximum of the time, then by source, then in order. */
  function merged(sources: readonly (readonly Line[])[]): string[] {
    const rows = sources.flatMap((list, source) => {
      let key = -Infinity;
      return list.map((line, index) => ({ key: (key = Math.max(key, line.at)), source, index, text: line.text }));
    });
    return rows.sort((a, b) => a.key - b.key || a.source - b.source || a.index - b.index).map(({ text }) => text);
  }

  it('are merged by time, each in its own order, however they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(times, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (lists, size, large) => {
          const { store, view } = setUp();
          // Padding makes some batches large enough to be written, far from what is looked at.
          const pad = large ? numberedLines(600).map((line) => ({ ...line, at: -1e6, text: 'pad' })) : [];
          const sources = lists.map((list, source) => list.map((at, i): Line => ({ at, text: `${source}:${i}`, severity: 1 })));
          for (let at = 0; at < 120; at += size) {
            for (const [source, list] of sources.entries()) {
              const part = list.slice(at, at + size);
              if (part.length > 0) await append(store, at === 0 ? [...pad, ...part] : part, source);
            }
          }
          const all = view({ text: ':' });
          await until(() => all.complete);
          const whole = await textsOf(all);
          expect([...whole].sort()).toEqual(merged(sources).sort());
          for (const [source, list] of sources.entries()) {
            expect(whole.filter((text) => text.startsWith(`${source}:`))).toEqual(list.map(({ text }) => text));
          }
          for (const start of [0, 1, 7, 50, whole.length - 3]) {
            if (start >= 0) expect(await textsOf(all, start, 10)).toEqual(whole.slice(start, start + 10));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of the same hours are found at once, however many they are: each block is read once, and no row before the page is walked over', async () => {
    const { store, view } = setUp();
    const [streams, each] = [40, 200];
    for (let source = 0; source < streams; source++) {
      const lines = Array.from({ length: each }, (_unused, i): Line => ({
        at: 1000 * (i + source / streams),
        text: `${i}/${source}`,
        severity: 1,
      }));
      await append(store, lines, source);
    }
    const all = view({});
    await until(() => all.complete);
    const reads = vi.spyOn(store, 'columns');
    const steps = vi.spyOn(RunCursor.prototype, 'bound', 'get');
    expect(await textsOf(all, (streams * each) / 2 + 3, 3)).toEqual([`${each / 2}/3`, `${each / 2}/4`, `${each / 2}/5`]);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(streams);
    expect(steps.mock.calls.length).toBeLessThan(10 * streams);
  });

  it('that have thousands of rows of the same second are found without a walk over them, and keys that were read are not read again for further rows', async () => {
    const { store, view } = setUp();
    const [streams, each] = [60, 100];
    const linesOf = (from: number): Line[] =>
      Array.from({ length: each }, (_, i) => ({ at: from + Math.floor(i / 50), text: `${from + i}` }));
    for (let source = 0; source < streams; source++) await append(store, linesOf(1000), source);
    const all = view({});
    await until(() => all.complete);
    const steps = vi.spyOn(RunCursor.prototype, 'bound', 'get');
    const reads = vi.spyOn(store, 'columns');
    expect(await textsOf(all, streams * each - 20, 3)).toEqual(['1080', '1081', '1082']);
    expect(steps.mock.calls.length).toBeLessThan(20 * streams);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(streams);
    await append(store, linesOf(3000), 0);
    await until(() => all.complete && all.total === (streams + 1) * each);
    reads.mockClear();
    expect(await textsOf(all, streams * each - 20, 3)).toEqual(['1080', '1081', '1082']);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('are in exact order of time when each of them is', async () => {
    const { store, view } = setUp();
    const sources = [0, 1, 2].map((source) =>
      Array.from({ length: 2500 }, (_, i): Line => ({
        at: 1000 + i * 3 + ((source * 7 + i * i) % 3),
        text: `${source}:${i}`,
        severity: i % 8,
      })),
    );
    const sorted = sources.map((list) => [...list].sort((a, b) => a.at - b.at));
    for (const [source, list] of sorted.entries()) {
      for (let at = 0; at < 2500; at += 700) await append(store, list.slice(at, at + 700), source);
    }
    const all = view();
    await until(() => all.complete);
    const expected = merged(sorted);
    expect(await textsOf(all)).toEqual(expected);
    expect(await textsOf(all, 3333, 44)).toEqual(expected.slice(3333, 3377));
    expect(await textsOf(all, 7495, 100)).toEqual(expected.slice(7495));
    for (const time of [0, 1000, 4321, 8500, 1e6]) {
      expect(await all.seek(time * 1000)).toBe(sorted.flat().filter(({ at }) => at < time).length);
    }
    const some = view({ matcher: 'Severity == 3' });
    expect(await textsOf(some)).toEqual(merged(sorted.map((list) => list.filter(({ severity }) => severity === 3))));
    store.remove(1);
    expect(await textsOf(all)).toEqual(merged([sorted[0] ?? [], sorted[2] ?? []]));
  });
});

describe('streams of one source', () => {
  const day = (start: number): Line[] => Array.from({ length: 1500 }, (_, i) => ({ at: start + i, text: `${start}:${i}` }));
  const appendTo = (store: RecordStore, stream: number, list: readonly Line[]): Promise<void> =>
    store.append({ ...linesBatch(list), source: 1, stream, decoder: 'test' });

  it('are merged by time, whichever was read first', async () => {
    const { store, view } = setUp();
    const all = view();
    for (const [stream, start] of [2e5, 1e5, 0].entries()) await appendTo(store, stream, day(start));
    const expected = [...day(0), ...day(1e5), ...day(2e5)].map(({ text }) => text);
    expect(await textsOf(all)).toEqual(expected);
    expect(await all.seek(1e8)).toBe(1500);
    expect(await textsOf(view({ sources: [1] }), 1499, 2)).toEqual(['0:1499', '100000:0']);
  });

  it('stay apart where small pieces are joined', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 40; i++) await appendTo(store, i % 2, [{ at: i % 2 === 0 ? 100 + i : i, text: `${i}` }]);
    const odd = Array.from({ length: 20 }, (_, i) => `${2 * i + 1}`);
    const even = Array.from({ length: 20 }, (_, i) => `${2 * i}`);
    expect(await textsOf(all)).toEqual([...odd, ...even]);
  });
});
