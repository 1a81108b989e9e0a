import { rm, stat, writeFile } from 'node:fs/promises';
import { readText } from '../base/files/regular-file.ts';
import { EngineError, errorCode, messageOf } from '../base/errors.ts';

/**
 * Writes the number of this process into a file, unless the file names another process that lives. Returns a function that removes the file.
 * @throws {EngineError} `service.running`, `service.pid-file`
 */
export async function claimPidFile(path: string): Promise<() => Promise<void>> {
  const other = await pidIn(path);
  if (other !== null && other !== process.pid && isAlive(other))
    throw new EngineError('service.running', `${path} names process ${other}, which is running. Stop it first, or remove the file.`);
  // A pipe would be waited for, and a device would take it.
  if ((await stat(path).catch(() => null))?.isFile() === false)
    throw new EngineError('service.pid-file', `the pid_file cannot be written: ${path} is there and is not a regular file`);
  try {
    await writeFile(path, `${process.pid}\n`);
  } catch (error) {
    throw new EngineError('service.pid-file', `the pid_file cannot be written: ${messageOf(error)}`, { cause: error });
  }
  return async () => {
    if ((await pidIn(path)) === process.pid) await rm(path, { force: true });
  };
}

/** Bytes of a file that names a process. */
const MOST_BYTES = 4096;

async function pidIn(path: string): Promise<number | null> {
  const text = await readText(path, MOST_BYTES).catch(() => '');
  return /^\s*[1-9]\d{0,9}\s*$/.test(text) ? Number(text) : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}
