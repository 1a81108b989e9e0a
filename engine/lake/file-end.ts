import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openRegularSync } from '../base/files/regular-file.ts';
import { messageOf } from '../base/errors.ts';

const MAGIC = 'PAR1';
/** Bytes of a file of a store that is read: the largest that are written have a hundred MiB. */
export const MOST_FILE_BYTES = 1 << 30;
/** Bytes of the metadata of a file. */
const MOST_END_BYTES = 64 << 20;

/** The CRC-32 of the end of a Parquet file: its metadata, their length and the magic number. @throws {Error} when the bytes are no whole file */
export function endCrcOf(bytes: Buffer): number {
  if (bytes.length < 12 || bytes.toString('latin1', bytes.length - 4) !== MAGIC) throw new Error('it does not end as a Parquet file');
  const length = bytes.readUInt32LE(bytes.length - 8);
  if (length > bytes.length - 12) throw new Error('its metadata are cut');
  return crc32(bytes.subarray(bytes.length - 8 - length));
}

/** Says what is wrong with a file of a store; null: nothing that its size and its end tell. */
export function damageOf(path: string, { bytes, endCrc }: { readonly bytes: number; readonly endCrc: number }): string | null {
  try {
    if (lstatSync(path).isSymbolicLink()) return 'it is a link, which could lead anywhere';
    const file = openRegularSync(path);
    try {
      const { size } = fstatSync(file);
      if (size !== bytes) return `it has ${size} bytes instead of ${bytes}`;
      const foot = readEnd(file, size, 8);
      const length = Math.min(size, foot.readUInt32LE(0) + 12);
      if (length > MOST_END_BYTES) return 'its metadata are too large';
      const end = readEnd(file, size, length);
      return endCrcOf(end) === endCrc ? null : 'its metadata are not those that were written';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return messageOf(error);
  }
}

function readEnd(file: number, size: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, size - length));
}
