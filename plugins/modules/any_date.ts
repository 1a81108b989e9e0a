/** Times as programs write them, told apart by their looks. */
import { ClfDate, Rfc3164Date, daysSince1970, fourDigits, monthAt, offsetAt, timeAt, twoDigits } from './dates.ts';
import { WallClock } from './time_zone.ts';
import { zoneHours } from './zone_names.ts';

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
 * or without a zone), the common log format (`05/Mar/2021:13:07:59 +0100`) and its neighbours (`05-Mar-2021 13:07:59.250`, `Fri, 05 Mar 2021 13:07:59
 * GMT`), RFC 3164 (`Mar  5 13:07:59`), the C library's form (`Fri Mar  5 13:07:59 2021`), and numbers as `epochTime` has them.
 */
export class AnyDate {
  readonly #clf = new ClfDate();
  readonly #short: Rfc3164Date;
  readonly #clock: WallClock;
  #named: { readonly zone: string; readonly clock: WallClock | null } | null = null;

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
    const shortEnd = this.#short.read(text, 0, end);
    if (shortEnd >= 0) return this.#withoutYear(text, shortEnd);
    const number = NUMBER.exec(text);
    return number === null ? this.#worded(text) : exactEpoch(number[1] as string, number[2] ?? '');
  }

  /** The date of RFC 3164 that was read last, and a fraction of its second perhaps. */
  #withoutYear(text: string, at: number): bigint | null {
    const fractionEnd = text.charCodeAt(at) === DOT ? digitsEnd(text, at + 1) : at;
    const fits = fractionEnd === text.length && fractionEnd !== at + 1;
    return fits ? BigInt(this.#clock.toUtc(this.#short.ns)) + nanoseconds(text.slice(at + 1, fractionEnd)) : null;
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
    return Number.isNaN(offset) ? null : BigInt(shown - offset) * SECOND + nanoseconds(fraction);
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
    const offset = fractionEnd === text.length ? this.#clock.ahead(shown) : this.#zoneSeconds(text, fractionEnd, shown);
    if (Number.isNaN(offset)) return null;
    return BigInt(shown - offset) * SECOND + nanoseconds(text.slice(20, fractionEnd));
  }

  /**
   * Seconds of the zone that the rest of the text is; NaN when it is none. A clock that is set to another zone than UTC knows what a name means that
   * several zones have.
   */
  #zoneSeconds(text: string, at: number, shown: number): number {
    const from = text.charCodeAt(at) === BLANK ? at + 1 : at;
    const zone = text.slice(from);
    if (ZULU.has(zone)) return 0;
    if (from > at && ZONE_NAME.test(zone)) return this.#clock.ahead(shown) || (zoneHours(zone) ?? NaN) * 3600;
    if (REGION.test(zone)) return this.#clockOf(zone)?.ahead(shown) ?? NaN;
    if (zone.length === 6) return offsetAt(zone, 0, 1);
    return zone.length === 5 ? offsetAt(zone, 0, 0) : /^[+-]\d\d$/.test(zone) ? offsetAt(`${zone}00`, 0, 0) : NaN;
  }

  /** The clock of the zone that a text named last; null when there is no such zone. */
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
