import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
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
    expect(await textsOf(view(query))).toEqual(expected);
    expect(early.scanned).toBe(store.records);
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

  it.each([
    ['few records', 49, (): string => 'a', {}],
    ['records that all say the same', 50, (): string => 'a', { what: 'a' }],
    ['a last one that says something else', 60, (i: number): string => (i === 59 ? 'b' : 'a'), {}],
    ['a first one that says something else', 60, (i: number): string => (i === 0 ? 'b' : 'a'), {}],
  ])('tells which fields say the same in all records: %s', async (_what, count, value, expected) => {
    const { store, view } = setUp();
    for (let from = 0; from < count; from += 10) {
      const part = Array.from({ length: Math.min(10, count - from) }, (_, i) => from + i);
      const fields = (i: number): Message['fields'] => [{ name: 'what', valueType: 0, values: [value(i)] }];
      const messages = part.map((i): Message => ({ uuid: new Uint8Array(16), timestamp: BigInt(i), fields: fields(i) }));
      const { raw } = linesBatch(part.map((i) => ({ at: 1, text: `${i}` })));
      await store.append({ batch: batchOf(messages), raw, source: 1, decoder: 'test' });
    }
    const all = view();
    await until(() => all.complete);
    expect(all.facts.alike).toEqual(expected);
  });

  it('has texts where the messages are the records', async () => {
    const { store, view } = setUp();
    await store.append({ ...linesBatch([{ at: 1, text: 'a' }]), raw: null, source: 1, decoder: null });
    const all = view();
    await until(() => all.complete);
    expect(all.facts.texts).toBe(true);
  });
});
