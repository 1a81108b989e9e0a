/** Levels with marks beside them. */
import { isDigit, isLetter } from '../../base/scan.ts';
import { isLevelName, kindOf } from './header_words.ts';

/** Marks in front of a level: `✗ error`, `» ✖ error`, `!!! ERROR`. */
const BEFORE = /(?:[^\p{L}\p{N}\s[\](){}<>"'|:,]{1,4}[ \t]{1,3}){1,3}(?=\[? ?([A-Za-z]{3,11})(?:[^\p{L}\p{N}]|$))/uy;
/** Marks right around a level in capitals: `*ERROR*`, `<<ERROR>>`, `"ERROR"`. */
const AROUND = /[^\p{L}\p{N}\s=]{1,3}([A-Z]{3,11})[^\p{L}\p{N}\s]{0,3}(?=\s|$)/uy;
const [UNDERSCORE, LAST_ASCII] = [95, 127];
const BRACKETS: ReadonlySet<number> = new Set([...'([{<'].map((bracket) => bracket.charCodeAt(0)));
const NONE = { to: -1, severity: -1 };

/** Whether a character is neither a letter nor a digit. Others than those of ASCII may be letters. */
export function isMark(code: number): boolean {
  return code > LAST_ASCII || (!isLetter(code) && !isDigit(code) && code !== UNDERSCORE);
}

/** Whether a mark is none that lists have, too: small letters behind it may be a level. */
export function isStrongMark(code: number): boolean {
  return code > LAST_ASCII;
}

/** The position behind the marks at `at`, where a level follows; -1: none does. Behind marks of ASCII, it is in capitals. */
export function marksEnd(text: string, at: number): number {
  BEFORE.lastIndex = at;
  const level = BEFORE.exec(text)?.[1];
  if (level === undefined || kindOf(level).severity < 0) return -1;
  return isStrongMark(text.charCodeAt(at)) || isLevelName(level) ? BEFORE.lastIndex : -1;
}

/** The level in capitals with marks right around it, and the position behind them; -1: there is none. A bracket alone is no such mark. */
export function levelWithin(text: string, at: number): { readonly to: number; readonly severity: number } {
  const code = text.charCodeAt(at);
  if (BRACKETS.has(code) && text.charCodeAt(at + 1) !== code) return NONE;
  AROUND.lastIndex = at;
  const level = AROUND.exec(text)?.[1];
  return level === undefined || !isLevelName(level) ? NONE : { to: AROUND.lastIndex, severity: kindOf(level).severity };
}
