import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError, messageOf } from '../errors.ts';

/** The file below a folder that the service at work there keeps locked. */
const LOCK = 'service.lock';
/** Two services that start at once: one of them waits for the other's decision. */
const PATIENCE_MS = 250;
/** SQLite's code for a lock that somebody else holds. */
const BUSY = 5;
/** Where SQLite keeps `user_version`, a number of the application's own, in the head of a file. */
const USER_VERSION_AT = 60;

/**
 * Keeps other services out of a folder: two at once would overwrite each other's checkpoints, queues and preserved state. The lock is one of the operating
 * system, taken through SQLite. It ends with the process however that ends, so none is ever left behind, and process numbers that come
 * again mean nothing. Returns what lets go of it.
 * @param warn hears why the folder cannot be locked, where the file system knows no locks; then nobody is kept out
 * @throws {EngineError} `service.running` when another service works there
 */
export function claimFolder(folder: string, warn: (text: string) => void): () => void {
  const path = join(folder, LOCK);
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(path, { timeout: PATIENCE_MS });
    database.exec(
      `PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;
       BEGIN EXCLUSIVE; PRAGMA user_version=${process.pid}; COMMIT`,
    );
    const held = database;
    return () => held.close();
  } catch (error) {
    database?.close();
    if (!isBusy(error)) {
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

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === BUSY;

/** Its number stands in the file, which may be read though it is locked. */
function nameOf(path: string): string {
  try {
    const pid = readFileSync(path).readUInt32BE(USER_VERSION_AT);
    return pid === 0 ? 'another service' : `another service (process ${pid})`;
  } catch {
    return 'another service';
  }
}
