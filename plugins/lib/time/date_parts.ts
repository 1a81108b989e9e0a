/** Parts of dates, found in place. */
import { integerIn, isDigit, isLetter, isSpace } from '../../base/scan.ts';

const [COMMA, DASH, DOT, SLASH, COLON, UPPER_T, LOWER_T, UNDERSCORE, PIPE] = [44, 45, 46, 47, 58, 84, 116, 95, 124];
/** White space between a date and a time, at most. */
const MOST_BLANKS = 3;
/** Letters of a name, at most. */
const LONGEST_NAME = 12;
/** A year that is not written. */
export const MISSING = -1;

/** The position after digits, of which there may be none. */
export function digitsTo(text: string, at: number, end: number): number {
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** The position of the time behind a date: white space, `T`, `:`, `::`, `-`, ` -- `, `_`, `|` or a comma stand between them. -1: there is none. */
export function gapEnd(text: string, at: number, end: number): number {
  if (at < 0) return -1;
  const code = text.charCodeAt(at);
  let next = at;
  if (hasDashes(text, at)) next = at + 4;
  else if (code === COLON) next = text.charCodeAt(at + 1) === COLON ? at + 2 : at + 1;
  else if (code === UPPER_T || code === LOWER_T || code === DASH || code === UNDERSCORE || code === DOT || code === PIPE) next++;
  else if (code === COMMA) next = blanksEnd(text, at + 1, end);
  else next = blanksEnd(text, at, end);
  return next > at && next < end && isDigit(text.charCodeAt(next)) ? next : -1;
}

/** Whether ` -- ` stands there, as Suricata has it between date and time. */
export function hasDashes(text: string, at: number): boolean {
  return text.startsWith(' -- ', at);
}

/** The position after white space, of which there is not much. */
export function blanksEnd(text: string, at: number, end: number): number {
  const most = Math.min(end, at + MOST_BLANKS);
  while (at < most && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The position after letters, and a point behind them. */
export function wordEnd(text: string, at: number, end: number): number {
  const most = Math.min(end, at + LONGEST_NAME);
  while (at < most && (isLetter(text.charCodeAt(at)) || text.charCodeAt(at) > 191)) at++;
  return text.charCodeAt(at) === DOT ? at + 1 : at;
}

/** The number of one or two digits, or -1. */
export function numberOf(text: string, from: number, to: number): number {
  return to - from === 1 || to - from === 2 || to - from === 4 ? integerIn(text, from, to) : -1;
}

export function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year === MISSING || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) ? 29 : 28;
}

export function isYear(year: number): boolean {
  return year >= 1970 && year < 2200;
}

export function isDateMark(code: number): boolean {
  return code === DASH || code === SLASH || code === DOT || isSpace(code);
}
