import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { errorCode, messageOf } from '../base/errors.ts';
import { nearOrAll } from '../base/text/suggest.ts';
import { FileLookup, isLookupFile, stampOf } from './file.ts';
import { LookupError } from './lookup.ts';

/** Milliseconds between two looks at the files that are used: one that has changed is read when it was the same twice. */
const LOOK_MS = 500;

/** A file that cannot be used is not read again for each key that is pressed. */
interface Broken {
  readonly stamp: string;
  readonly error: LookupError;
}

/** News of a lookup whose file has changed. */
export interface LookupNews {
  readonly level: 'info' | 'warning';
  readonly code: 'lookup.read' | 'lookup.unusable';
  readonly text: string;
}

let folder: string | null = null;
let version = 0;
let watch: NodeJS.Timeout | undefined;
const used = new Map<string, FileLookup | Broken>();
const listeners = new Set<(news: LookupNews) => void>();

/** Sets the folder of this process whose files are its lookups; null: it has none. */
export function useLookups(path: string | null): void {
  if (path === folder) return;
  used.clear();
  clearInterval(watch);
  watch = undefined;
  folder = path;
  version++;
}

/** The folder with the lookups of this process; null: there is none. */
export const lookupFolder = (): string | null => (folder !== null && existsSync(folder) ? folder : null);

/** A number that is another one when what lookups have may have changed. */
export const lookupVersion = (): number => version;

/** Tells when files that are used have changed. Disposing of what it returns ends that. */
export function onLookupNews(listener: (news: LookupNews) => void): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

/** Names of the lookups that there are. */
export function lookupNames(): string[] {
  return folder === null || !existsSync(folder) ? [] : filesIn(folder).map(nameOf);
}

/**
 * The lookup of a name: the file `NAME.csv` or `NAME.mmdb`, which is read when it is first asked for, and from then on whenever it changes.
 * @throws {LookupError}
 */
export function lookupNamed(name: string): FileLookup {
  if (folder === null)
    throw new LookupError(`there is no lookup ${name}, for no folder of lookups is given`, {
      instead: 'commands have the option --lookups DIR',
    });
  const known = used.get(name);
  if (known instanceof FileLookup) return known;
  const there = filesIn(folder);
  const [found, other] = there.filter((file) => nameOf(file) === name);
  if (found === undefined) throw unknown(name, there.map(nameOf), folder);
  if (other !== undefined) throw new LookupError(`${found} and ${other} in ${folder} have the same name`);
  const path = join(folder, found);
  const stamp = stampOf(path);
  if (known?.stamp === stamp) throw known.error;
  return firstRead(name, path, stamp);
}

function firstRead(name: string, path: string, stamp: string): FileLookup {
  try {
    const lookup = new FileLookup(path);
    used.set(name, lookup);
    watch ??= setInterval(lookAtLookups, LOOK_MS).unref();
    return lookup;
  } catch (error) {
    if (error instanceof LookupError) used.set(name, { stamp, error });
    throw error;
  }
}

/** Reads the files again that have changed, and rest since the last look. */
export function lookAtLookups(): void {
  for (const [name, lookup] of used) {
    if (!(lookup instanceof FileLookup)) continue;
    try {
      if (lookup.look()) tell({ level: 'info', code: 'lookup.read', text: `Lookup ${name} has changed, and was read again.` });
    } catch (error) {
      const text = `Lookup ${name} has changed, and goes on with what it had: ${messageOf(error)}`;
      tell({ level: 'warning', code: 'lookup.unusable', text });
    }
  }
}

function tell(news: LookupNews): void {
  if (news.code === 'lookup.read') version++;
  for (const listener of listeners) listener(news);
}

const nameOf = (file: string): string => file.slice(0, -extname(file).length);

function unknown(name: string, names: readonly string[], where: string): LookupError {
  const instead = names.length === 0 ? 'it has no files .csv and .mmdb' : nearOrAll(name, names);
  return new LookupError(`there is no lookup ${name} in ${where}`, { instead });
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path).filter(isLookupFile).sort();
  } catch (error) {
    const why = errorCode(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    throw new LookupError(`the lookups in ${path} cannot be read: ${why}`, { cause: error });
  }
}
