import { readdir, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** The files in the folder of `path` that pass `filter` by their path; none when the folder cannot be read. */
async function siblings(path: string, filter: (path: string) => boolean): Promise<Sibling[]> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => [] as string[]);
  const found: Sibling[] = [];
  for (const name of names.slice(0, MAX_SIBLINGS)) {
    const candidate = join(directory, name);
    if (!filter(candidate)) continue;
    const info = await stat(candidate, { bigint: true }).catch(() => null);
    if (info?.isFile()) found.push({ path: candidate, key: fileKey(info), stat: info });
  }
  return found;
}

/** The file with this key in the folder of `path`, under whatever name. */
export async function findByKey(path: string, key: string): Promise<Sibling | null> {
  const family = await siblings(path, (candidate) => sameFamily(path, candidate));
  const found = family.find((sibling) => sibling.key === key) ?? (await siblings(path, () => true)).find((sibling) => sibling.key === key);
  return found ?? null;
}

/** The other files of the same log, newest first. */
export async function familyOf(path: string): Promise<Sibling[]> {
  const found = await siblings(path, (candidate) => candidate !== path && sameFamily(path, candidate));
  return found.sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

/**
 * The files of the log at `path` that were rotated away later than `old` (and in the same manner), oldest first: between two looks a log
 * can be rotated more than once.
 */
export async function rotatedAfter(path: string, old: Sibling): Promise<Sibling[]> {
  if (old.path === path || !sameFamily(path, old.path)) return [];
  const family = await familyOf(path);
  return family
    .filter((sibling) => sibling.key !== old.key && manner(sibling.path) === manner(old.path) && isNewer(sibling, old))
    .reverse();
}

/** The name of a rotated file without the part that changes from one rotation to the next. */
function manner(path: string): string {
  return basename(path).replace(COMPRESSED, '').replaceAll(/\d+/g, '0');
}

/** Whether a name says that its file was rotated away, or packed. */
export function isRotatedName(path: string): boolean {
  return parseName(path).family !== basename(path);
}

/** By the numbers or dates in their names, if both have them, else by the time of the last change. */
function isNewer(a: Sibling, b: Sibling): boolean {
  const nameA = parseName(a.path);
  const nameB = parseName(b.path);
  if (nameA.date !== null && nameB.date !== null && nameA.date !== nameB.date) return nameA.date > nameB.date;
  if (nameA.number !== null && nameB.number !== null && nameA.number !== nameB.number) return nameA.number < nameB.number;
  return a.stat.mtimeNs > b.stat.mtimeNs;
}
