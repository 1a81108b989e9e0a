/** Times in the forms that programs write. The form is found from the text. */
import { checkFunction, checkNumber, checkString, unexpected } from '../base/arguments.ts';
import { Rfc3164Date, daysSince1970, fourDigits, monthAt, timeAt, twoDigits } from '../base/dates.ts';
import { exactBigInt, nanosIn } from '../base/instant.ts';
import { isDigit } from '../base/scan.ts';
import { WallClock } from './time_zone.ts';
import { LogTime, type WeakShapes } from '../base/time/log_time.ts';
import { LogZone } from '../base/time/log_zone.ts';

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;
const NUMBER = /^(\d+)(?:\.(\d+))?$/;
/** The name of a zone that only its own clock knows. */
const ZONE_NAME = /^ [A-Z]{3,5}$/;
/** Go's clock of intervals behind a time. */
const MONOTONIC = / m=[+-]\d+\.\d+$/;
const DATES: WeakShapes = { alone: false, epoch: false };
/** `/Date(1614949679250)/`, as older libraries of .NET write times in JSON; an offset in it says only where it was written. */
const MICROSOFT = /^\\?\/Date\((\d{12,14})(?:[+-]\d{4})?\)\\?\/$/;
/** The least number that is a time: 1973-03-03 in seconds. */
const EARLIEST = 1e8;
/** Numbers from these on are in milli-, micro- and nanoseconds: 1973 in each, and long after 5000 in the unit before. */
const [MILLISECONDS, MICROSECONDS, NANOSECONDS] = [1e11, 1e14, 1e17];
/** The position behind `2021-03-05T13:07`. */
const MINUTE_END = 16;
/** Characters of `2021-03-05T13:07:59.250123456+01:00`. */
const LONGEST_ISO = 35;
const [BLANK, COMMA, DASH, DOT, SLASH, ZERO, COLON, UPPER_T, LOWER_T] = [32, 44, 45, 46, 47, 48, 58, 84, 116];

/**
 * Nanoseconds since 1970 of a number of seconds, milliseconds, microseconds or nanoseconds. The size of the number tells its unit. null for
 * numbers that are before 1973 in seconds, because these are seldom times.
 */
export function epochTime(value: number | bigint): bigint | null {
  if (typeof value === 'bigint') return value < EARLIEST ? null : value * unitOf(Number(value));
  checkNumber('epochTime', 1, value);
  if (!(value >= EARLIEST) || !Number.isFinite(value)) return null;
  if (Number.isInteger(value)) return BigInt(value) * unitOf(value);
  // The digits that a double is shown with are those that were written, as far as it holds them.
  const [whole = '', fraction = ''] = String(value).split('.');
  return exactEpoch(whole, fraction);
}

/** Nanoseconds per unit of an epoch time, by its size: seconds, milliseconds, microseconds or nanoseconds. */
function unitOf(value: number): bigint {
  if (value >= NANOSECONDS) return 1n;
  if (value >= MICROSECONDS) return 1_000n;
  return value >= MILLISECONDS ? 1_000_000n : SECOND;
}

/**
 * Reads times that are the whole of a text, exact to the nanosecond: RFC 3339 and its neighbours (`2021-03-05T13:07:59.250+01:00`, `2021/03/05
 * 13:07:59,250`, with or without a zone or seconds), the common log format (`05/Mar/2021:13:07:59 +0100`), RFC 3164 (`Mar  5 13:07:59`, perhaps with a
 * zone), the C library's form (`Fri Mar  5 13:07:59 2021`), .NET's `/Date(1614949679250)/`, numbers as `epochTime` has them, and each other shape that
 * logs have, such as `March 5, 2021 1:07:59 PM` and JavaScript's `Fri Mar 05 2021 13:07:59 GMT+0100 (CET)`.
 */
export class AnyDate {
  readonly #short: Rfc3164Date;
  readonly #clock: WallClock;
  readonly #any: LogTime;
  readonly #zone: LogZone;

  /**
   * @param now when the record was read, in nanoseconds since 1970 (a number or a BigInt), for dates without a year
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number | bigint, clock: WallClock) {
    checkFunction('AnyDate', 1, now);
    if (!(clock instanceof WallClock)) throw unexpected('AnyDate', 2, 'WallClock', clock);
    this.#clock = clock;
    this.#short = new Rfc3164Date(() => clock.fromUtc(Number(now())));
    this.#any = new LogTime(() => Number(now()), clock, 'auto');
    this.#zone = new LogZone(clock);
  }

  /** Nanoseconds since 1970 of a text that is a time; null for any other text. */
  parse(text: string): bigint | null {
    checkString('parse', 1, text);
    const monotonic = text.length > LONGEST_ISO ? MONOTONIC.exec(text) : null;
    if (monotonic !== null) return this.parse(text.slice(0, monotonic.index));
    const end = text.length;
    const dayMark = text.charCodeAt(4);
    const isCivil = (dayMark === DASH || dayMark === SLASH) && text.charCodeAt(7) === dayMark;
    const plain = isCivil ? this.#civil(text) : (this.#dayFirst(text) ?? this.#yearLast(text));
    if (plain !== null) return plain;
    const shortEnd = this.#short.read(text, 0, end);
    if (shortEnd >= 0) return this.#withoutYear(text, shortEnd);
    const number = NUMBER.exec(text);
    if (number !== null) return exactEpoch(number[1] as string, number[2] ?? '');
    const milliseconds = MICROSOFT.exec(text)?.[1];
    if (milliseconds !== undefined) return BigInt(milliseconds) * 1_000_000n;
    return this.#any.read(text, 0, end, DATES) === end ? this.#any.ns : null;
  }

