import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import { histogramOf } from '../../../engine/store/histogram.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { recordDetail, recordRows } from '../../../engine/store/rows.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { batchOf } from '../../../engine/message/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
import { linesBatch, newFolder, newStore, type Line } from './fixtures.ts';
import { until } from '../../until.ts';

const open: { store: RecordStore; views: RecordView[] }[] = [];

function setUp(): { store: RecordStore; view: (query?: RecordQuery) => RecordView } {
  const store = newStore();
  const views: RecordView[] = [];
  open.push({ store, views });
  return {
    store,
    view(query = {}) {
      const view = new RecordView(
        store,
        query,
        () => undefined,
        (error) => {
          throw error;
        },
      );
      views.push(view);
      return view;
    },
  };
}

afterEach(async () => {
  for (const { store, views } of open.splice(0)) {
    for (const view of views) view.close();
    await store.close();
  }
});

const lines = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_, i) => ({
    at: 1000 + from + i,
    text: `line ${from + i}`,
    severity: (from + i) % 8,
    status: 200 + ((from + i) % 3),
  }));

const append = (store: RecordStore, list: readonly Line[], source = 1) => store.append({ ...linesBatch(list), source, decoder: 'test' });

async function texts(view: RecordView, start = 0, count = 100_000): Promise<string[]> {
  await until(() => view.complete);
  return recordRows(await view.page(start, count), []).map((row) => row.text);
}

describe('RecordStore', () => {
  it('shows records in order of arrival, from memory and from the file', async () => {
    const { store, view } = setUp();
    const all = view();
    const expected: string[] = [];
    for (const [i, size] of [1, 600, 3, 5000, 1, 1, 700].entries()) {
      const part = lines(size, i * 10_000);
      expected.push(...part.map((line) => line.text));
      await append(store, part);
    }
    await store.flushed();
    expect(await texts(all)).toEqual(expected);
    expect(await texts(view())).toEqual(expected);
    expect(store.bytes).toBeGreaterThan(100_000);
  });

  it('keeps a small index for input that comes line by line', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 5000; i++) await append(store, lines(1, i), i % 3);
    expect(store.segments.length).toBeLessThan(80);
    expect(await texts(all)).toEqual(lines(5000).map((line) => line.text));
    expect(new Set(recordRows(await all.page(0, 5000), []).map(({ source }) => source))).toEqual(new Set([0, 1, 2]));
    const second = await texts(view({ sources: [1] }));
    expect(second).toEqual(lines(5000).flatMap((line, i) => (i % 3 === 1 ? [line.text] : [])));
  });

  it('keeps numbers of records while others are removed', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 100; i++) await append(store, lines(i % 7 === 0 ? 700 : 2, i * 1000), i % 2);
    await until(() => all.complete);
    const before = recordRows(await all.page(0, 100_000), []);
    store.remove(0);
    await until(() => all.complete);
    const kept = before.filter((row) => row.source === 1);
    expect(recordRows(await all.page(0, 100_000), [])).toEqual(kept);
    expect(store.records).toBe(kept.length);
    for (let i = 0; i < 40; i++) await append(store, lines(1, 500_000 + i), 1);
    const after = recordRows(await all.page(0, 100_000), []);
    expect(after.slice(0, kept.length)).toEqual(kept);
    expect(after).toHaveLength(kept.length + 40);
    for (const row of after) {
      const place = store.find(row.id);
      expect(place).toBeDefined();
      if (place) expect(recordDetail({ ...place, stored: await store.load(place.segment) }).raw).toBe(row.text);
    }
    const gone = before.find((row) => row.source === 0);
    expect(store.find(before.length + 1_000_000)).toBeUndefined();
    expect(gone).toBeDefined();
  });

  it('leaves no file behind and removes those of dead processes', async () => {
    const folder = newFolder();
    const stale = join(folder, 'segments-999999999-0.tmp');
    const foreign = join(folder, 'notes.txt');
    writeFileSync(stale, 'x');
    writeFileSync(foreign, 'x');
    const store = newStore(folder);
    await append(store, lines(3000));
    await store.flushed();
    expect(existsSync(stale)).toBe(false);
    await store.close();
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });
});

