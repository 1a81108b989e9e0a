import type { ByteValues, TextValues } from '../message/batch/columns.ts';
import type { NumberTest, TextTest } from './conditions.ts';
import { pieceOf } from '../message/latin-text.ts';
import { LatinNeedle } from '../message/latin-needle.ts';
import { at, NO_ROWS, room, take, type Candidates, type Rows } from './rows.ts';
import { containsRows } from './scan.ts';

/** One loop for each kind of column. Each returns the rows of the candidates whose value satisfies the test. */

export function selectText(values: TextValues, test: TextTest, candidates: Candidates): Rows {
  if (values.latin !== undefined && (test.needle ?? test.required) !== null)
    return selectHolding(values, values.latin.bytes, test, candidates);
  if (test.needle !== null) {
    const scanned = containsRows(values, test.needle, candidates);
    if (scanned !== undefined) return scanned;
  }
  const { text, starts, ends } = values;
  const { count, rows, entries } = candidates;
  const matches = test.text;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const entry = at(entries, i);
    if (matches(text, starts[entry] as number, ends[entry] as number)) out[hits++] = at(rows, i);
  }
  return take(candidates, hits);
}

function matchesPiece(values: TextValues, entry: number, matches: TextTest['text']): boolean {
  const piece = pieceOf(values, entry);
  return matches(piece, 0, piece.length);
}

/** By the text that the values must hold. @param bytes of the text that they are pieces of, in Latin-1 */
function selectHolding(values: TextValues, bytes: Uint8Array, { needle, required, text: matches }: TextTest, candidates: Candidates): Rows {
  const wanted = LatinNeedle.of(needle ?? required ?? '', needle !== null);
  if (wanted === null) return NO_ROWS;
  const { starts, ends } = values;
  const { count, rows, entries } = candidates;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const entry = at(entries, i);
    if (!wanted.isIn(bytes, starts[entry] as number, ends[entry] as number)) continue;
    if (needle !== null || matchesPiece(values, entry, matches)) out[hits++] = at(rows, i);
  }
  return take(candidates, hits);
}

export function selectBytes(values: ByteValues, test: TextTest, candidates: Candidates): Rows {
  const { bytes, starts, ends } = values;
  const { count, rows, entries } = candidates;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const entry = at(entries, i);
    if (test.bytes(bytes, starts[entry] as number, ends[entry] as number)) out[hits++] = at(rows, i);
  }
  return take(candidates, hits);
}

export function selectDoubles(values: Float64Array, test: NumberTest, candidates: Candidates): Rows {
  const { count, rows, entries } = candidates;
  const { low, high, outside } = test;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const value = values[at(entries, i)] as number;
    out[hits] = at(rows, i);
    hits += (value >= low && value <= high) !== outside ? 1 : 0;
  }
  return take(candidates, hits);
}

export function selectInts(values: Int32Array, test: NumberTest, candidates: Candidates): Rows {
  const { count, rows, entries } = candidates;
  const { low, high, outside } = test;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const value = values[at(entries, i)] as number;
    out[hits] = at(rows, i);
    hits += (value >= low && value <= high) !== outside ? 1 : 0;
  }
  return take(candidates, hits);
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const TWO_32 = 2 ** 32;

/**
 * 64-bit integers are compared as doubles. Read as two halves they are converted without a BigInt for each value: both products are
 * exact, so the one rounding is that of the sum, as in a conversion of the whole.
 */
export function selectLongs(values: BigInt64Array, test: NumberTest, candidates: Candidates): Rows {
  const { count, rows, entries } = candidates;
  const { low, high, outside } = test;
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const highHalf = LITTLE_ENDIAN ? 1 : 0;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const half = at(entries, i) * 2;
    const value = (halves[half + highHalf] as number) * TWO_32 + ((halves[half + 1 - highHalf] as number) >>> 0);
    out[hits] = at(rows, i);
    hits += (value >= low && value <= high) !== outside ? 1 : 0;
  }
  return take(candidates, hits);
}

export function selectBooleans(values: Uint8Array, expected: boolean, candidates: Candidates): Rows {
  const { count, rows, entries } = candidates;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    if ((values[at(entries, i)] !== 0) === expected) out[hits++] = at(rows, i);
  }
  return take(candidates, hits);
}

/** By the texts of values of other kinds. */
export function selectKeys(values: { at(entry: number): unknown }, isKey: (text: string) => boolean, candidates: Candidates): Rows {
  const { count, rows, entries } = candidates;
  const out = room(count);
  let hits = 0;
  for (let i = 0; i < count; i++) {
    if (isKey(String(values.at(at(entries, i))))) out[hits++] = at(rows, i);
  }
  return take(candidates, hits);
}
