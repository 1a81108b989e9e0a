import { firstIndex } from '../../message/binary-search.ts';

/**
 * Sets of code points as sorted, disjoint, non-adjacent inclusive ranges: `[low, high, low, high, …]`.
 */
export type CharSet = readonly number[];

export const MAX_CODE_POINT = 0x10ffff;
export const ANY: CharSet = [0, MAX_CODE_POINT];
export const NEWLINE: CharSet = [10, 10];
export const NOT_NEWLINE: CharSet = [0, 9, 11, MAX_CODE_POINT];
export const DIGIT: CharSet = [0x30, 0x39];
/** RE2's \s: tab, newline, form feed, carriage return, space; without the vertical tab. */
export const SPACE: CharSet = [9, 10, 12, 13, 32, 32];
export const ALNUM: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a];
export const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** The ASCII classes of POSIX, as in `[[:alpha:]]`, with RE2's `word`. */
export const POSIX: Readonly<Record<string, CharSet>> = {
  alnum: ALNUM,
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0, 0x7f],
  blank: [9, 9, 32, 32],
  cntrl: [0, 0x1f, 0x7f, 0x7f],
  digit: DIGIT,
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [9, 13, 32, 32],
  upper: [0x41, 0x5a],
  word: WORD,
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** Brings ranges in any order, also overlapping, into the form of a `CharSet`. */
export function normalize(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i] as number, ranges[i + 1] as number]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of pairs) {
    const last = out.length - 1;
    if (last >= 0 && low <= (out[last] as number) + 1) out[last] = Math.max(out[last] as number, high);
    else out.push(low, high);
  }
  return out;
}

export function negate(set: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if ((set[i] as number) > next) out.push(next, (set[i] as number) - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= MAX_CODE_POINT) out.push(next, MAX_CODE_POINT);
  return out;
}

export function contains(set: CharSet, code: number): boolean {
  const range = firstIndex(set.length / 2, (i) => (set[i * 2 + 1] as number) >= code);
  return code >= (set[range * 2] ?? Infinity);
}

/** The only code point of a set, or -1 when it has none or several. */
export function onlyMember(set: CharSet): number {
  return set.length === 2 && set[0] === set[1] ? (set[0] as number) : -1;
}

const LONG_S = 0x17f;
const KELVIN = 0x212a;

/**
 * Adds the other case of every ASCII letter, and the two letters outside ASCII that fold to one: ſ (to s) and K, the Kelvin sign (to k).
 * Returns null when the set has letters outside ASCII, whose case pairs are not known here.
 */
export function foldCase(set: CharSet): CharSet | null {
  const last = set[set.length - 1];
  if (last !== undefined && last > 0x7f) return null;
  const out = [...set];
  for (let i = 0; i < set.length; i += 2) {
    addShifted(out, set[i] as number, set[i + 1] as number, 0x41, 0x5a, 32);
    addShifted(out, set[i] as number, set[i + 1] as number, 0x61, 0x7a, -32);
  }
  const folded = normalize(out);
  const extra = [...(contains(folded, 0x73) ? [LONG_S, LONG_S] : []), ...(contains(folded, 0x6b) ? [KELVIN, KELVIN] : [])];
  return normalize([...folded, ...extra]);
}

function addShifted(out: number[], low: number, high: number, from: number, to: number, by: number): void {
  const first = Math.max(low, from);
  const last = Math.min(high, to);
  if (first <= last) out.push(first + by, last + by);
}
