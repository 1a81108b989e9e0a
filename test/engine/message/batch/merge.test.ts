import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { concatBatches, mergeRows } from '../../../../engine/message/batch/gather.ts';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { anyText, messages } from '../arbitraries.ts';
import { listOf, payloads } from './gather-fixtures.ts';

describe('mergeRows', () => {
  it('puts every row where its order says', () => {
    const parts = fc.array(messages(anyText, 6), { maxLength: 3 }).chain((lists) => {
      const length = lists.flat().length;
      return fc.tuple(fc.constant(lists), fc.shuffledSubarray([...Array(length).keys()], { minLength: length }));
    });
    fc.assert(
      fc.property(parts, ([lists, places]) => {
        const expected: Message[] = [];
        lists.flat().forEach((message, i) => (expected[places[i] as number] = message));
        let at = 0;
        const merged = mergeRows(
          lists.map((list) => ({ batch: batchOf(list), order: Uint32Array.from(places.slice(at, (at += list.length))) })),
        );
        expect(listOf(merged)).toEqual(expected);
      }),
    );
  });

  it('puts rows that keep their order between each other, whether their fields are of other names or not', () => {
    const named = (letter: string) => (list: Message[]) =>
      list.map((message) => ({ ...message, fields: message.fields.map((field) => ({ ...field, name: letter + field.name })) }));
    const parts = fc.tuple(messages(anyText, 6).map(named('a')), messages(anyText, 6).map(named('b')), messages(anyText, 6));
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat(2)), (lists, picks) => {
        const orders = lists.map((): number[] => []);
        const expected: Message[] = [];
        while (expected.length < lists.flat().length) {
          const part = picks.next().value as number;
          const message = lists[part]?.[orders[part]?.length ?? 0];
          if (message === undefined) continue;
          orders[part]?.push(expected.length);
          expected.push(message);
        }
        const merged = mergeRows(lists.map((list, i) => ({ batch: batchOf(list), order: Uint32Array.from(orders[i] ?? []) })));
        expect(listOf(merged)).toEqual(expected);
      }),
    );
  });

  it('shares the texts of records that stand between their messages', () => {
    const text = 'a b c';
    const piece = (at: number) => ({ text, rows: null, starts: Uint32Array.of(at), ends: Uint32Array.of(at + 1) });
    const one = (at: number) => new MessageBatch({ length: 1, timestamps: new BigInt64Array(1), payload: piece(at) });
    const merged = mergeRows([
      { batch: concatBatches([one(0)]), order: Uint32Array.of(1) },
      { batch: one(4), order: Uint32Array.of(0) },
    ]);
    expect(merged.payload).toEqual({ text, rows: null, starts: Uint32Array.of(4, 0), ends: Uint32Array.of(5, 1) });
  });

  it.each([
    ['a row twice', [0, 0]],
    ['a row too high', [0, 2]],
    ['too few rows', [0]],
  ])('refuses %s', (_, order) => {
    expect(() => mergeRows([{ batch: payloads('a', 'b'), order: Uint32Array.from(order) }])).toThrow(RangeError);
  });
});
