import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../base/errors.ts';
import { makeFolder } from '../base/files/folders.ts';

/** Time after which a pipe that is full is looked at again. */
const FULL_MS = 10;
/** Not on every system. A file takes no notice of it; a pipe without a reader answers ENXIO instead of holding a thread until one comes. */
const NO_WAITING = constants.O_NONBLOCK ?? 0;

/**
 * Opens a file for appending, or a pipe that is read. Both are made when they are missing, as a file.
 * @throws the errors of the file system; `ENXIO` for a pipe that nobody reads
 */
export async function openTarget(path: string, modes: { readonly perm: number; readonly folderPerm: number }): Promise<FileHandle> {
  await makeFolder(dirname(path), modes.folderPerm);
  return open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_WAITING, modes.perm);
}

/** Whether a pipe could not be opened because nobody reads it. @param error of `openTarget` */
export async function isUnread(path: string, error: unknown): Promise<boolean> {
  if (errorCode(error) !== 'ENXIO') return false;
  const info = await stat(path).catch(() => null);
  return info?.isFIFO() === true;
}

/**
 * Writes all bytes to the end of a file, or to a pipe, and waits while that is full.
 * @param signal aborted when the wait is to end
 * @throws the errors of the system, and when the wait was ended; what was written of the bytes stays in the pipe
 */
export async function writeToTarget(handle: FileHandle, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    try {
      at += (await handle.write(bytes, at, bytes.length - at, null)).bytesWritten;
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      if (signal?.aborted === true) throw new Error('it is full, and what should read it does not', { cause: error });
      await delay(FULL_MS);
    }
  }
}
