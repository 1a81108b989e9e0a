import { isArray } from '../intrinsics.ts';

/**
 * The saved form of a value. A script's state is text and bytes: a line of JSON with the word globals and its global variables (name, value, name, value …), and one
 * for each object that they reach, which preserves shared objects and cycles. It is written and read line by line, because a script may use its
 * whole memory limit, and a second copy of everything would not fit. A value is itself in JSON, or a list: ['n', text] a number that JSON does
 * not have, ['b', text] a BigInt, ['u'] undefined, ['o', i] object i, ['s', why] one that cannot be saved, and in lists ['h'] a hole. In a checkpoint
 * the first line begins with the own variables of scripts, which are not global: their number, and then key, value, key, value …
 */
export type SavedValue = null | boolean | number | string | readonly [string, ...(string | number)[]];

/**
 * The saved form of an object: the name of the form, and the contents in order, keys before their values. One whose last item is ['x'] could not be
 * read to its end, and is taken for one that cannot be saved.
 */
export type SavedObject =
  | readonly ['object' | 'bare' | 'module' | 'map', ...SavedValue[]]
  | readonly ['list' | 'set', ...SavedValue[]]
  | readonly ['array', length: number, ...SavedValue[]]
  | readonly ['date', SavedValue]
  | readonly ['buffer', at: number, length: number]
  | readonly ['view', type: string, buffer: number, at: number, length: number]
  | readonly ['class', name: string, saved: SavedValue]
  | readonly ['instance', name: string, ...SavedValue[]];

/** A value that cannot be restored: what the script's top level put in its place is left there. */
export const LEFT: unique symbol = Symbol('left');

/** The value of a saved one that is no object; LEFT for one that could not be saved. */
export function plainValue(saved: SavedValue): unknown {
  if (!isArray(saved)) return saved;
  const [kind, content] = saved as unknown as readonly [string, string];
  switch (kind) {
    case 'n':
      return content === '-0' ? -0 : Number(content);
    case 'b':
      return BigInt(content);
    case 's':
      return LEFT;
    default:
      return undefined;
  }
}

/** The number of a saved object that a saved value is; -1 for other values. */
export function objectNumber(saved: SavedValue): number {
  return isArray(saved) && saved[0] === 'o' ? (saved[1] as number) : -1;
}

/** Whether a value of a list is missing there. */
export function isHole(saved: SavedValue): boolean {
  return isArray(saved) && saved[0] === 'h';
}

/** Index of the first key of a saved object that consists of keys and values, or 0 for other forms. */
export function firstKey([form]: SavedObject): 0 | 1 | 2 {
  switch (form) {
    case 'object':
    case 'bare':
    case 'module':
      return 1;
    case 'instance':
    case 'array':
      return 2;
    default:
      return 0;
  }
}

/** Whether a value can be the key of a saved map: one that is the same after a restart. */
export function isSavedKey(key: unknown): boolean {
  return key === null || (typeof key !== 'object' && typeof key !== 'function' && typeof key !== 'symbol');
}
