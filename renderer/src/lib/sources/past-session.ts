import type { FileLook, FilePlace } from '../../../../engine/api/types.ts';
import { isFilter, NO_FILTER, type Filter } from '../filter/filter.ts';
import { isArrayOf, isNumber, isShape, isString, orNull, readSaved, type TextStore } from './saved.ts';

/** Files that were open in the window, and the view of them. */
export interface PastSession {
  /** Paths of the files, in the order in which they were opened. */
  readonly files: readonly string[];
  readonly filter: Filter;
  /** Paths of the files that the filter names, in place of the numbers of their sources. */
  readonly only: readonly string[];
  /** The first row on the screen, and its time; null: the table followed the end. */
  readonly place: Place | null;
  /** The same of a second place in the records; absent: there is none. */
  readonly second?: { readonly place: Place | null } | undefined;
  /** The range that the graphs were zoomed to, and milliseconds up to the end of their data. */
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly last: number | null;
}

export interface Place {
  readonly row: number;
  readonly time: number;
}

/** The key under which it is saved. */
export const SESSION = 'session';

const isPlace = orNull(isShape<Place>({ row: isNumber, time: isNumber }));
const isSecond = isShape<{ place: Place | null }>({ place: isPlace });

/** Whether a value has the form of a session. */
export const isPast = isShape<PastSession>({
  files: isArrayOf(isString),
  filter: isFilter,
  only: isArrayOf(isString),
  place: isPlace,
  second: (value): value is PastSession['second'] => value === undefined || isSecond(value),
  range: orNull(isShape<{ from: number; to: number }>({ from: isNumber, to: isNumber })),
  last: orNull(isNumber),
});

/** The session that was saved; null: nothing was open. */
export function readPast(store: TextStore): PastSession | null {
  const past = readSaved<PastSession | null>(store, SESSION, null, orNull(isPast));
  return past === null || past.files.length === 0 ? null : past;
}

/** The filter that a window begins with: the saved one, unless it belongs to files that are not open. */
export function firstFilter(store: TextStore): Filter {
  if (readPast(store) !== null) return NO_FILTER;
  return { ...readSaved(store, 'filter', NO_FILTER, isFilter), sources: [], after: null };
}

/** The files that are in another place than they were. */
export function movedOf(files: readonly FileLook[]): FilePlace[] {
  return files.flatMap(({ path, place }) => (place === null || place === path ? [] : [{ path, place }]));
}

/** The session with its files where they are now, without those that are not there. */
export function movedSession(past: PastSession, files: readonly FileLook[]): PastSession {
  const places = new Map(files.map(({ path, place }) => [path, place]));
  const there = (paths: readonly string[]): string[] => paths.flatMap((path) => places.get(path) ?? []);
  return { ...past, files: there(past.files), only: there(past.only) };
}

/** `access.log`, `access.log and syslog`, `access.log and 3 others`. */
export function filesText(files: readonly string[]): string {
  const names = files.map((path) => path.split(/[/\\]/).at(-1) ?? path);
  const [first = '', second = ''] = names;
  if (names.length <= 1) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`;
}
