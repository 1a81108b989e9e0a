import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { errorCode, messageOf } from '../base/errors.ts';
import { readRegularFileSync } from '../base/files/regular-file.ts';
import { nearOrAll } from '../base/text/suggest.ts';
import { readList } from './list.ts';
import { LookupError, type Lookup } from './lookup.ts';
import { readMmdb } from './mmdb.ts';

/** Kinds of files by the ends of their names, and the most bytes of each. */
const READERS: Readonly<Record<string, { readonly most: number; readonly read: (bytes: Buffer, file: string) => Lookup }>> = {
  '.csv': { most: 256 << 20, read: (bytes, file) => readList(bytes.toString('utf8'), file) },
  '.mmdb': { most: 1 << 30, read: readMmdb },
};

interface Read {
  readonly stamp: string;
  /** An error is kept, too: a broken file is not read again for each key that is pressed. */
  readonly result: Lookup | LookupError;
}

let folder: string | null = null;
const files = new Map<string, Read>();

/** Sets the folder of this process whose files are its lookups; null: it has none. */
export function useLookups(path: string | null): void {
  if (path !== folder) files.clear();
  folder = path;
}

/** The folder with the lookups of this process; null: there is none. */
export const lookupFolder = (): string | null => (folder !== null && existsSync(folder) ? folder : null);

/**
 * The lookup of a name: the file `NAME.csv` or `NAME.mmdb`, which is read when it is first asked for, and again when it has changed.
 * @throws {LookupError}
 */
export function lookupNamed(name: string): Lookup {
  if (folder === null) throw new LookupError('no folder of lookups is given: commands have the option --lookups DIR');
  const there = filesIn(folder);
  const [found, other] = there.filter((file) => nameOf(file) === name);
  if (found === undefined) throw new LookupError(unknown(name, there.map(nameOf), folder));
  if (other !== undefined) throw new LookupError(`${found} and ${other} in ${folder} have the same name`);
  const { result } = read(join(folder, found));
  if (result instanceof LookupError) throw result;
  return result;
}

const nameOf = (file: string): string => file.slice(0, -extname(file).length);

function unknown(name: string, names: readonly string[], where: string): string {
  const known = names.length === 0 ? 'it has no files .csv and .mmdb' : nearOrAll(name, names);
  return `there is no lookup ${name} in ${where}: ${known}`;
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((file) => Object.hasOwn(READERS, extname(file)))
      .sort();
  } catch (error) {
    const why = errorCode(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    throw new LookupError(`the lookups in ${path} cannot be read: ${why}`, { cause: error });
  }
}

function read(path: string): Read {
  const stamp = stampOf(path);
  const known = files.get(path);
  if (known?.stamp === stamp) return known;
  const now = { stamp, result: readFrom(path) };
  files.set(path, now);
  return now;
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function readFrom(path: string): Lookup | LookupError {
  const { most, read: reader } = READERS[extname(path)] as (typeof READERS)[string];
  try {
    return reader(readRegularFileSync(path, most).bytes, path);
  } catch (error) {
    return error instanceof LookupError ? error : new LookupError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
