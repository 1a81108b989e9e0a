import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBatch, type BatchParts } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import { takeRows } from '../../../../engine/message/batch/gather.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { byteLengthOf, checkBatch, decodeBatch, encodeBatch, WireError } from '../../../../engine/message/batch/wire.ts';
import { messages } from '../arbitraries.ts';

const encode = (batch: MessageBatch): Uint8Array => new Uint8Array(Buffer.concat(encodeBatch(batch)));
const through = (batch: MessageBatch): MessageBatch => decodeBatch(encode(batch));
const plain = (over: Partial<Message> = {}): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...over });

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

describe('decodeBatch on bytes from anybody', () => {
  /** Throws anything but a WireError on. Walks what was accepted, for it must be safe to walk. */
  const survive = (bytes: Uint8Array): void => {
    try {
      const batch = decodeBatch(bytes);
      let read = 0;
      for (const message of messagesOf(
        takeRows(
          batch,
          Uint32Array.from({ length: Math.min(batch.length, 20) }, (_, i) => i),
        ),
      ))
        read += message.fields.length;
      expect(read).toBeGreaterThanOrEqual(0);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  };

  it('fails only with a WireError when bytes are changed', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), (list, changes) => {
        const bytes = encode(batchOf(list));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        survive(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('fails only with a WireError when words of the head are changed', () => {
    const extreme = fc.constantFrom(0, 1, 2, 7, 8, 255, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff);
    fc.assert(
      fc.property(
        messages(),
        fc.array(fc.tuple(fc.nat(), fc.oneof(extreme, fc.nat(200))), { minLength: 1, maxLength: 4 }),
        (list, changes) => {
          const bytes = encode(batchOf(list));
          const words = new Uint32Array(bytes.buffer);
          for (const [at, value] of changes) words[2 + (at % Math.min(words.length - 2, 90))] = value;
          survive(bytes);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('refuses every cut', () => {
    const bytes = encode(batchOf([plain({ type: 't', payload: 'p', fields: [{ name: 'a', valueType: 0, values: ['x', 'y'] }] }), plain()]));
    for (let length = 0; length < bytes.length; length++) expect(() => decodeBatch(bytes.slice(0, length))).toThrow(WireError);
  });

  it('fails only with a WireError on any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => survive(bytes)));
  });

  it('refuses a batch that claims more than there is, without making it', () => {
    const bytes = encode(batchOf([plain()]));
    for (let word = 2; word < 12; word++) {
      const claimed = bytes.slice();
      new Uint32Array(claimed.buffer)[word] = 0xffff_ffff;
      if (word !== 3 && word !== 11) expect(() => decodeBatch(claimed)).toThrow(WireError);
    }
  });
});

describe('checkBatch', () => {
  const column = (over: object): FieldColumn => ({
    name: 'f',
    representation: null,
    rows: null,
    offsets: null,
    valueType: 3,
    values: Float64Array.of(1, 2),
    ...over,
  });
  const text = (starts: number[], ends: number[], rows: number[] | null = null) => ({
    rows: rows === null ? null : Uint32Array.from(rows),
    text: 'abc',
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  });
  const u32 = (...values: number[]) => Uint32Array.from(values);
  const broken: [string, Partial<BatchParts>, RegExp][] = [
    ['too few timestamps', { timestamps: new BigInt64Array(1) }, /timestamps/],
    ['too few uuids', { uuids: new Uint8Array(16) }, /uuids/],
    ['a value that ends before it starts', { payload: text([2, 0], [1, 3]) }, /payload has a value outside/],
    ['a value behind the text', { type: text([0, 0], [3, 4]) }, /type has a value outside/],
    ['more starts than ends', { logger: text([0, 0], [1]) }, /logger/],
    ['too few values', { hostname: text([0], [1]) }, /hostname has another number/],
    ['rows that repeat', { payload: text([0, 0], [1, 1], [1, 1]) }, /payload has rows that do not ascend/],
    ['rows that descend', { severity: { rows: u32(1, 0), values: Int32Array.of(1, 2) } }, /severity has rows/],
    ['a row too high', { pid: { rows: u32(2), values: Int32Array.of(1) } }, /pid has a row/],
    ['too few integers', { pid: { rows: null, values: Int32Array.of(1) } }, /pid has another number/],
    ['a column without entries', { fields: [column({ rows: u32(), values: new Float64Array(0) })] }, /field column 0 has no entry/],
    ['too many values', { fields: [column({ rows: u32(0) })] }, /field column 0 has another number/],
    ['offsets that do not begin at 0', { fields: [column({ offsets: u32(1, 1, 2) })] }, /offsets/],
    ['offsets that descend', { fields: [column({ offsets: u32(0, 2, 1) })] }, /offsets that do not ascend/],
    ['offsets that end early', { fields: [column({ offsets: u32(0, 1, 1) })] }, /do not end/],
    ['too few offsets', { fields: [column({ offsets: u32(0, 2) })] }, /offsets/],
    ['a strange bool', { fields: [column({ valueType: 4, values: Uint8Array.of(1, 2) })] }, /bool/],
    ['an unknown type', { fields: [column({ valueType: 5 })] }, /unknown value type/],
    [
      'bytes behind the array',
      { fields: [column({ valueType: 1, values: { bytes: new Uint8Array(1), starts: u32(0, 0), ends: u32(1, 2) } })] },
      /outside/,
    ],
  ];

  it.each(broken)('refuses %s', (_, parts, reason) => {
    const batch = new MessageBatch({ length: 2, timestamps: new BigInt64Array(2), ...parts });
    expect(() => checkBatch(batch)).toThrow(WireError);
    expect(() => checkBatch(batch)).toThrow(reason);
  });

  it('accepts every batch that the builder makes', () => {
    fc.assert(fc.property(messages(), (list) => checkBatch(batchOf(list))));
  });
});
