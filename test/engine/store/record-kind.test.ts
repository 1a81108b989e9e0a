import { afterEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
import { until } from '../../until.ts';
import { append, linesBatch, StoreBench } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('the kind of what a view shows', () => {
  const kindBeside = async (others: readonly number[], ...batches: readonly (readonly Partial<Message>[])[]): Promise<unknown> => {
    const { store, view } = setUp();
    for (const part of batches) {
      const messages = part.map((message): Message => ({ uuid: new Uint8Array(16), timestamp: 1n, fields: [], ...message }));
      const { raw } = linesBatch(part.map((_, i) => ({ at: 1, text: `${i}` })));
      await store.append({ batch: batchOf(messages), raw, others, source: 1, decoder: 'test' });
    }
    const all = view();
    await until(() => all.complete);
    const { type, texts } = all.facts;
    return [type, texts];
  };
  const kind = (...batches: readonly (readonly Partial<Message>[])[]): Promise<unknown> => kindBeside([], ...batches);
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

  it('leaves out records that another decoder made', async () => {
    const other = { type: 'b', payload: 'text', fields: [{ name: 'x', valueType: 0, values: ['y'] }] } as const;
    expect(await kindBeside([1], [{ type: 'a' }, other])).toEqual(['a', false]);
    expect(await kindBeside([0], [other])).toEqual([null, false]);
  });

  it.each([
    ['one of its own in thousands', 7, [], 'many'],
    ['one of another form in thousands', 7, [7], 'few'],
    ['none', null, [], 'none'],
  ] as const)('tells how many records have severities: %s', async (_what, at, others, share) => {
    const { store, view } = setUp();
    const records = Array.from({ length: 1000 }, (_, row): Message => {
      const severity = row === at ? { severity: 3 } : {};
      return { uuid: new Uint8Array(16), timestamp: 1n, fields: [], ...severity };
    });
    const { raw } = linesBatch(records.map((_, i) => ({ at: 1, text: `${i}` })));
    await store.append({ batch: batchOf(records), raw, others, source: 1, decoder: 'test' });
    const all = view();
    await until(() => all.complete);
    expect(all.facts.severities).toBe(share);
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
