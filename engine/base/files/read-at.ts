import type { FileHandle } from 'node:fs/promises';

/** Reads so many bytes of a file from a position on; fewer where the file ends before. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let have = 0;
  while (have < length) {
    const { bytesRead } = await handle.read(bytes, have, length - have, position + have);
    if (bytesRead === 0) break;
    have += bytesRead;
  }
  return bytes.subarray(0, have);
}
