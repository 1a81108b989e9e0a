import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTextSync } from '../../engine/base/files/regular-file.ts';
import { makeFolderSync } from '../../engine/base/files/folders.ts';
import { complain } from './terminal.ts';

/** A small JSON object on disk, written atomically. A file that cannot be read counts as absent, since it holds no data of the user. */
export class StateFile<T extends object> {
  readonly #path: string;
  #value: T;

  constructor(path: string, fallback: T) {
    this.#path = path;
    this.#value = { ...fallback, ...read<T>(path) };
  }

  get value(): T {
    return this.#value;
  }

  /** Writes the value. On a full disk the old one stays in the file: the window goes on without it. */
  save(value: T): void {
    this.#value = value;
    // A new file with a random name: nobody can have put a link in its place.
    const draft = `${this.#path}.${randomBytes(8).toString('hex')}.new`;
    try {
      makeFolderSync(dirname(this.#path));
      writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#path);
    } catch (error) {
      removeDraft(draft);
      complain(`${this.#path} was not written, what it held before stays: ${String(error)}`);
    }
  }
}

function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // There is none, or the disk is away.
  }
}

/** Bytes of a file that is read. */
const MOST_BYTES = 8 << 20;

function read<T>(path: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(readTextSync(path, MOST_BYTES));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
