import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchBuilder, batchOf } from '../../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { message, messages } from '../arbitraries.ts';
import { workMs } from '../../../growth.ts';

const uuid = new Uint8Array(16);
const plain = (over: Partial<Message> = {}): Message => ({ uuid, timestamp: 1n, fields: [], ...over });
const rowsOf = (batch: MessageBatch): Message[] => Array.from({ length: batch.length }, (_, row) => batch.message(row));

describe('BatchBuilder', () => {
  it('gives back the messages it was given, whatever their shape', () => {
    fc.assert(
      fc.property(messages(), (list) => {
        expect(rowsOf(batchOf(list))).toEqual(list);
      }),
    );
  });

  it('copies rows of other batches as they are', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.nat()), (list, picks) => {
        const source = batchOf(list);
        const rows = list.length === 0 ? [] : picks.map((pick) => pick % list.length);
        const builder = new BatchBuilder();
        for (const row of rows) builder.appendRow(source, row);
        expect(rowsOf(builder.build())).toEqual(rows.map((row) => list[row]));
      }),
    );
  });

  it('copies rows of a batch with many columns by an index', () => {
    const list = Array.from({ length: 50 }, (_, i) => plain({ fields: [{ name: `f${i}`, valueType: 2, values: [BigInt(i)] }] }));
    const source = batchOf(list);
    const builder = new BatchBuilder();
    for (const row of [49, 0, 0, 7]) builder.appendRow(source, row);
    expect(rowsOf(builder.build())).toEqual([49, 0, 0, 7].map((row) => list[row]));
  });

  it('gives each batch its own messages and can be used again', () => {
    fc.assert(
      fc.property(message(), message(), (first, second) => {
        const builder = new BatchBuilder();
        builder.append(first);
        const one = builder.build();
        builder.append(second);
        expect([...messagesOf(one), ...messagesOf(builder.build())]).toEqual([first, second]);
        expect(builder.build().length).toBe(0);
      }),
    );
  });

  it('keeps headers that are the same in every row as one constant', () => {
    const batch = batchOf([plain({ type: 't', pid: 7 }), plain({ type: 't', pid: 7 })]);
    expect(batch.type).toEqual({ constant: 't' });
    expect(batch.pid).toEqual({ constant: 7 });
    expect(batch.logger).toBeNull();
    expect(batchOf([plain({ type: 't' }), plain()]).type).toMatchObject({ rows: Uint32Array.of(0) });
  });

  it('names neither rows nor offsets where every row has one value', () => {
    const batch = batchOf([1, 2, 3].map((value) => plain({ fields: [{ name: 'n', valueType: 3, values: [value] }] })));
    expect(batch.fields).toEqual([
      { name: 'n', representation: null, rows: null, offsets: null, valueType: 3, values: Float64Array.of(1, 2, 3) },
    ]);
  });

  it('has a column for each order in which fields come', () => {
    const a = { name: 'a', valueType: 4, values: [true] } as const;
    const b = { name: 'b', valueType: 4, values: [false] } as const;
    const list = [[a, b], [b, a], [a, a, b], [b]].map((fields) => plain({ fields }));
    const batch = batchOf(list);
    expect(batch.fields.map((column) => column.name)).toEqual(['a', 'b', 'a', 'b']);
    expect(rowsOf(batch)).toEqual(list);
  });

  it('tells fields apart by type and representation, and absent from empty', () => {
    const fields = [
      { name: 'a', valueType: 0, values: ['1'] },
      { name: 'a', valueType: 0, representation: '', values: ['1'] },
      { name: 'a', valueType: 1, values: [Uint8Array.of(1)] },
      { name: '1:a', valueType: 0, representation: '0', values: [] },
    ] as const;
    const list = fields.map((field) => plain({ fields: [field] }));
    const batch = batchOf(list);
    expect(batch.fields).toHaveLength(4);
    expect(rowsOf(batch)).toEqual(list);
  });

  it('stays linear when every message has other fields', () => {
    const build = (count: number): void => {
      const builder = new BatchBuilder();
      for (let i = 0; i < count; i++) {
        const fields = Array.from({ length: 10 }, (_, k) => ({ name: `f${i}-${k}`, valueType: 0 as const, values: ['v'] }));
        builder.append(plain({ fields }));
      }
      let read = 0;
      for (const { fields } of messagesOf(builder.build())) read += fields.length;
      expect(read).toBe(count * 10);
    };
    expect(workMs(() => build(5000))).toBeLessThan(5000);
  });

  it('stays linear when one message repeats a name very often', () => {
    const fields = Array.from({ length: 50_000 }, () => ({ name: 'a', valueType: 4 as const, values: [true] }));
    expect(workMs(() => expect(batchOf([plain({ fields }), plain({ fields })]).fields).toHaveLength(50_000))).toBeLessThan(5000);
  });

  it('refuses a uuid that is not 16 bytes and adds nothing then', () => {
    const builder = new BatchBuilder();
    expect(() => builder.append(plain({ uuid: new Uint8Array(3) }))).toThrow(RangeError);
    expect(builder.length).toBe(0);
  });

  it('refuses a row that the batch does not have', () => {
    expect(() => new BatchBuilder().appendRow(batchOf([plain()]), 1)).toThrow(RangeError);
  });
});

describe('messagesOf', () => {
  it('gives what message() gives, for all rows and for some', () => {
    fc.assert(
      fc.property(messages(), (list) => {
        const batch = batchOf(list);
        expect([...messagesOf(batch)]).toEqual(list);
        const even = Uint32Array.from(list.keys()).filter((row) => row % 2 === 0);
        expect([...messagesOf(batch, even)]).toEqual([...even].map((row) => list[row]));
      }),
    );
  });
});
