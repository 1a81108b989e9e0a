import { foldCase, isWholeWord } from '../../api/words.ts';
import { latinLines, literalRegex } from '../../matcher/regex/latin-lines.ts';
import type { TextColumn } from '../../message/batch/columns.ts';
import { LatinNeedle } from '../../message/latin-needle.ts';
import { pieceOf } from '../../message/latin-text.ts';

/** Tests the piece [start, end) of a text. */
type PieceTest = (text: string, start: number, end: number) => boolean;

/** The search of a text filter. */
export interface TextSearch {
  readonly test: PieceTest;
  /** The text itself when it is a plain one: then whole backings are searched at once. */
  readonly needle: string | null;
  readonly caseSensitive: boolean;
  /** Pieces that hold the needle are to be tested as well. */
  readonly sure?: false;
  /** A text in lower case that each text of Latin-1 that matches has in some case; null: not known. */
  readonly required?: string | null;
  /** An expression of ripgrep that is found in a line of each text in Latin-1 that matches; null: there is none. */
  readonly latin: string | null;
}

/** ASCII without letters, which is the same in any case; no other character has one of it in its lower-case form. */
const CASELESS = /^[ -@[-`{-~]*$/;

/** Looks for a piece of text. Without regard to case: by Unicode's lower-case forms. */
export function plainSearch(text: string, minds: boolean): TextSearch {
  const caseSensitive = minds || CASELESS.test(text);
  const latin = latinLines(literalRegex(text, caseSensitive));
  if (caseSensitive) return { needle: text, caseSensitive, latin, test: (backing, start, end) => backing.slice(start, end).includes(text) };
  const lower = foldCase(text);
  return { needle: lower, caseSensitive, latin, test: (backing, start, end) => foldCase(backing.slice(start, end)).includes(lower) };
}

/** Looks for a piece of text that is not a part of a longer word. */
export function wordSearch(text: string, caseSensitive: boolean): TextSearch {
  const needle = caseSensitive ? text : foldCase(text);
  const test: PieceTest = (backing, start, end) => {
    const piece = backing.slice(start, end);
    const hay = caseSensitive ? piece : foldCase(piece);
    for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
      if (isWholeWord(hay, at, at + needle.length)) return true;
    }
    return false;
  };
  return { needle, caseSensitive, sure: false, latin: latinLines(literalRegex(text, caseSensitive)), test };
}

/**
 * Marks the rows whose text matches: `marks[row] = 1`.
 * @param columns the text of a row is in the first column that has an entry for it; each row has at most one
 */
export function markMatches(columns: readonly TextColumn[], length: number, search: TextSearch, marks: Uint8Array): void {
  const seen = columns.length > 1 ? new Uint8Array(length) : null;
  for (const column of columns) markColumn(column, length, search, marks, seen);
}

function markColumn(column: TextColumn, length: number, search: TextSearch, marks: Uint8Array, seen: Uint8Array | null): void {
  if (column.constant !== undefined) {
    const hit = search.test(column.constant, 0, column.constant.length);
    for (let row = 0; row < length; row++) if (seen === null || seen[row] === 0) marks[row] = hit ? 1 : 0;
    return;
  }
  const { rows, starts } = column;
  const matches = entryTest(column, search);
  for (let entry = 0; entry < starts.length; entry++) {
    const row = rows === null ? entry : (rows[entry] as number);
    if (seen !== null) {
      if (seen[row] !== 0) continue;
      seen[row] = 1;
    }
    if (matches(entry)) marks[row] = 1;
  }
}

/** Tests an entry of a column. */
function entryTest(column: TextColumn & { constant?: undefined }, search: TextSearch): (entry: number) => boolean {
  const { needle, required = null, caseSensitive, sure = true } = search;
  const { latin, starts, ends } = column;
  const text = needle ?? required;
  if (latin !== undefined && text !== null) {
    const wanted = LatinNeedle.of(text, needle !== null && caseSensitive);
    if (wanted === null) return () => false;
    const { bytes } = latin;
    const holds = (entry: number): boolean => wanted.isIn(bytes, starts[entry] as number, ends[entry] as number);
    return needle !== null && sure ? holds : (entry) => holds(entry) && testPiece(pieceOf(column, entry), search);
  }
  const test = (entry: number): boolean => search.test(column.text, starts[entry] as number, ends[entry] as number);
  const hits = needle === null || needle === '' ? null : backingHits(column, search, needle);
  if (hits === null) return test;
  return (entry) => hits[entry] === 1 && (sure || test(entry));
}

const testPiece = (piece: string, { test }: TextSearch): boolean => test(piece, 0, piece.length);

/**
 * Searches the backing as a whole, which is many times faster than piece by piece, when the pieces lie in it one after the other.
 * null: they do not.
 */
function backingHits(column: TextColumn & { constant?: undefined }, search: TextSearch, needle: string): Uint8Array | null {
  const { starts, ends } = column;
  for (let i = 1; i < starts.length; i++) if ((starts[i] as number) < (ends[i - 1] as number)) return null;
  const text = search.caseSensitive ? column.text : foldCase(column.text);
  // A few characters change their length with their case; then offsets would be off.
  if (text.length !== column.text.length) return null;
  const hits = new Uint8Array(starts.length);
  let entry = 0;
  let at = text.indexOf(needle);
  while (at >= 0 && entry < starts.length) {
    while (entry < starts.length && (ends[entry] as number) < at + needle.length) entry++;
    if (entry === starts.length) break;
    if (at >= (starts[entry] as number)) {
      hits[entry] = 1;
      at = text.indexOf(needle, ends[entry]);
      entry++;
    } else at = text.indexOf(needle, Math.max(at + 1, starts[entry] as number));
  }
  return hits;
}
