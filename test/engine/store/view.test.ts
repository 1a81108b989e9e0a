import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import { until } from '../../until.ts';
import { append, linesBatch, numberedLines, StoreBench, textsOf, type Line } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

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
    const input = numberedLines(4000);
    for (let at = 0; at < 4000; at += at < 100 ? 1 : 900) await append(store, input.slice(at, at + (at < 100 ? 1 : 900)));
    const expected = input.filter(keep).map((line) => line.text);
    expect(await textsOf(early)).toEqual(expected);
    await store.flushed();
    expect(await textsOf(view(query))).toEqual(expected);
    expect(early.scanned).toBe(store.records);
  });

  it('reads nothing for numbers and levels that no segment has', async () => {
    const { store, view } = setUp();
    for (const from of [0, 3000]) await append(store, numberedLines(3000, from));
    await store.flushed();
    const columns = vi.spyOn(store, 'readInto');
    for (const matcher of ['Fields[status] == 403', 'Severity > 7', "Fields[status] == '200'"])
      expect(await textsOf(view({ matcher }))).toEqual([]);
    expect(columns).not.toHaveBeenCalled();
  });

  it('refuses a wrong query with a code and says where', () => {
    const { view } = setUp();
    expect(() => view({ matcher: 'Type = 1' })).toThrow(expect.objectContaining({ code: 'query.matcher' }));
    expect(() => view({ text: '(', regex: true })).toThrow(expect.objectContaining({ code: 'query.regex' }));
  });

  it('changes its query', async () => {
    const { store, view } = setUp();
    await append(store, numberedLines(2000));
    const one = view();
    one.setQuery({ text: 'line 199' });
    expect(await textsOf(one)).toHaveLength(11);
    one.setQuery({});
    expect(await textsOf(one, 1990, 5)).toEqual(['line 1990', 'line 1991', 'line 1992', 'line 1993', 'line 1994']);
  });

  it('pages like an array, wherever segments begin and end', async () => {
    const { store, view } = setUp();
    const input = numberedLines(3000);
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
        expect(await textsOf(odd, start, count)).toEqual(expected.slice(start, start + count));
      }),
    );
  });

  it('finds the first record at or after a time', async () => {
    const { store, view } = setUp();
    await append(store, numberedLines(1000));
    await append(store, numberedLines(10, 1000));
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
    await append(store, numberedLines(100));
    const some = view({ matcher: 'Severity == 1' });
    await until(() => some.complete);
    await append(store, numberedLines(100, 100));
    expect(some.fresh).toBe(0);
    await store.append({ ...linesBatch(numberedLines(8, 200)), source: 1, decoder: 'test', fresh: true });
    expect(some.fresh).toBe(1);
    some.setQuery({});
    expect(await textsOf(some)).toHaveLength(208);
    expect(some.fresh).toBe(1);
  });
});

describe('the facts of a view', () => {
  it('are the span of what it shows, and whether that has severities', async () => {
    const { store, view } = setUp();
    const all = view();
    expect(all.facts).toMatchObject({ span: null, severities: 'none' });
    await append(store, [{ at: 86_400, text: 'first' }], 1);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: 'none' });
    await append(store, [{ at: 50.5, text: 'earlier', severity: 3 }], 2);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 50_500, to: 86_400_000 }, severities: 'many' });
    const more = Array.from({ length: 200 }, (_, i) => ({ at: 60_000 + i, text: `more ${i}` }));
    await append(store, more, 3);
    await until(() => all.complete);
    expect(all.facts.severities).toBe('many');
    const some = view({ text: 'first' });
    await until(() => some.complete);
    expect(some.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: 'none' });
    store.remove(2);
    store.remove(3);
    await until(() => all.complete);
    expect(all.facts).toMatchObject({ span: { from: 86_400_000, to: 86_400_000 }, severities: 'none' });
  });
});
