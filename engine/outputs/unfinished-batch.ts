import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { readAt } from '../read-at.ts';
import type { JournalBatch } from './write-journal.ts';

/**
 * Completes the batch that a process was appending to a file when it was killed. What is in the file behind the batch's beginning has to be the
 * batch's own; otherwise nothing is touched.
 * @returns whether all of the batch is in the file
 */
export async function completeBatch({ path, device, inode, at, bytes }: JournalBatch): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDWR);
  } catch {
    return false;
  }
  try {
    const { dev, ino, size } = await handle.stat({ bigint: true });
    if (String(dev) !== device || String(ino) !== inode || size < at) return false;
    const written = await readAt(handle, at, bytes.length);
    if (!written.equals(bytes.subarray(0, written.length))) return false;
    return await writeRest(handle, at, bytes, written.length);
  } finally {
    await handle.close();
  }
}

/** Writes the rest of a batch; when that cannot be, nothing of the batch stays. */
async function writeRest(handle: FileHandle, at: number, bytes: Uint8Array, from: number): Promise<boolean> {
  try {
    for (let done = from; done < bytes.length;) done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    return true;
  } catch {
    await handle.truncate(at);
    return false;
  }
}
