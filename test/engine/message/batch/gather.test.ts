import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { asFailed, concatBatches, mergeRows, takeRows, withField } from '../../../../engine/message/batch/gather.ts';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { checkBatch } from '../../../../engine/message/check.ts';
import { anyText, messages } from '../arbitraries.ts';
import { workMs } from '../../../growth.ts';

const listOf = (batch: MessageBatch): Message[] => {
  checkBatch(batch);
  return [...messagesOf(batch)];
};
const picks = fc.array(fc.nat(), { maxLength: 20 });

describe('takeRows', () => {
  const check = (list: Message[], rows: number[]) => {
    expect(listOf(takeRows(batchOf(list), Uint32Array.from(rows)))).toEqual(rows.map((row) => list[row]));
  };

  it('takes any rows in any order', () => {
    fc.assert(
      fc.property(messages(), picks, (list, picked) => check(list, list.length === 0 ? [] : picked.map((pick) => pick % list.length))),
    );
  });

  it('takes ascending rows', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.boolean()), (list, keep) =>
        check(
          list,
          [...list.keys()].filter((row) => keep[row]),
        ),
      ),
    );
  });

  it('takes runs', () => {
    fc.assert(
      fc.property(messages(), fc.nat(), fc.nat(), (list, a, b) => {
        const from = a % (list.length + 1);
        const to = from + (b % (list.length - from + 1));
        check(list, [...list.keys()].slice(from, to));
      }),
    );
  });

  it('takes from what it took', () => {
    fc.assert(
      fc.property(messages(), picks, picks, (list, first, second) => {
        if (list.length === 0 || first.length === 0) return;
        const one = takeRows(
          batchOf(list),
          Uint32Array.from(first, (pick) => pick % list.length),
        );
        const two = takeRows(
          one,
          Uint32Array.from(second, (pick) => pick % one.length),
        );
        expect(listOf(two)).toEqual(second.map((pick) => list[(first[pick % one.length] as number) % list.length]));
      }),
    );
  });

  it('shares the texts and gives the batch itself when all rows are taken', () => {
    const batch = payloads('one', 'two', 'three');
    expect(takeRows(batch, Uint32Array.of(0, 1, 2))).toBe(batch);
    const part = takeRows(batch, Uint32Array.of(2, 0));
    expect(part.payload).toMatchObject({ text: 'onetwothree', starts: Uint32Array.of(6, 0), ends: Uint32Array.of(11, 3) });
  });

  it('keeps the random uuids of rows also when they are asked for later', () => {
    const batch = new MessageBatch({ length: 3, timestamps: new BigInt64Array(3) });
    const rows = Uint32Array.of(2, 0);
    const part = takeRows(batch, rows);
    rows.fill(1);
    expect(part.message(0).uuid).toEqual(batch.message(2).uuid);
    expect(part.message(1).uuid).toEqual(batch.message(0).uuid);
  });

  it.each([[[3]], [[0, 1, 2, 3]], [[3, 0]], [[0, 3]]])('refuses rows %j of three', (rows) => {
    expect(() => takeRows(payloads('a', 'b', 'c'), Uint32Array.from(rows))).toThrow(RangeError);
  });

  it('stays linear over very many columns', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => plain({ fields: [{ name: `f${i}`, valueType: 4, values: [true] }] }));
    const batch = batchOf(list);
    const odd = Uint32Array.from({ length: 10_000 }, (_, i) => 2 * i + 1);
    const ms = workMs(() => {
      expect(takeRows(batch, odd).fields).toHaveLength(10_000);
      expect(takeRows(batch, odd.toReversed()).fields).toHaveLength(10_000);
      expect(concatBatches([batch, batch]).fields).toHaveLength(20_000);
    });
    expect(ms).toBeLessThan(5000);
  });
});

describe('concatBatches', () => {
  it('puts the messages of all batches one behind the other', () => {
    fc.assert(
      fc.property(fc.array(messages(), { maxLength: 4 }), (lists) => {
        expect(listOf(concatBatches(lists.map(batchOf)))).toEqual(lists.flat());
      }),
    );
  });

  it('joins parts of one batch without copying its text again', () => {
    const batch = payloads('a', 'b', 'c', 'd');
    const joined = concatBatches([takeRows(batch, Uint32Array.of(2, 3)), takeRows(batch, Uint32Array.of(0))]);
    expect(joined.payload).toMatchObject({ text: 'abcd', starts: Uint32Array.of(2, 3, 0) });
  });

  it('copies a text that several columns share once', () => {
    const [first, second] = [raw('x=1'), raw('y=22')];
    const joined = concatBatches([first, second]);
    expect(joined.fields[0]?.values).toMatchObject({ text: 'x=1y=22' });
    expect(joined.payload).toMatchObject({ text: 'x=1y=22' });
    expect(listOf(joined)).toEqual([first, second].flatMap((batch) => listOf(batch)));
  });

  it('leaves behind texts that are hardly used', () => {
    const batch = payloads('keep', 'x'.repeat(1000));
    const small = takeRows(batch, Uint32Array.of(0));
    expect(concatBatches([small, payloads('other')]).payload).toMatchObject({ text: 'keepother' });
  });

  it('gives an empty batch for nothing', () => {
    expect(concatBatches([]).length).toBe(0);
  });

  /** A batch of one row whose payload is `text` and whose field `value` is the piece behind the equals sign. */
  function raw(text: string): MessageBatch {
    const whole = { rows: null, text, starts: Uint32Array.of(0), ends: Uint32Array.of(text.length) };
    const values = { text, starts: Uint32Array.of(text.indexOf('=') + 1), ends: Uint32Array.of(text.length) };
    const field = { name: 'value', representation: null, rows: null, offsets: null, valueType: 0 as const, values };
    return new MessageBatch({ length: 1, timestamps: new BigInt64Array(1), payload: whole, fields: [field] });
  }
});

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

describe('asFailed', () => {
  it('adds the two fields of an undecoded message behind its own', () => {
    const batch = withField(payloads('good', 'bad'), {
      name: 'n',
      representation: null,
      rows: null,
      offsets: null,
      valueType: 4,
      values: Uint8Array.of(1, 0),
    });
    expect(listOf(asFailed(batch, Uint32Array.of(1), ['no priority']))).toEqual([
      {
        ...batch.message(1),
        fields: [
          { name: 'n', valueType: 4, values: [false] },
          { name: 'decode_failure', representation: '', valueType: 4, values: [true] },
          { name: 'decode_error', representation: '', valueType: 0, values: ['no priority'] },
        ],
      },
    ]);
  });

  it.each([
    ['x'.repeat(600), 500],
    ['é'.repeat(600), 500],
    [`a${'é'.repeat(600)}`, 499],
    ['\u{1f600}'.repeat(200), 500],
    [`a${'\u{1f600}'.repeat(200)}`, 497],
    ['short', 5],
  ])('cuts the reason to 500 bytes between characters', (reason, bytes) => {
    const error = asFailed(payloads('a'), Uint32Array.of(0), [reason]).message(0).fields[1]?.values[0] as string;
    expect(reason.startsWith(error)).toBe(true);
    expect(Buffer.from(error).length).toBe(bytes);
    expect(error.isWellFormed()).toBe(true);
  });

  it('wants a reason for each row', () => {
    expect(() => asFailed(payloads('a'), Uint32Array.of(0), [])).toThrow(RangeError);
  });
});

function plain(over: Partial<Message>): Message {
  return { uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...over };
}

function payloads(...texts: string[]): MessageBatch {
  return batchOf(texts.map((payload) => plain({ payload })));
}
