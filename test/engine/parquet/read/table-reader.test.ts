import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textAt } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { MessageTable } from '../../../../engine/parquet/message-table.ts';
import { ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import { TableReader } from '../../../../engine/parquet/read/table-reader.ts';
import { messages } from '../../message/arbitraries.ts';
import { keptOf } from '../readers.ts';

function fileOf(batches: readonly (readonly Message[])[], { maxColumns = 1000, maxNames = 10_000, uuids = true } = {}): Buffer {
  const table = new MessageTable({ uuids, maxColumns, maxNames });
  for (const list of batches) table.add(batchOf(list));
  return table.file('test').bytes;
}

const read = (file: Buffer): Message[] =>
  [...TableReader.of(file).batches()].flatMap((batch) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));

const everyKind = (count: number): Message[] =>
  Array.from({ length: count }, (_, i): Message => ({
    uuid: new Uint8Array(16).fill(i),
    timestamp: BigInt(i) * 1_000_000_007n,
    payload: i % 7 === 0 ? `zeile ${i} ä` : `line ${i} of many`,
    type: 'same',
    ...(i % 3 === 0 ? {} : { logger: i % 2 === 0 ? 'a' : 'ä' }),
    severity: i % 8,
    fields: [
      { name: 'status', valueType: 2, values: [[200n, 404n, 2n ** 60n][i % 3] as bigint] },
      { name: 'took', valueType: 3, representation: 'ms', values: [i / 7] },
      ...(i % 1000 === 999 ? [{ name: 'rare', valueType: 1 as const, values: [new Uint8Array(i % 300).fill(i)] }] : []),
      { name: 'ok', valueType: 4, values: [i % 5 !== 0] },
      { name: 'tags', valueType: 0, values: Array.from({ length: i % 4 }, (_, k) => `tag${(i + k) % 1000}`) },
      { name: `f${i % 40}`, valueType: 0, values: [`v${i}`] },
    ],
  }));

describe('TableReader', () => {
  it('reads what was written', () => {
    fc.assert(
      fc.property(fc.array(messages(), { maxLength: 4 }), (batches) => {
        expect(read(fileOf(batches)).map(keptOf)).toEqual(batches.flat().map(keptOf));
      }),
      { numRuns: 300 },
    );
  });

  it('reads fields that have no column of their own', () => {
    fc.assert(
      fc.property(fc.array(messages(), { maxLength: 3 }), fc.nat({ max: 3 }), (batches, maxColumns) => {
        expect(read(fileOf(batches, { maxColumns })).map(keptOf)).toEqual(batches.flat().map(keptOf));
      }),
      { numRuns: 200 },
    );
  });

  it('reads fields of so many names that their entries describe themselves', () => {
    fc.assert(
      fc.property(fc.array(messages(), { maxLength: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 4 }), (batches, maxColumns, maxNames) => {
        expect(read(fileOf(batches, { maxColumns, maxNames })).map(keptOf)).toEqual(batches.flat().map(keptOf));
      }),
      { numRuns: 200 },
    );
  });

  it('reads many pages and batches of values of all kinds', () => {
    const list = everyKind(24_000);
    const found = read(fileOf([list.slice(0, 9000), list.slice(9000, 9001), list.slice(9001)], { maxColumns: 20 }));
    for (let at = 0; at < list.length; at += 1000)
      expect(found.slice(at, at + 1000).map(keptOf)).toEqual(list.slice(at, at + 1000).map(keptOf));
  });

  it('reads the records that messages were made of', () => {
    const list = everyKind(5000);
    const records = batchOf(list.map(({ uuid, timestamp }, i) => ({ uuid, timestamp, fields: [], payload: `record ${i} ü` })));
    const table = new MessageTable({ uuids: false });
    table.add(batchOf(list));
    table.add(batchOf(list), records.payload);
    const parts = [...TableReader.of(table.file('test').bytes).parts()];
    const found = parts.flatMap(({ batch, raw }) => Array.from({ length: batch.length }, (_, row) => textAt(raw, row)));
    expect(found.slice(0, 5000)).toEqual(list.map(() => undefined));
    expect(found.slice(5000)).toEqual(list.map((_, i) => `record ${i} ü`));
  });

  it('keeps the order of fields that all messages have alike', () => {
    const list = everyKind(50).map((message) => ({ ...message, fields: message.fields.filter(({ values }) => values.length === 1) }));
    const names = (messages: readonly Message[]): string[][] => messages.map(({ fields }) => fields.map(({ name }) => name));
    expect(names(read(fileOf([list.filter((_, i) => i % 40 === 2)])))).toEqual(names(list.filter((_, i) => i % 40 === 2)));
  });

  it('says of damage that it is damage, and ends', () => {
    const whole = fileOf([everyKind(300)], { uuids: false, maxColumns: 20 });
    const tryRead = (file: Buffer): void => {
      try {
        read(file);
      } catch (error) {
        expect(error).toBeInstanceOf(ParquetError);
      }
    };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (changes, isAtEnd) => {
          const file = Buffer.from(whole);
          // Half of them in the metadata.
          for (const [at, byte] of changes) file[isAtEnd ? whole.length - 9 - (at % 3000) : at] = byte;
          tryRead(file);
        },
      ),
      { numRuns: 400 },
    );
    for (const length of [0, 4, 11, 12, whole.length - 1, 5000]) expect(() => read(whole.subarray(0, length))).toThrow(ParquetError);
  });
});
