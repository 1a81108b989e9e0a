import { readdir, stat, type FileHandle } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileProblem, isPassing } from '../notices.ts';
import { openFile } from '../shared/open-file.ts';
import { errorCode, isServerAway } from '../../base/errors.ts';
import { fileKey } from './tail.ts';

const COMPRESSED = /\.(?:gz|zst|bz2|xz|lz4|Z)$/;
/** `.1`, `-20260110`, `_2026-01-10T05`, `.1767225600`, `.old` … at the end of a name, or before its extension. */
const SUFFIX = /[._-](?:(\d{1,4})|(\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d(?:[:-]?\d\d){0,2})?|\d{9,14})|old|bak|prev|orig)(?=$|\.[a-z]{1,5}$)/;

/** The parts of a name: the one that all rotated files of one log share, and those that give its place in the rotation. */
interface RotatedName {
  readonly family: string;
  /** Number of the rotation: the lower, the newer. Null when there is none. */
  readonly number: number | null;
  /** Date in the name: the greater, the newer. */
  readonly date: string | null;
}

function parseName(path: string): RotatedName {
  let family = basename(path).replace(COMPRESSED, '');
  let number: number | null = null;
  let date: string | null = null;
  for (let match = SUFFIX.exec(family); match !== null; match = SUFFIX.exec(family)) {
    if (match.index === 0) break;
    if (match[1] !== undefined) number ??= Number(match[1]);
    date ??= match[2] ?? null;
    family = family.slice(0, match.index) + family.slice(match.index + match[0].length);
  }
  return { family, number, date };
}

/** Whether two files can be one log at different times, by folder and name: `app.log`, `app.log.1`, `app.log-20260110.gz`, `app.2.log`. */
export function sameFamily(a: string, b: string): boolean {
  return dirname(a) === dirname(b) && parseName(a).family === parseName(b).family;
}

/** A file of a folder. */
export interface Sibling {
  readonly path: string;
  readonly key: string;
  readonly stat: BigIntStats;
}

const MAX_SIBLINGS = 10_000;
/** Looks at a folder, as long as there are names that were not there before. */
const MAX_LOOKS = 4;
/** Times that a file is looked for that has another name whenever it is opened. */
const MAX_SEARCHES = 8;

/**
 * The files in the folder of `path` that pass `filter` by their path; none when the folder cannot be read. Files that are renamed meanwhile are found
 * all the same: names are looked at in the order of their numbers, in which rotation moves the files, and those that are new by then are looked at as well.
 */
async function* siblings(
  path: string,
  filter: (path: string) => boolean,
  onFailed: (error: unknown) => void = () => undefined,
): AsyncGenerator<Sibling, void, undefined> {
  const failed = (error: unknown): null => {
    onFailed(error);
    return null;
  };
  const directory = dirname(path);
  const looked = new Set<string>();
  for (let look = 0; look < MAX_LOOKS; look++) {
    const names = (await readdir(directory).catch(failed)) ?? [];
    const candidates = names.slice(0, MAX_SIBLINGS).filter((name) => !looked.has(name) && filter(join(directory, name)));
    if (candidates.length === 0) return;
    for (const name of byNumber(candidates, parseName(path).number ?? 0)) {
      looked.add(name);
      const candidate = join(directory, name);
      const info = await stat(candidate, { bigint: true }).catch(failed);
      if (info?.isFile() === true) yield { path: candidate, key: fileKey(info), stat: info };
    }
  }
}

/** Names from a number on, which is where rotation moves the file of that number, and then the others. */
function byNumber(names: readonly string[], from: number): string[] {
  const numbered = names.map((name) => ({ name, number: parseName(name).number ?? 0 }));
  const rank = (number: number): number => (number < from ? number + 1e6 : number);
  return numbered.sort((a, b) => rank(a.number) - rank(b.number)).map(({ name }) => name);
}

/** The file with this key in the folder of `path`, under whatever name; null: it is gone. Throws the error of a file that may be it, when its disk is away. */
export async function findByKey(path: string, key: string): Promise<Sibling | null> {
  const away: unknown[] = [];
  const failed = (error: unknown): void => void (isPassing(fileProblem(path, error)) && away.push(error));
  for (const filter of [(candidate: string) => sameFamily(path, candidate), (candidate: string) => !sameFamily(path, candidate)]) {
    for await (const sibling of siblings(path, filter, failed)) if (sibling.key === key) return sibling;
  }
  if (away.length > 0) throw away[0];
  return null;
}

