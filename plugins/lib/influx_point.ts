/** Points of InfluxDB's line protocol. */

/** An integer is a BigInt when a double does not hold it. */
export type PointValue = string | number | boolean | bigint;

export interface Point {
  readonly measurement: string;
  readonly tags: readonly (readonly [name: string, value: string])[];
  readonly fields: readonly (readonly [name: string, value: PointValue])[];
  /** In the unit of the file; null when there is none. */
  readonly time: bigint | null;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^([+-]?\d{1,19})i$/;
const UNSIGNED = /^(\d{1,20})u$/;
const TIME = /^-?\d{1,19}$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ t: true, T: true, true: true, True: true, TRUE: true },
  ...{ f: false, F: false, false: false, False: false, FALSE: false },
};
const [SMALLEST, LARGEST, LARGEST_UNSIGNED] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];
const NAME_ESCAPE = /\\([ ,=])/g;
const TEXT_ESCAPE = /\\(["\\])/g;

/** The point that a line is, or why it is none. */
export function parsePoint(line: string): Point | string {
  let at = nameEnd(line, 0, ', ');
  const measurement = unescaped(line.slice(0, at));
  if (measurement === '') return 'no measurement';
  const tags: [string, string][] = [];
  while (line[at] === ',') {
    const equals = nameEnd(line, at + 1, '=, ');
    if (line[equals] !== '=') return `no value behind ${measurement}'s tag "${line.slice(at + 1, equals)}"`;
    const to = nameEnd(line, equals + 1, ', ');
    tags.push([unescaped(line.slice(at + 1, equals)), unescaped(line.slice(equals + 1, to))]);
    at = to;
  }
  const fields: [string, PointValue][] = [];
  for (at = skipBlanks(line, at); ; at++) {
    const equals = nameEnd(line, at, '=, ');
    const name = unescaped(line.slice(at, equals));
    if (line[equals] !== '=' || name === '')
      return name === '' ? `no fields of ${measurement}` : `no value behind ${measurement}'s field "${name}"`;
    const to = line[equals + 1] === '"' ? textEnd(line, equals + 2) : plainEnd(line, equals + 1);
    if (to < 0) return 'a text that does not end';
    const value = valueOf(line.slice(equals + 1, to));
    if (value === null) return `no value of any type: ${line.slice(equals + 1, to).slice(0, 60)}`;
    fields.push([name, value]);
    at = to;
    if (line[at] !== ',') break;
  }
  if (at < line.length && line[at] !== ' ') return 'text behind a closing quote';
  const time = line.slice(at).trim();
  if (time !== '' && !TIME.test(time)) return `no timestamp: ${time.slice(0, 60)}`;
  return { measurement, tags, fields, time: time === '' ? null : BigInt(time) };
}

/** The position of the first of the marks that stands behind no backslash, or the end. */
function nameEnd(line: string, at: number, marks: string): number {
  while (at < line.length && !marks.includes(line[at] as string)) at += line[at] === '\\' && at + 1 < line.length ? 2 : 1;
  return Math.min(at, line.length);
}

function plainEnd(line: string, at: number): number {
  while (at < line.length && line[at] !== ',' && line[at] !== ' ') at++;
  return at;
}

/** The position behind the closing quote, or -1. */
function textEnd(line: string, at: number): number {
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  return at < line.length ? at + 1 : -1;
}

function skipBlanks(line: string, at: number): number {
  while (line[at] === ' ') at++;
  return at;
}

function unescaped(name: string): string {
  return name.replace(NAME_ESCAPE, '$1');
}

function valueOf(text: string): PointValue | null {
  if (text.startsWith('"')) return text.slice(1, -1).replace(TEXT_ESCAPE, '$1');
  if (Object.hasOwn(BOOLEANS, text)) return BOOLEANS[text] as boolean;
  if (NUMBER.test(text)) return Number.isFinite(Number(text)) ? Number(text) : null;
  const [, signed] = INTEGER.exec(text) ?? [];
  if (signed !== undefined) return integer(BigInt(signed.replace('+', '')), SMALLEST, LARGEST);
  const [, unsigned] = UNSIGNED.exec(text) ?? [];
  return unsigned === undefined ? null : integer(BigInt(unsigned), 0n, LARGEST_UNSIGNED);
}

/** A number that holds the integer exactly; a text beyond 64 bits with a sign; null when it is out of bounds. */
function integer(value: bigint, from: bigint, to: bigint): PointValue | null {
  if (value < from || value > to) return null;
  if (Number.isSafeInteger(Number(value))) return Number(value);
  return value > LARGEST ? String(value) : value;
}
