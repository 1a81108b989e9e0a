/** Times in the forms that programs write. The form is found from the text. */
import { checkFunction, checkNumber, checkString, unexpected } from '../base/arguments.ts';
import { Rfc3164Date, daysSince1970, fourDigits, monthAt, offsetAt, timeAt, twoDigits } from '../base/dates.ts';
import { exactBigInt, nanosIn } from '../base/instant.ts';
import { isDigit } from '../base/scan.ts';
import { WallClock } from './time_zone.ts';
import { zoneHours } from '../base/zone_names.ts';

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;
const NUMBER = /^(\d+)(?:\.(\d+))?$/;
const ZULU = new Set(['Z', 'z', 'UTC', 'GMT']);
const REGION = /^[A-Z]\w+\/[\w/+-]+$/;
const ZONE_NAME = /^[A-Z]{3,5}$/;
const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)(?:[.,](?<fraction>\d+))?`;
/** `05 Mar 2021 13:07:59.250`, `05-Mar-2021 13:07:59 UTC`, `05/Mar/2021:13:07:59.250`, `Fri, 05 Mar 2021 13:07:59 GMT`. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:[A-Z][a-z]{2},? )?(?<day>\d{1,2})([ /-])(?<month>[A-Z][a-z]{2})\2(?<year>\d{4})[ :]${TIME}(?: ?(?<zone>\S+))?$`,
);
/** `Fri Mar  5 13:07:59.250 2021`, as the C library's asctime has it and date(1) with a zone; an offset stands behind the year. */
const YEAR_LAST = new RegExp(
  String.raw`^(?:[A-Z][a-z]{2} )?(?<month>[A-Z][a-z]{2})  ?(?<day>\d{1,2}) ${TIME}(?: (?<zone>[A-Z]{2,5}))? (?<year>\d{4})(?: (?<offset>[+-]\d{4}))?$`,
);
/** `3/5/2021 1:07:59.250 PM`, as programs of Windows write it: the month comes first where hours are counted to twelve. */
const TWELVE_HOURS =
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}),? (?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)? (?<half>[AP]M)$/;
/** `20210305T130759.250Z`: ISO 8601 without separators. */
const BASIC = /^(\d{4})(\d\d)(\d\d)([Tt ])(\d\d)(\d\d)(\d\d)/;
/** `/Date(1614949679250)/`, as older libraries of .NET write times in JSON; an offset in it says only where it was written. */
const MICROSOFT = /^\\?\/Date\((\d{12,14})(?:[+-]\d{4})?\)\\?\/$/;
/** The least number that is a time: 1973-03-03 in seconds. */
const EARLIEST = 1e8;
/** Numbers from these on are in milli-, micro- and nanoseconds: 1973 in each, and long after 5000 in the unit before. */
const [MILLISECONDS, MICROSECONDS, NANOSECONDS] = [1e11, 1e14, 1e17];
/** The position behind `2021-03-05T13:07`. */
const MINUTE_END = 16;
const [BLANK, PLUS, COMMA, DASH, DOT, SLASH, ZERO, COLON, UPPER_T, LOWER_T] = [32, 43, 44, 45, 46, 47, 48, 58, 84, 116];

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
 * Reads times of these forms, exact to the nanosecond: RFC 3339 and its neighbours (`2021-03-05T13:07:59.250+01:00`, `2021/03/05 13:07:59,250`, with
 * or without a zone or seconds), the common log format (`05/Mar/2021:13:07:59 +0100`) and its neighbours (`05-Mar-2021 13:07:59.250`, `Fri, 05 Mar 2021 13:07:59
 * GMT`), RFC 3164 (`Mar  5 13:07:59`, perhaps with a zone), the C library's form (`Fri Mar  5 13:07:59 2021`), twelve hours (`3/5/2021
 * 1:07:59 PM`), ISO 8601 without separators (`20210305T130759Z`), .NET's `/Date(1614949679250)/`, and numbers as `epochTime` has them.
 */
export class AnyDate {
  readonly #short: Rfc3164Date;
  readonly #clock: WallClock;
  #named: { readonly zone: string; readonly clock: WallClock | null } | null = null;

  /**
   * @param now when the record was read, in nanoseconds since 1970 (a number or a BigInt), for dates without a year
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number | bigint, clock: WallClock) {
    checkFunction('AnyDate', 1, now);
    if (!(clock instanceof WallClock)) throw unexpected('AnyDate', 2, 'WallClock', clock);
    this.#clock = clock;
    this.#short = new Rfc3164Date(() => clock.fromUtc(Number(now())));
  }

  /** Nanoseconds since 1970 of a text that is a time; null for any other text. */
  parse(text: string): bigint | null {
    checkString('parse', 1, text);
    const end = text.length;
    const dayMark = text.charCodeAt(4);
    if ((dayMark === DASH || dayMark === SLASH) && text.charCodeAt(7) === dayMark) return this.#civil(text);
    const plain = this.#dayFirst(text) ?? this.#yearLast(text);
    if (plain !== null) return plain;
    const shortEnd = this.#short.read(text, 0, end);
    if (shortEnd >= 0) return this.#withoutYear(text, shortEnd);
    const number = NUMBER.exec(text);
    if (number !== null) return exactEpoch(number[1] as string, number[2] ?? '');
    return this.#worded(text) ?? this.#twelveHours(text) ?? this.#withoutSeparators(text);
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

  /** A date whose month is a name. */
  #worded(text: string): bigint | null {
    const {
      year = '',
      month = '',
      day = '',
      time = '',
      fraction = '',
      offset: zoneOffset = '',
      zone = zoneOffset,
    } = (DAY_FIRST.exec(text) ?? YEAR_LAST.exec(text))?.groups ?? {};
    const monthNumber = month === '' ? -1 : monthAt(month, 0);
    const seconds = timeAt(time, 0);
    if (monthNumber < 0 || seconds < 0 || Number(day) < 1 || Number(day) > 31) return null;
    const shown = daysSince1970(Number(year), monthNumber, Number(day)) * DAY_SECONDS + seconds;
    const offset = zone === '' ? this.#clock.ahead(shown) : this.#zoneSeconds(` ${zone}`, 0, shown);
    return Number.isNaN(offset) ? null : instant(shown - offset, fraction, 0, fraction.length);
  }

  /** A date with `AM` or `PM` at its end. */
  #twelveHours(text: string): bigint | null {
    const { month, day, year, hour, minute, second = '0', fraction = '', half } = TWELVE_HOURS.exec(text)?.groups ?? {};
    const [monthNumber, dayNumber, hours] = [Number(month), Number(day), Number(hour)];
    if (!(monthNumber >= 1 && monthNumber <= 12 && dayNumber >= 1 && dayNumber <= 31 && hours >= 1 && hours <= 12)) return null;
    if (Number(minute) > 59 || Number(second) > 60) return null;
    const ofDay = (((hours % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute)) * 60 + Number(second);
    const shown = daysSince1970(Number(year), monthNumber, dayNumber) * DAY_SECONDS + ofDay;
    return instant(shown - this.#clock.ahead(shown), fraction, 0, fraction.length);
  }

  #withoutSeparators(text: string): bigint | null {
    const milliseconds = MICROSOFT.exec(text)?.[1];
    if (milliseconds !== undefined) return BigInt(milliseconds) * 1_000_000n;
    return BASIC.test(text) ? this.#civil(text.replace(BASIC, '$1-$2-$3$4$5:$6:$7')) : null;
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
   * several zones have.
   */
  #zoneSeconds(text: string, at: number, shown: number): number {
    const from = text.charCodeAt(at) === BLANK ? at + 1 : at;
    const sign = text.charCodeAt(from);
    if (sign === PLUS || sign === DASH) return offsetOf(text, from);
    const zone = text.slice(from);
    if (ZULU.has(zone)) return 0;
    if (from > at && ZONE_NAME.test(zone)) return this.#clock.ahead(shown) || (zoneHours(zone) ?? NaN) * 3600;
    return REGION.test(zone) ? (this.#clockOf(zone)?.ahead(shown) ?? NaN) : NaN;
  }

  /** The clock of the zone that the last text named; null when there is no such zone. */
  #clockOf(zone: string): WallClock | null {
    if (this.#named?.zone !== zone) this.#named = { zone, clock: clockOf(zone) };
    return this.#named.clock;
  }
}

function clockOf(zone: string): WallClock | null {
  try {
    return new WallClock(zone);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Seconds of the offset that the text from `from` on is: `+01:00`, `+0100`, `+01`. NaN when it is none. */
function offsetOf(text: string, from: number): number {
  const length = text.length - from;
  if (length === 6) return offsetAt(text, from, 1);
  if (length === 5) return offsetAt(text, from, 0);
  return length === 3 ? offsetAt(`${text.slice(from)}00`, 0, 0) : NaN;
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