/** Opens the file with this key, which was at `path` and may be renamed meanwhile, also again and again. null: it is gone. Throws errors of `open`. */
export async function openByKey(path: string, key: string): Promise<FileHandle | null> {
  const same = await openIfSame(path, key);
  if (same !== null) return same;
  for (let search = 0; search < MAX_SEARCHES; search++) {
    const moved = await findByKey(path, key);
    if (moved === null) return null;
    const handle = await openIfSame(moved.path, key);
    if (handle !== null) return handle;
  }
  return null;
}

async function openIfSame(path: string, key: string): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await openFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  let isSame = false;
  try {
    isSame = fileKey(await handle.stat({ bigint: true })) === key;
    return isSame ? handle : null;
  } finally {
    if (!isSame) await handle.close();
  }
}

/** The other files of the same log, newest first. Throws when their server is away. A file that is met under two names was renamed meanwhile: then numbers of different times are beside each other, and it is looked again. */
export async function familyOf(path: string): Promise<Sibling[]> {
  for (let look = 1; ; look++) {
    const found = new Map<string, Sibling>();
    let isRenamed = false;
    const isOther = (candidate: string): boolean => candidate !== path && sameFamily(path, candidate);
    for await (const sibling of siblings(path, isOther, throwIfAway)) {
      if (found.has(sibling.key)) isRenamed = true;
      else found.set(sibling.key, sibling);
    }
    if (!isRenamed || look === MAX_LOOKS) return [...found.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1));
  }
}

function throwIfAway(error: unknown): void {
  if (isServerAway(error)) throw error;
}

/** The files of the log at `path` that were rotated away before the file of the key `current`, newest first: it may have been rotated away itself by now. */
export async function rotatedBefore(path: string, current: string | null): Promise<Sibling[]> {
  const family = await familyOf(path);
  return family.slice(family.findIndex(({ key }) => key === current) + 1);
}

/**
 * The files of the log at `path` that were rotated away later than `old` (and in the same manner) and before the file of the key `current`, oldest
 * first: between two looks a log can be rotated more than once.
 */
export async function rotatedBetween(path: string, old: Sibling, current: string | null): Promise<Sibling[]> {
  if (old.path === path || !sameFamily(path, old.path)) return [];
  const before = await rotatedBefore(path, current);
  // By its place now: since it was found it may have been renamed.
  const place = before.findIndex(({ key }) => key === old.key);
  const newer = place < 0 ? before.filter((sibling) => isNewer(sibling, old)) : before.slice(0, place);
  return newer.filter((sibling) => manner(sibling.path) === manner(old.path)).reverse();
}

/** Whether there is a packed file of a log that has the time of a file that is gone, as programs that pack a file give it. */
export async function wasPacked({ path, modifiedNs }: { readonly path: string; readonly modifiedNs: bigint }): Promise<boolean> {
  const second = (time: bigint): bigint => time / 1_000_000_000n;
  const family = await familyOf(path);
  return family.some(({ path: other, stat: { mtimeNs } }) => COMPRESSED.test(other) && second(mtimeNs) === second(modifiedNs));
}

/** The name of a rotated file without the part that changes from one rotation to the next. */
function manner(path: string): string {
  return basename(path).replace(COMPRESSED, '').replaceAll(/\d+/g, '0');
}

/** Whether a name says that its file is packed. */
export const isPackedName = (path: string): boolean => COMPRESSED.test(path);

/** Whether a name says that its file was rotated away, or packed. */
export function isRotatedName(path: string): boolean {
  return parseName(path).family !== basename(path);
}

/** Whether a rotated file is newer than another one of its log: by the numbers or dates in their names, if both have them, else by the time of the last change. */
export function isNewer(a: Sibling, b: Sibling): boolean {
  const nameA = parseName(a.path);
  const nameB = parseName(b.path);
  if (nameA.date !== null && nameB.date !== null && nameA.date !== nameB.date) return nameA.date > nameB.date;
  if (nameA.number !== null && nameB.number !== null && nameA.number !== nameB.number) return nameA.number < nameB.number;
  return a.stat.mtimeNs > b.stat.mtimeNs;
}
