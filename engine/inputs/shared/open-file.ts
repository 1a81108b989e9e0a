import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { directoryProblem, specialFileProblem } from '../notices.ts';

/**
 * Opens a file for reading. To open a pipe would wait for its writer, and hold a thread for as long; to open a device may do something. So it is looked at
 * before, and opened without waiting in case that it is another one by then.
 * @throws {InputError} for what is no file; other errors are those of the system
 */
export async function openFile(path: string): Promise<FileHandle> {
  checkFile(path, await stat(path));
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkFile(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @throws {InputError} when it is a folder, a pipe, a socket or a device */
export function checkFile(path: string, info: { isFile(): boolean; isDirectory(): boolean }): void {
  if (info.isDirectory()) throw directoryProblem(path);
  if (!info.isFile()) throw specialFileProblem(path);
}
