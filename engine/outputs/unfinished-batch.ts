import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { findByKey } from '../inputs/file/rotation.ts';
import { readAt } from '../base/files/read-at.ts';
import { writeAll } from '../base/files/write-all.ts';
import type { JournalBatch } from './write-journal.ts';

/**
 * Completes the batch that a process was appending to a file when it was killed, also if the file was renamed in its folder since. What is in the file behind
 * the batch's beginning has to be the batch's own; otherwise nothing is touched.
 * @returns whether all of the batch is in the file
 */
export async function completeBatch(batch: JournalBatch): Promise<boolean> {
  const { path, device, inode } = batch;
  const result = await completeAt(path, batch, 0);
  if (result !== 'another') return result;
  // Numbers of files come again: one of another name is the batch's only if some of the batch is in it. Without that nothing is torn.
  const renamed = await findByKey(path, `${device}:${inode}`);
  return renamed !== null && (await completeAt(renamed.path, batch, 1)) === true;
}

/** @param least bytes of the batch that have to be there */
async function completeAt(path: string, { device, inode, at, bytes }: JournalBatch, least: number): Promise<boolean | 'another'> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDWR);
  } catch {
    return 'another';
  }
  try {
    const { dev, ino, size } = await handle.stat({ bigint: true });
    if (String(dev) !== device || String(ino) !== inode) return 'another';
    if (size < at + least) return false;
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
    await writeAll(handle, bytes.subarray(from), at + from);
    return true;
  } catch {
    await handle.truncate(at);
    return false;
  }
}
