import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import { takeRows } from '../../../../engine/message/batch/gather.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { byteLengthOf, decodeBatch, encodeBatch } from '../../../../engine/message/batch/wire.ts';
import { messages } from '../arbitraries.ts';
import { encode, plain } from './wire-fixtures.ts';

const through = (batch: MessageBatch): MessageBatch => decodeBatch(encode(batch));

describe('encodeBatch and decodeBatch', () => {
  it('give back every message', () => {
    fc.assert(
      fc.property(messages(), (list) => {
        expect([...messagesOf(through(batchOf(list)))]).toEqual(list);
      }),
    );
  });

  it('give back the rows that were taken from a batch', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.boolean()), (list, keep) => {
        const rows = [...list.keys()].filter((row) => keep[row]);
        expect([...messagesOf(through(takeRows(batchOf(list), Uint32Array.from(rows))))]).toEqual(rows.map((row) => list[row]));
      }),
    );
  });

  it('read bytes that are not aligned', () => {
    fc.assert(
      fc.property(messages(), fc.integer({ min: 1, max: 15 }), (list, shift) => {
        const bytes = encode(batchOf(list));
        const shifted = new Uint8Array(bytes.length + shift);
        shifted.set(bytes, shift);
        expect([...messagesOf(decodeBatch(shifted.subarray(shift)))]).toEqual(list);
      }),
    );
  });

  it('say how long the pieces are, a multiple of 8', () => {
    fc.assert(
      fc.property(messages(), (list) => {
        const pieces = encodeBatch(batchOf(list));
        expect(byteLengthOf(pieces)).toBe(Buffer.concat(pieces).length);
        expect(byteLengthOf(pieces) % 8).toBe(0);
      }),
    );
  });

  it('keep the uuids that a batch makes when it is asked', () => {
    const batch = new MessageBatch({ length: 2, timestamps: new BigInt64Array(2) });
    expect(through(batch).uuids).toEqual(batch.uuids);
  });

  it('leave the uuids out on request', () => {
    const decoded = decodeBatch(Buffer.concat(encodeBatch(batchOf([plain()]), { uuids: false })));
    expect(decoded.knownUuids).toBeNull();
    expect((decoded.uuids[6] as number) >> 4).toBe(4);
  });

  it('write a text that several columns share once', () => {
    const text = 'x'.repeat(10_000);
    const values = { text, starts: Uint32Array.of(0), ends: Uint32Array.of(10_000) };
    const column = (name: string): FieldColumn => ({ name, representation: null, rows: null, offsets: null, valueType: 0, values });
    const batch = new MessageBatch({
      length: 1,
      timestamps: new BigInt64Array(1),
      payload: { rows: null, ...values },
      fields: [column('a'), column('b')],
    });
    expect(encode(batch).length).toBeLessThan(11_000);
    expect(through(batch).message(0)).toEqual(batch.message(0));
  });

  it('write long texts once each, and tell those of one length apart', () => {
    const [first, second] = ['a'.repeat(6000), `${'a'.repeat(5999)}b`];
    const column = (name: string, text: string): FieldColumn => ({
      name,
      representation: null,
      rows: null,
      offsets: null,
      valueType: 0 as const,
      values: { text, starts: Uint32Array.of(0, 3000), ends: Uint32Array.of(3000, 6000) },
    });
    const fields = [column('a', first), column('b', second), column('c', first), column('d', second)];
    const batch = new MessageBatch({ length: 2, timestamps: new BigInt64Array(2), uuids: new Uint8Array(32), fields });
    expect(encode(batch).length).toBeLessThan(12_500);
    expect([...messagesOf(through(batch))]).toEqual([...messagesOf(batch)]);
  });

  it('write only what is used of a text or byte array that is hardly used', () => {
    const big = plain({ payload: 'x'.repeat(10_000), fields: [{ name: 'b', valueType: 1, values: [new Uint8Array(10_000)] }] });
    const small = plain({ payload: 'y', fields: [{ name: 'b', valueType: 1, values: [Uint8Array.of(7), Uint8Array.of()] }] });
    const part = takeRows(batchOf([big, small]), Uint32Array.of(1));
    expect(encode(part).length).toBeLessThan(1000);
    expect(through(part).message(0)).toEqual(small);
  });

  it('write one byte for a code unit when no unit needs two, also in a text cut from one that does', () => {
    const wide = `\u{1f600}${'é'.repeat(100)}`;
    const cut = (end: number): MessageBatch =>
      new MessageBatch({
        length: 1,
        timestamps: new BigInt64Array(1),
        payload: { rows: null, text: wide.slice(2, end), starts: Uint32Array.of(0), ends: Uint32Array.of(end - 2) },
      });
    expect(encode(cut(102)).length - encode(cut(22)).length).toBe(80);
    expect(through(cut(102)).message(0).payload).toBe('é'.repeat(100));
  });

  it('drop columns that no row uses', () => {
    const none = {
      name: 'n',
      representation: null,
      rows: new Uint32Array(0),
      offsets: null,
      valueType: 3 as const,
      values: new Float64Array(0),
    };
    const batch = new MessageBatch({ length: 1, timestamps: new BigInt64Array(1), fields: [none] });
    expect(through(batch).fields).toEqual([]);
  });

  it('hand out large arrays without a copy', () => {
    const timestamps = new BigInt64Array(100_000);
    const pieces = encodeBatch(new MessageBatch({ length: 100_000, timestamps }));
    expect(pieces.some((piece) => piece.buffer === timestamps.buffer)).toBe(true);
  });
});
