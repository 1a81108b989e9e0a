import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { errorCode, messageOf } from '../base/errors.ts';
import { readRegularFileSync } from '../base/files/regular-file.ts';
import { readList } from './list.ts';
import { LookupError, type Find, type Lookup, type LookupValue } from './lookup.ts';
import { readMmdb } from './mmdb.ts';

/** Kinds of files by the ends of their names, and the most bytes of each. */
const READERS: Readonly<Record<string, { readonly most: number; readonly read: (bytes: Buffer, file: string) => Lookup }>> = {
  '.csv': { most: 256 << 20, read: (bytes, file) => readList(bytes.toString('utf8'), file) },
  '.mmdb': { most: 1 << 30, read: readMmdb },
};

/** Whether a file is a lookup, by the end of its name. */
export const isLookupFile = (name: string): boolean => Object.hasOwn(READERS, extname(name));

/** A lookup as its file has it now: what was made of it follows when the file is read again. */
export class FileLookup implements Lookup {
  readonly #path: string;
  /** The file when it was read, and at the last look. */
  #read: string;
  #seen: string;
  #now: Lookup;
  readonly #columns = new Map<string, { find: Find }>();

  /** @throws {LookupError} */
  constructor(path: string) {
    this.#path = path;
    this.#read = this.#seen = stampOf(path);
    this.#now = readFrom(path);
  }

  get columns(): readonly string[] {
    return this.#now.columns;
  }

  has(key: string): boolean {
    return this.#now.has(key);
  }

  keys(): readonly string[] | null {
    return this.#now.keys();
  }

  column(name: string): Find {
    const column = this.#columns.get(name) ?? { find: this.#now.column(name) };
    this.#columns.set(name, column);
    return (key) => column.find(key);
  }

  /** The value that it has for one key. @throws {LookupError} when it has no such column */
  value(key: string, column: string): LookupValue | null {
    return this.#now.column(column)(key);
  }

  /**
   * Reads its file again when that has changed, and rests from then on until the next look.
   * @returns whether it was read
   * @throws {LookupError} when the file cannot be used: it goes on with what it had
   */
  look(): boolean {
    const stamp = stampOf(this.#path);
    const rests = stamp === this.#seen;
    this.#seen = stamp;
    // A file that is still being written is not whole.
    if (!rests || stamp === this.#read) return false;
    this.#read = stamp;
    const next = readFrom(this.#path);
    const finds = [...this.#columns].map(([name, column]) => [column, next.column(name)] as const);
    this.#now = next;
    for (const [column, find] of finds) column.find = find;
    return true;
  }
}

/** Something that changes when the file at a path does; '': there is none. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function readFrom(path: string): Lookup {
  const { most, read } = READERS[extname(path)] as (typeof READERS)[string];
  try {
    return read(readRegularFileSync(path, most).bytes, path);
  } catch (error) {
    if (error instanceof LookupError) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'it does not exist' : messageOf(error);
    throw new LookupError(`${path} cannot be read: ${why}`, { cause: error });
  }
}
