import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readRegularFileSync } from '../base/files/regular-file.ts';
import { makeFolderSync } from '../base/files/folders.ts';
import { EngineError, messageOf } from '../base/errors.ts';

/** File in a folder that the service working there keeps locked. */
export const LOCK = 'service.lock';
/** Milliseconds to wait for the lock when two services start at once. */
const PATIENCE_MS = 250;
/** SQLite's result code for a lock held by another connection. */
const BUSY = 5;
/** SQLite's result code for a file that is no database. */
const NO_DATABASE = 26;
/** Offset of `user_version`, a number for the application's use, in the header of an SQLite file. */
const USER_VERSION_AT = 60;

/**
 * Keeps other services out of a folder: two at once would overwrite each other's checkpoints, queues and preserved state. It takes a
 * lock of the operating system through SQLite. The lock ends with the process in every case, so none is left behind, and reused process
 * numbers do no harm. Returns a function that releases the lock.
 * @param warn called with the reason when the file system has no locks; other services are then not kept out
 * @throws {EngineError} `service.running` when another service works there
 */
export function claimFolder(folder: string, warn: (text: string) => void): () => void {
  const path = join(folder, LOCK);
  try {
    makeFolderSync(folder, 0o700);
    const held = lockedAnew(path);
    return () => held.close();
  } catch (error) {
    if (!hasCode(error, BUSY)) {
      warn(`base_dir ${folder} cannot be locked, so other services are not kept out of it: ${messageOf(error)}`);
      return () => undefined;
    }
    throw new EngineError(
      'service.running',
      `${nameOf(path)} works in base_dir ${folder}. Stop it first, or give this one a base_dir of its own.`,
      { cause: error },
    );
  }
}

/** Locks the file; a damaged one, which nobody can have locked, is made anew. */
function lockedAnew(path: string): DatabaseSync {
  try {
    return locked(path);
  } catch (error) {
    if (!hasCode(error, NO_DATABASE)) throw error;
    rmSync(path);
    return locked(path);
  }
}

function locked(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: PATIENCE_MS });
  try {
    database.exec(
      `PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;
       BEGIN EXCLUSIVE; PRAGMA user_version=${process.pid}; COMMIT`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Bytes of a lock file. */
const MOST_BYTES = 1 << 20;

const hasCode = (error: unknown, code: number): boolean => error instanceof Error && 'errcode' in error && error.errcode === code;

/** Names the service that holds the lock, by the process number in the file. A locked file can still be read. */
function nameOf(path: string): string {
  try {
    const pid = readRegularFileSync(path, MOST_BYTES).bytes.readUInt32BE(USER_VERSION_AT);
    return pid === 0 ? 'another service' : `another service (process ${pid})`;
  } catch {
    return 'another service';
  }
}
