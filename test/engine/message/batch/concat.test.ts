import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { concatBatches, takeRows } from '../../../../engine/message/batch/gather.ts';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { messages } from '../arbitraries.ts';
import { listOf, payloads } from './gather-fixtures.ts';

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
