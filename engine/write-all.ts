import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes to a file from a position on. @throws the errors of the file system, and when it takes nothing more without one */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error('the system takes nothing more');
    at += bytesWritten;
  }
}