describe('RecordView', () => {
  it.each<{ title: string; query: RecordQuery; keep: (line: Line, row: number) => boolean }>([
    { title: 'text', query: { text: 'LINE 12' }, keep: (line) => line.text.includes('line 12') },
    { title: 'text with case', query: { text: 'LINE 12', caseSensitive: true }, keep: () => false },
    { title: 'all but a text', query: { text: '7', exclude: true }, keep: (line) => !line.text.includes('7') },
    { title: 'a regular expression', query: { text: 'line \\d*(00|11)$', regex: true }, keep: (line) => /(00|11)$/.test(line.text) },
    {
      title: 'a matcher',
      query: { matcher: 'Fields[status] == 201 && Severity < 3' },
      keep: (line) => line.status === 201 && (line.severity ?? 7) < 3,
    },
    { title: 'a time', query: { from: 1_500_000, to: 2_500_000 }, keep: (line) => line.at >= 1500 && line.at < 2500 },
    {
      title: 'several things',
      query: { text: '1', from: 2_000_000, matcher: 'Severity == 4' },
      keep: (line) => line.text.includes('1') && line.at >= 2000 && line.severity === 4,
    },
    { title: 'a source that is not there', query: { sources: [9] }, keep: () => false },
    { title: 'nothing in particular', query: { matcher: ' ', text: '' }, keep: () => true },
  ])('selects by $title, before and after the records come', async ({ query, keep }) => {
    const { store, view } = setUp();
    const early = view(query);
    const input = lines(4000);
    for (let at = 0; at < 4000; at += at < 100 ? 1 : 900) await append(store, input.slice(at, at + (at < 100 ? 1 : 900)));
    const expected = input.filter(keep).map((line) => line.text);
    expect(await texts(early)).toEqual(expected);
    expect(await texts(view(query))).toEqual(expected);
    expect(early.scanned).toBe(store.records);
  });

  it('refuses a wrong query with a code and says where', () => {
    const { view } = setUp();
    expect(() => view({ matcher: 'Type = 1' })).toThrow(expect.objectContaining({ code: 'query.matcher' }));
    expect(() => view({ text: '(', regex: true })).toThrow(expect.objectContaining({ code: 'query.regex' }));
  });

  it('changes its query', async () => {
    const { store, view } = setUp();
    await append(store, lines(2000));
    const one = view();
    one.setQuery({ text: 'line 199' });
    expect(await texts(one)).toHaveLength(11);
    one.setQuery({});
    expect(await texts(one, 1990, 5)).toEqual(['line 1990', 'line 1991', 'line 1992', 'line 1993', 'line 1994']);
  });

  it('pages like an array, wherever segments begin and end', async () => {
    const { store, view } = setUp();
    const input = lines(3000);
    for (const [from, to] of [
      [0, 700],
      [700, 701],
      [701, 1500],
      [1500, 3000],
    ])
      await append(store, input.slice(from, to));
    const odd = view({ matcher: 'Severity == 1 || Severity == 6' });
    const expected = input.filter(({ severity }) => severity === 1 || severity === 6).map((line) => line.text);
    await until(() => odd.complete);
    await fc.assert(
      fc.asyncProperty(fc.nat(900), fc.nat(300), async (start, count) => {
        expect(await texts(odd, start, count)).toEqual(expected.slice(start, start + count));
      }),
    );
  });

  it('finds the first record at or after a time', async () => {
    const { store, view } = setUp();
    await append(store, lines(1000));
    await append(store, lines(10, 1000));
    const even = view({ matcher: 'Severity == 0 || Severity == 4' });
    await until(() => even.complete);
    for (const [time, row] of [
      [0, 0],
      [1_000_000, 0],
      [1_000_001, 1],
      [1_999_000, 250],
      [2_008_000, 252],
      [9e9, 253],
    ] as const) {
      expect(await even.seek(time), `${time}`).toBe(row);
    }
  });

  it('shows new records at once', async () => {
    const { store, view } = setUp();
    const found = view({ text: 'fresh' });
    await until(() => found.complete);
    void append(store, [
      { at: 1, text: 'fresh' },
      { at: 2, text: 'stale' },
    ]);
    expect(found.total).toBe(1);
  });

  it('tells rows that came from those that were read or found', async () => {
    const { store, view } = setUp();
    await append(store, lines(100));
    const some = view({ matcher: 'Severity == 1' });
    await until(() => some.complete);
    await append(store, lines(100, 100));
    expect(some.fresh).toBe(0);
    await store.append({ ...linesBatch(lines(8, 200)), source: 1, decoder: 'test', fresh: true });
    expect(some.fresh).toBe(1);
    some.setQuery({});
    expect(await texts(some)).toHaveLength(208);
    expect(some.fresh).toBe(1);
  });
});

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
          const pad = large ? lines(600).map((line) => ({ ...line, at: -1e6, text: 'pad' })) : [];
          const sources = lists.map((list, source) => list.map((at, i): Line => ({ at, text: `${source}:${i}`, severity: 1 })));
          for (let at = 0; at < 120; at += size) {
            for (const [source, list] of sources.entries()) {
              const part = list.slice(at, at + size);
              if (part.length > 0) await append(store, at === 0 ? [...pad, ...part] : part, source);
            }
          }
          const all = view({ text: ':' });
          await until(() => all.complete);
          const whole = await texts(all);
          expect([...whole].sort()).toEqual(merged(sources).sort());
          for (const [source, list] of sources.entries()) {
            expect(whole.filter((text) => text.startsWith(`${source}:`))).toEqual(list.map(({ text }) => text));
          }
          for (const start of [0, 1, 7, 50, whole.length - 3]) {
            if (start >= 0) expect(await texts(all, start, 10)).toEqual(whole.slice(start, start + 10));
          }
        },
      ),
      { numRuns: 40 },
    );
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
    expect(await texts(all)).toEqual(expected);
    expect(await texts(all, 3333, 44)).toEqual(expected.slice(3333, 3377));
    expect(await texts(all, 7495, 100)).toEqual(expected.slice(7495));
    for (const time of [0, 1000, 4321, 8500, 1e6]) {
      expect(await all.seek(time * 1000)).toBe(sorted.flat().filter(({ at }) => at < time).length);
    }
    const some = view({ matcher: 'Severity == 3' });
    expect(await texts(some)).toEqual(merged(sorted.map((list) => list.filter(({ severity }) => severity === 3))));
    store.remove(1);
    expect(await texts(all)).toEqual(merged([sorted[0] ?? [], sorted[2] ?? []]));
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
    expect(await texts(all)).toEqual(expected);
    expect(await all.seek(1e8)).toBe(1500);
    expect(await texts(view({ sources: [1] }), 1499, 2)).toEqual(['0:1499', '100000:0']);
  });

  it('stay apart where small pieces are joined', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 40; i++) await appendTo(store, i % 2, [{ at: i % 2 === 0 ? 100 + i : i, text: `${i}` }]);
    const odd = Array.from({ length: 20 }, (_, i) => `${2 * i + 1}`);
    const even = Array.from({ length: 20 }, (_, i) => `${2 * i}`);
    expect(await texts(all)).toEqual([...odd, ...even]);
  });
});

