/** Points of InfluxDB's line protocol. */
import { exactInteger } from '../base/int64.ts';
import { digits, integerIn, isDigit, plainNumber } from '../base/scan.ts';
import type { LogField } from '../modules/table_writer.ts';

export interface Point {
  /** The measurement, the tags and the fields. An integer is a BigInt when a double does not hold it. */
  readonly fields: readonly LogField[];
  /** In the unit of the file; null when there is none. */
  readonly time: bigint | null;
}

type PointValue = string | number | boolean | bigint;

const [BLANK, QUOTE, COMMA, EQUALS, BACKSLASH, LETTER_I] = [32, 34, 44, 61, 92, 105];
/** Integers of so many digits are exact as doubles. */
const SAFE_DIGITS = 15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^([+-]?\d{1,19})i$/;
const UNSIGNED = /^(\d{1,20})u$/;
const TIME = /^-?\d{1,19}$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  t: true,
  T: true,
  true: true,
  True: true,
  TRUE: true,
  f: false,
  F: false,
  false: false,
  False: false,
  FALSE: false,
};
const [SMALLEST, LARGEST, LARGEST_UNSIGNED] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];
const NAME_ESCAPE = /\\([ ,=])/g;
const TEXT_ESCAPE = /\\(["\\])/g;

/** The point that a line is, or why it is none. */
export function parsePoint(line: string): Point | string {
  const isEscaped = line.includes('\\');
  let at = nameEnd(line, 0, false);
  const measurement = nameIn(line, 0, at, isEscaped);
  if (measurement === '') return 'no measurement';
  const fields: LogField[] = [{ name: 'measurement', value: measurement }];
  while (stands(line, at, COMMA)) {
    const equals = nameEnd(line, at + 1, true);
    if (!stands(line, equals, EQUALS)) return `no value behind ${measurement}'s tag "${line.slice(at + 1, equals)}"`;
    const to = nameEnd(line, equals + 1, false);
    fields.push({ name: nameIn(line, at + 1, equals, isEscaped), value: nameIn(line, equals + 1, to, isEscaped) });
    at = to;
  }
  for (at = skipBlanks(line, at); ; at++) {
    const equals = nameEnd(line, at, true);
    const name = nameIn(line, at, equals, isEscaped);
    if (!stands(line, equals, EQUALS) || name === '')
      return name === '' ? `no fields of ${measurement}` : `no value behind ${measurement}'s field "${name}"`;
    const to = stands(line, equals + 1, QUOTE) ? textEnd(line, equals + 2) : plainEnd(line, equals + 1);
    if (to < 0) return 'a text that does not end';
    const value = valueOf(line.slice(equals + 1, to));
    if (value === null) return `no value of any type: ${line.slice(equals + 1, to).slice(0, 60)}`;
    fields.push({ name, value });
    at = to;
    if (!stands(line, at, COMMA)) break;
  }
  if (at < line.length && !stands(line, at, BLANK)) return 'text behind a closing quote';
  const time = line.slice(at).trim();
  if (time === '') return { fields, time: null };
  return TIME.test(time) ? { fields, time: BigInt(time) } : `no timestamp: ${time.slice(0, 60)}`;
}

/** The position of the first mark that stands behind no backslash, or the end: a comma, a blank, and perhaps an equals sign. */
function nameEnd(line: string, at: number, orEquals: boolean): number {
  const end = line.length;
  while (at < end) {
    const code = line.charCodeAt(at);
    if (code === COMMA || code === BLANK || (orEquals && code === EQUALS)) return at;
    at += code === BACKSLASH && at + 1 < end ? 2 : 1;
  }
  return end;
}

function plainEnd(line: string, at: number): number {
  const end = line.length;
  while (at < end && !isMark(line.charCodeAt(at))) at++;
  return at;
}

function isMark(code: number): boolean {
  return code === COMMA || code === BLANK;
}

/** The position behind the closing quote, or -1. */
function textEnd(line: string, at: number): number {
  const end = line.length;
  while (at < end) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return -1;
}

function skipBlanks(line: string, at: number): number {
  while (at < line.length && line.charCodeAt(at) === BLANK) at++;
  return at;
}

/** Whether this character stands there; a position behind the text makes `charCodeAt` slow for good. */
function stands(line: string, at: number, code: number): boolean {
  return at < line.length && line.charCodeAt(at) === code;
}

function nameIn(line: string, from: number, to: number, isEscaped: boolean): string {
  const name = line.slice(from, to);
  return isEscaped ? name.replace(NAME_ESCAPE, '$1') : name;
}

function valueOf(text: string): PointValue | null {
  const first = text.charCodeAt(0);
  if (first === QUOTE) return text.includes('\\') ? text.slice(1, -1).replace(TEXT_ESCAPE, '$1') : text.slice(1, -1);
  if (isDigit(first)) {
    const number = plainNumber(text);
    if (Number.isFinite(number)) return number;
    const last = text.length - 1;
    if (last <= SAFE_DIGITS && text.charCodeAt(last) === LETTER_I && digits(text, 0, last) === last) return integerIn(text, 0, last);
  }
  if (Object.hasOwn(BOOLEANS, text)) return BOOLEANS[text] as boolean;
  if (NUMBER.test(text)) return Number.isFinite(Number(text)) ? Number(text) : null;
  const [, signed] = INTEGER.exec(text) ?? [];
  if (signed !== undefined) return integer(BigInt(signed.replace('+', '')), SMALLEST, LARGEST);
  const [, unsigned] = UNSIGNED.exec(text) ?? [];
  return unsigned === undefined ? null : integer(BigInt(unsigned), 0n, LARGEST_UNSIGNED);
}

/** null when it is out of bounds. */
function integer(value: bigint, from: bigint, to: bigint): PointValue | null {
  return value < from || value > to ? null : exactInteger(value);
}
