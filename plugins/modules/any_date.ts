/** Times as programs write them, told apart by their looks. */
import { ClfDate, Rfc3164Date, daysSince1970, fourDigits, offsetAt, timeAt, twoDigits } from './dates.ts';
import type { WallClock } from './time_zone.ts';

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;
const NUMBER = /^(\d+)(?:\.(\d+))?$/;
/** The least number that is a time: 1973-03-03 in seconds. */
const EARLIEST = 1e8;
/** Numbers from these on are in milli-, micro- and nanoseconds: 1973 in each, and long after 5000 in the unit before. */
const [MILLISECONDS, MICROSECONDS, NANOSECONDS] = [1e11, 1e14, 1e17];
const [COMMA, DASH, DOT, SLASH, BLANK, UPPER_T, LOWER_T] = [44, 45, 46, 47, 32, 84, 116];

/**
 * Nanoseconds since 1970 of a number of seconds, milliseconds, microseconds or nanoseconds, by its size; null for numbers before
 * 1973 in seconds, which are seldom times.
 */
export function epochTime(value: number): bigint | null {
  if (!(value >= EARLIEST) || !Number.isFinite(value)) return null;
  const unit = unitOf(value);
  return BigInt(Math.trunc(value)) * unit + fractionOf(value % 1, unit);
}

/** How many nanoseconds a unit of a number of this size is. */
function unitOf(value: number): bigint {
  if (value >= NANOSECONDS) return 1n;
  if (value >= MICROSECONDS) return 1_000n;
  return value >= MILLISECONDS ? 1_000_000n : SECOND;
}

/** A fraction of a unit, to a millionth: a double of such a size does not tell more. */
function fractionOf(fraction: number, unit: bigint): bigint {
  return (BigInt(Math.round(fraction * 1e6)) * unit) / 1_000_000n;
}

/**
 * Reads times of these forms, exact to the nanosecond: RFC 3339 and its neighbours (`2021-03-05T13:07:59.250+01:00`, `2021/03/05 13:07:59,250`, with
 * or without a zone), the common log format (`05/Mar/2021:13:07:59 +0100`), RFC 3164 (`Mar  5 13:07:59`), and numbers as `epochTime` has them.
 */
export class AnyDate {
  readonly #clf = new ClfDate();
  readonly #short: Rfc3164Date;
  readonly #clock: WallClock;

  /**
   * @param now when the record was read, in nanoseconds since 1970, for dates without a year
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number, clock: WallClock) {
    this.#clock = clock;
    this.#short = new Rfc3164Date(() => clock.fromUtc(now()));
  }

  /** Nanoseconds since 1970 of the time that the whole text is, or null. */
  parse(text: string): bigint | null {
    const end = text.length;
    const dayMark = text.charCodeAt(4);
    if ((dayMark === DASH || dayMark === SLASH) && text.charCodeAt(7) === dayMark) return this.#civil(text);
    if (this.#clf.read(text, 0, end) === end) return BigInt(this.#clf.ns);
    if (this.#short.read(text, 0, end) === end) return BigInt(this.#clock.toUtc(this.#short.ns));
    const number = NUMBER.exec(text);
    return number === null ? null : exactEpoch(number[1] as string, number[2] ?? '');
  }

  /** Year, month and day, a time, perhaps a fraction of a second, perhaps a zone. */
  #civil(text: string): bigint | null {
    const year = fourDigits(text, 0);
    const month = twoDigits(text, 5, 1, 12);
    const day = twoDigits(text, 8, 1, 31);
    const mark = text.charCodeAt(10);
    const time = timeAt(text, 11);
    if (year < 0 || month < 0 || day < 0 || time < 0 || (mark !== UPPER_T && mark !== LOWER_T && mark !== BLANK)) return null;

    const point = text.charCodeAt(19);
    const fractionEnd = point === DOT || point === COMMA ? digitsEnd(text, 20) : 19;
    if (fractionEnd === 20) return null;
    const shown = daysSince1970(year, month, day) * DAY_SECONDS + time;
    const offset = fractionEnd === text.length ? this.#clock.ahead(shown) : zoneSeconds(text, fractionEnd);
    if (Number.isNaN(offset)) return null;
    return BigInt(shown - offset) * SECOND + nanoseconds(text.slice(20, fractionEnd));
  }
}

/** Seconds of the zone that the rest of the text is; NaN when it is none. */
function zoneSeconds(text: string, at: number): number {
  const from = text.charCodeAt(at) === BLANK ? at + 1 : at;
  const rest = text.length - from;
  if (rest === 6) return offsetAt(text, from, 1);
  if (rest === 5) return offsetAt(text, from, 0);
  const name = text.slice(from);
  if (/^[+-]\d\d$/.test(name)) return offsetAt(`${name}00`, 0, 0);
  return name === 'Z' || name === 'z' || name === 'UTC' || name === 'GMT' ? 0 : NaN;
}

function exactEpoch(whole: string, fraction: string): bigint | null {
  const value = Number(whole);
  if (value < EARLIEST || whole.length > 20) return null;
  const unit = unitOf(value);
  return BigInt(whole) * unit + (nanoseconds(fraction) * unit) / SECOND;
}

/** The nanoseconds that digits behind a point of seconds are. */
function nanoseconds(digits: string): bigint {
  return digits === '' ? 0n : BigInt(digits.slice(0, 9).padEnd(9, '0'));
}

function digitsEnd(text: string, at: number): number {
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at;
}
