import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const MAGIC = 'PAR1';

/** The CRC-32 of the end of a Parquet file: its metadata, their length and the magic number. @throws {Error} when the bytes are no whole file */
export function endCrcOf(bytes: Buffer): number {
  if (bytes.length < 12 || bytes.toString('latin1', bytes.length - 4) !== MAGIC) throw new Error('it does not end as a Parquet file');
  const length = bytes.readUInt32LE(bytes.length - 8);
  if (length > bytes.length - 12) throw new Error('its metadata are cut');
  return crc32(bytes.subarray(bytes.length - 8 - length));
}

/** Says what is wrong with a file of a store; null: nothing that its size and its end tell. */
export async function damageOf(
  path: string,
  { bytes, endCrc }: { readonly bytes: number; readonly endCrc: number },
): Promise<string | null> {
  try {
    await using handle = await open(path);
    const { size } = await handle.stat();
    if (size !== bytes) return `it has ${size} bytes instead of ${bytes}`;
    const foot = await readEnd(handle, size, 8);
    const end = await readEnd(handle, size, Math.min(size, foot.readUInt32LE(0) + 12));
    return endCrcOf(end) === endCrc ? null : 'its metadata are not those that were written';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function readEnd(handle: Awaited<ReturnType<typeof open>>, size: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, size - length);
  return buffer.subarray(0, bytesRead);
}