  /** The date of RFC 3164 that was read last, perhaps a fraction of its second, perhaps a zone. */
  #withoutYear(text: string, at: number): bigint | null {
    const to = text.charCodeAt(at) === DOT ? digitsEnd(text, at + 1) : at;
    if (to === at + 1) return null;
    const shown = this.#short.seconds;
    const offset = to === text.length ? this.#clock.ahead(shown) : this.#zoneSeconds(text, to, shown);
    return Number.isNaN(offset) ? null : instant(shown - offset, text, at + 1, to);
  }

  /** `05/Mar/2021:13:07:59.250 +0100` and `05-Mar-2021 13:07:59`, in place: `#worded` reads more forms. */
  #dayFirst(text: string): bigint | null {
    const separator = text.charCodeAt(2);
    if (separator !== text.charCodeAt(6) || (separator !== SLASH && separator !== DASH && separator !== BLANK)) return null;
    const day = twoDigits(text, 0, 1, 31);
    const month = monthAt(text, 3);
    const year = fourDigits(text, 7);
    const mark = text.charCodeAt(11);
    const time = timeAt(text, 12);
    const to = fractionEnd(text, 20);
    if (day < 0 || month < 0 || year < 0 || time < 0 || to < 0 || (mark !== COLON && mark !== BLANK)) return null;
    const shown = daysSince1970(year, month, day) * DAY_SECONDS + time;
    const offset = to === text.length ? this.#clock.ahead(shown) : this.#zoneSeconds(text, to, shown);
    return Number.isNaN(offset) ? null : instant(shown - offset, text, 21, to);
  }

  /** `Fri Mar 05 13:07:59.250 2021`, in place. */
  #yearLast(text: string): bigint | null {
    if (text.charCodeAt(3) !== BLANK || text.charCodeAt(7) !== BLANK || text.charCodeAt(10) !== BLANK || !isWeekday(text)) return null;
    const month = monthAt(text, 4);
    const day = text.charCodeAt(8) === BLANK ? text.charCodeAt(9) - ZERO : twoDigits(text, 8, 1, 31);
    const time = timeAt(text, 11);
    const to = fractionEnd(text, 19);
    const year = text.charCodeAt(to) === BLANK && to + 5 === text.length ? fourDigits(text, to + 1) : -1;
    if (month < 0 || day < 1 || day > 31 || time < 0 || year < 0) return null;
    const shown = daysSince1970(year, month, day) * DAY_SECONDS + time;
    return instant(shown - this.#clock.ahead(shown), text, 20, to);
  }

  /** Year, month and day, a time, perhaps a fraction of a second, perhaps a zone. */
  #civil(text: string): bigint | null {
    const year = fourDigits(text, 0);
    const month = twoDigits(text, 5, 1, 12);
    const day = twoDigits(text, 8, 1, 31);
    const mark = text.charCodeAt(10);
    const whole = timeAt(text, 11);
    const time = whole < 0 ? minuteAt(text, 11) : whole;
    if (year < 0 || month < 0 || day < 0 || time < 0 || (mark !== UPPER_T && mark !== LOWER_T && mark !== BLANK)) return null;

    const to = whole < 0 ? MINUTE_END : fractionEnd(text, 19);
    if (to < 0) return null;
    const shown = daysSince1970(year, month, day) * DAY_SECONDS + time;
    const offset = to === text.length ? this.#clock.ahead(shown) : this.#zoneSeconds(text, to, shown);
    return Number.isNaN(offset) ? null : instant(shown - offset, text, 20, to);
  }

  /**
   * Seconds of the zone that the rest of the text is; NaN when it is none. A clock that is set to another zone than UTC knows what a name means that
   * nobody else knows.
   */
  #zoneSeconds(text: string, at: number, shown: number): number {
    if (this.#zone.read(text, at, text.length) === text.length) return this.#zone.ahead(shown);
    return ZONE_NAME.test(text.slice(at)) ? this.#clock.ahead(shown) || NaN : NaN;
  }
}

function exactEpoch(whole: string, fraction: string): bigint | null {
  const value = Number(whole);
  if (value < EARLIEST || whole.length > 20) return null;
  const unit = unitOf(value);
  if (unit === SECOND) return instant(value, fraction, 0, fraction.length);
  return BigInt(whole) * unit + (BigInt(nanosIn(fraction, 0, fraction.length)) * unit) / SECOND;
}

/** Nanoseconds since 1970 of a second and the digits [from, to) behind its point. */
function instant(second: number, text: string, from: number, to: number): bigint {
  return exactBigInt(second, to > from ? nanosIn(text, from, to) : 0);
}

/** Seconds since midnight of hours and minutes at `at` without seconds, as Java writes whole minutes; -1 when there are none. */
function minuteAt(text: string, at: number): number {
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) === COLON) return -1;
  const [hour, minute] = [twoDigits(text, at, 0, 23), twoDigits(text, at + 3, 0, 59)];
  return hour < 0 || minute < 0 ? -1 : hour * 3600 + minute * 60;
}

/** The position after a point or comma at `at` and its digits, `at` when there is none, or -1 when it has no digits. */
function fractionEnd(text: string, at: number): number {
  // A position behind the text makes `charCodeAt` slow for good.
  const point = at < text.length ? text.charCodeAt(at) : 0;
  if (point !== DOT && point !== COMMA) return at;
  const to = digitsEnd(text, at + 1);
  return to === at + 1 ? -1 : to;
}

/** Whether the text begins with a capital and two small letters. */
function isWeekday(text: string): boolean {
  return isCapital(text.charCodeAt(0)) && isSmall(text.charCodeAt(1)) && isSmall(text.charCodeAt(2));
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function digitsEnd(text: string, at: number): number {
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}
