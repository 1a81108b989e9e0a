import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBatch, type BatchParts } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../engine/message/batch/columns.ts';
import { checkBatch, WireError } from '../../../engine/message/batch/wire.ts';
import { messages } from './arbitraries.ts';

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
