import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { MessageTable } from '../../../../engine/parquet/message-table.ts';
import { checkPages } from '../../../../engine/parquet/read/check-pages.ts';
import { ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import { TableReader } from '../../../../engine/parquet/read/table-reader.ts';

const ROWS = 300;

function tableFile(): Buffer {
  const table = new MessageTable({ uuids: true });
  const messages = Array.from({ length: ROWS }, (_, i) => ({
    uuid: new Uint8Array(16).fill(i),
    timestamp: BigInt(i),
    fields: [
      { name: 'text', valueType: 0 as const, values: [`value ${i} `.repeat(20)] },
      { name: 'kind', valueType: 0 as const, values: [`kind ${i % 3}`] },
      { name: 'list', valueType: 2 as const, values: [BigInt(i), 2n] },
    ],
  }));
  table.add(batchOf(messages));
  return table.file('test').bytes;
}

/** The byte behind the pages: there the metadata begin. */
const endOfPages = (file: Buffer): number => file.length - 8 - file.readUInt32LE(file.length - 8);

describe('the checksums of pages', () => {
  const file = tableFile();

  it('are those of the pages', () => {
    expect(checkPages(file)).toBe(true);
    expect(checkPages(new MessageTable({ uuids: false }).file('test').bytes)).toBe(true);
  });

  it('find every byte that is another one, also where values are read', () => {
    const missed: number[] = [];
    for (let at = 4; at < endOfPages(file); at++) if (isWhole(withOther(file, at))) missed.push(at);
    // Left are numbers of values in dictionaries and types of fields, in headers of pages: two or three bytes of each of the 13 columns.
    expect(missed.length).toBeLessThan(3 * 13);
    expect(() => [...TableReader.of(withOther(file, endOfPages(file) >> 1)).batches()]).toThrow(ParquetError);
  });
});

function withOther(file: Buffer, at: number): Buffer {
  const damaged = Buffer.from(file);
  damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
  return damaged;
}

/** A page that says nothing of a checksum is no whole one either: its values are read. */
function isWhole(file: Buffer): boolean {
  try {
    return checkPages(file);
  } catch (error) {
    if (error instanceof ParquetError) return false;
    throw error;
  }
}