describe('the facts of a view', () => {
  it('are the span of what it shows, and whether that has severities', async () => {
    const { store, view } = setUp();
    const all = view();
    expect(all.facts).toMatchObject({ span: null, severities: false });
    await append(store, [{ at: 86_400, text: 'first' }], 1);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: false });
    await append(store, [{ at: 50.5, text: 'earlier', severity: 3 }], 2);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 50_500, to: 86_400_000 }, severities: true });
    const some = view({ text: 'first' });
    await until(() => some.complete);
    expect(some.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: false });
    store.remove(2);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: false });
  });
});

describe('the kind of what a view shows', () => {
  const kind = async (...batches: readonly (readonly Partial<Message>[])[]): Promise<unknown> => {
    const { store, view } = setUp();
    for (const part of batches) {
      const messages = part.map((message): Message => ({ uuid: new Uint8Array(16), timestamp: 1n, fields: [], ...message }));
      const { raw } = linesBatch(part.map((_, i) => ({ at: 1, text: `${i}` })));
      await store.append({ batch: batchOf(messages), raw, source: 1, decoder: 'test' });
    }
    const all = view();
    await until(() => all.complete);
    const { type, texts } = all.facts;
    return [type, texts];
  };
  const failed = { payload: 'raw', type: 'a', fields: [{ name: 'decode_failure', valueType: 4, values: [true] }] } as const;

  it.each([
    ['one type', [[{ type: 'a' }, { type: 'a' }], [{ type: 'a' }]], ['a', false]],
    ['types that differ within a batch', [[{ type: 'a' }, { type: 'b' }, { type: 'a' }]], [null, false]],
    ['types that differ between batches', [[{ type: 'a' }], [{ type: 'aa' }]], [null, false]],
    ['records without a type', [[{}, {}]], ['', false]],
    ['messages with texts', [[{ type: 'a' }], [{ type: 'a', payload: 'text' }]], ['a', true]],
    ['refused records', [[{ type: 'a' }, failed], [failed]], ['a', false]],
    [
      'refused records of another type',
      [[{ type: 'a' }, { ...failed, type: 'b' }], [{ ...failed, type: 'b' }], [{ type: 'a' }]],
      ['a', false],
    ],
    ['refused records without a type', [[{ type: 'a' }, { ...failed, type: undefined }]], ['a', false]],
    ['refused records beside types that differ', [[{ type: 'a' }, { type: 'b' }], [failed]], [null, false]],
    ['refused records alone', [[failed, failed]], [null, false]],
    ['refused ones and texts', [[{ type: 'a', payload: 'text' }, failed]], ['a', true]],
    ['records that were passed on as they are', [[{ payload: '0' }, { type: 'a' }, { payload: '2' }]], [null, false]],
    ['nothing', [], [null, false]],
  ])('tells of %s', async (_what, batches, expected) => {
    expect(await kind(...(batches as readonly (readonly Partial<Message>[])[]))).toEqual(expected);
  });

  it.each([
    ['whole seconds', [0, 5], false],
    ['a time before 1970', [-5, 5], false],
    ['a millisecond', [0, 5.001], true],
    ['a microsecond', [0.000001, 5], true],
  ])('tells whether times have fractions: %s', async (_what, times, expected) => {
    const { store, view } = setUp();
    for (const at of times) await append(store, [{ at, text: '' }], 1);
    const all = view();
    await until(() => all.complete);
    expect(all.facts.fractions).toBe(expected);
  });

  it('is that of the sources that it shows, also where others lie in the same segments', async () => {
    const { store, view } = setUp();
    const of = async (source: number, at: number, type: string, payload?: string): Promise<void> => {
      const message: Message = {
        uuid: new Uint8Array(16),
        timestamp: BigInt(at * 1e9),
        type,
        fields: [],
        ...(payload !== undefined && { payload }),
      };
      const { raw } = linesBatch([{ at, text: 'as it was read' }]);
      await store.append({ batch: batchOf([message]), raw, source, decoder: 'test' });
    };
    for (let i = 0; i < 16; i++) await (i % 2 === 0 ? of(1, i, 'a') : of(2, i + 0.5, 'b', 'text'));
    expect(store.segments).toHaveLength(1);
    const [one, two, both] = [view({ sources: [1] }), view({ sources: [2] }), view()];
    await until(() => one.complete && two.complete && both.complete);
    expect(one.facts).toMatchObject({ type: 'a', texts: false, fractions: false });
    expect(two.facts).toMatchObject({ type: 'b', texts: true, fractions: true });
    expect(both.facts).toMatchObject({ type: null, texts: true, fractions: true });
  });

  it('has texts where the messages are the records', async () => {
    const { store, view } = setUp();
    await store.append({ ...linesBatch([{ at: 1, text: 'a' }]), raw: null, source: 1, decoder: null });
    const all = view();
    await until(() => all.complete);
    expect(all.facts.texts).toBe(true);
  });
});

describe('recordRows', () => {
  test.each([
    ['plain text', 'a [31m b', 'a [31m b'],
    ['colours of a terminal', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mother\u001b[m', 'red and other'],
    ['moves of the cursor', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['an escape that is none of these', 'a\u001bb', 'a\u001bb'],
  ])('leaves out what is for terminals: %s', async (_what, text, shown) => {
    const { store, view } = setUp();
    await append(store, [{ at: 1, text }]);
    const page = await view().page(0, 1);
    expect(recordRows(page, []).map((row) => row.text)).toEqual([shown]);
    // Rows that were read are kept.
    expect(page.map((row) => recordDetail(row).raw)).toEqual([text]);
  });
});

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

  it('is empty without records', async () => {
    const { store, view } = setUp();
    const result = await histogramOf(store, view(), { buckets: 10 });
    expect(result.counts).toHaveLength(9);
    expect(result.counts.flat()).toEqual([]);
  });
});
