/** Parts of dates, found in place. */
import { halfBefore } from './time_of_day.ts';
import { integerIn, isDigit, isLetter, isSpace } from '../scan.ts';

const [SPACE, COMMA, DASH, DOT, SLASH, UPPER_T] = [32, 44, 45, 46, 47, 84];
/** The ends of days in English: `1st`, `6th`. */
const ORDINAL = /(?:st|nd|rd|th)(?![A-Za-z])/y;
const [LOWER_N, LOWER_R, LOWER_S, LOWER_T] = [110, 114, 115, 116];
/** White space between a date and a time, at most. */
const MOST_BLANKS = 3;
/** Letters of a name, at most. */
const LONGEST_NAME = 13;
/** A year that is not written. */
export const MISSING = -1;

/** The position after digits, of which there may be none. */
export function digitsTo(text: string, at: number, end: number): number {
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Separators of a date and its time besides white space, and a comma with white space behind it. */
const GAPS = [
  ' -- ',
  ' - ',
  ' at ',
  ', at ',
  ' um ',
  ' à ',
  ' @ ',
  ' / ',
  ' ; ',
  ' (',
  '] [',
  '][',
  '::',
  ':',
  'T',
  't',
  '-',
  '_',
  '.',
  '|',
  '@',
  ';',
  '/',
  '~',
  '","',
];

/** The position of the time behind a date, or -1 when there is none. */
export function gapEnd(text: string, at: number, end: number): number {
  if (at < 0) return -1;
  const code = text.charCodeAt(at);
  if (code === UPPER_T || isSpace(code)) {
    const next = code === UPPER_T ? at + 1 : blanksEnd(text, at, end);
    if (isTime(text, next, end)) return next;
    const behindHalf = text.charCodeAt(next) > 127 ? next + 2 + (text.charCodeAt(next + 2) === SPACE ? 1 : 0) : end;
    if (isTime(text, behindHalf, end) && halfBefore(text, behindHalf) !== undefined) return behindHalf;
  }
  if (code === COMMA && isTime(text, blanksEnd(text, at + 1, end), end)) return blanksEnd(text, at + 1, end);
  const gap = GAPS.find((words) => text.startsWith(words, at) && isTime(text, at + words.length, end));
  return gap === undefined ? -1 : at + gap.length;
}

/** The position behind a day's `st`, `nd`, `rd` or `th` at `at`, or `at`. */
export function ordinalEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== LOWER_T && code !== LOWER_S && code !== LOWER_N && code !== LOWER_R) return at;
  ORDINAL.lastIndex = at;
  return ORDINAL.test(text) ? at + 2 : at;
}

/** The year that two digits mean, as in POSIX. */
export function wholeYear(digits: number): number {
  return digits + (digits < 70 ? 2000 : 1900);
}

function isTime(text: string, at: number, end: number): boolean {
  return at < end && isDigit(text.charCodeAt(at));
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

/** Seconds since 1970 with an exponent, as Go's zap writes them: `1.6149496792501230e+09`. */
const EXPONENT = /([12])\.(\d{3,18})e\+09(?![\w.])/y;
const DIGITS_BEHIND_POINT = 18;

/** The nanoseconds since 1970 of a number with an exponent, and the position behind it; null: there is none at `at`. */
export function exponentTime(text: string, at: number): { readonly ns: bigint; readonly to: number } | null {
  EXPONENT.lastIndex = at;
  const [, first, digits] = EXPONENT.exec(text) ?? [];
  if (first === undefined || digits === undefined) return null;
  return { ns: BigInt(first + digits.padEnd(DIGITS_BEHIND_POINT, '0')), to: EXPONENT.lastIndex };
}
