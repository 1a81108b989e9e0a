/** Dates as logs write them. A reader recognises a date at a position of a text and remembers its time, to the nanosecond. */
import { nanosIn, type Instant } from './instant.ts';
import { decimal, digits, integerIn } from './scan.ts';

/** Recognises dates of one form. It is itself the time of the date that `read` accepted last. */
export interface DateReader extends Instant {
  /** The position after the date that begins at `at`, or -1 when there is none. */
  read(text: string, at: number, end: number): number;
}

export const SHORT_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Months by their letters in lower case. */
const MONTHS: ReadonlyMap<number, number> = new Map(SHORT_MONTHS.map((name, i) => [threeLetters(name.toLowerCase(), 0), i + 1]));
const [SMALL_LETTERS, FIRST_SMALL] = [0x202020, 0x200000];
const DAY_SECONDS = 86_400;
const [BLANK, PLUS, DASH, DOT, SLASH, COLON] = [32, 43, 45, 46, 47, 58];

/** A fraction of the second, up to the blank before the zone. */
const FRACTION = /^[.:](\d{1,9}) /;

/** The common log format: `05/Mar/2021:13:07:59 +0100`. */
export class ClfDate implements DateReader {
  seconds = 0;
  /** Some servers add a fraction of the second. */
  nanos = 0;
  /** The day and the zone of the date that was read last, as it has them, and the second at which that day began: most lines of a log have the same. */
  #day = '';
  #zone = '';
  #midnight = 0;
  /** The same as code units, for generated code. */
  readonly day = new Uint8Array(12);
  readonly zone = new Uint8Array(6);

  read(text: string, at: number, end: number): number {
    const mark = text.charCodeAt(at + 20);
    if (mark === DOT || mark === COLON) return this.#readFraction(text, at, end);
    this.nanos = 0;
    return this.#readWhole(text, at, end);
  }

  #readFraction(text: string, at: number, end: number): number {
    const [, fraction = ''] = FRACTION.exec(text.slice(at + 20, at + 31)) ?? [];
    if (fraction === '') return -1;
    const whole = text.slice(at, at + 20) + text.slice(at + 21 + fraction.length, at + 27 + fraction.length);
    this.nanos = Number(fraction.padEnd(9, '0'));
    const to = this.#readWhole(whole, 0, whole.length);
    const behind = at + to + 1 + fraction.length;
    return to < 0 || behind > end ? -1 : behind;
  }

  #readWhole(text: string, at: number, end: number): number {
    const to = at + 26;
    const time = timeAt(text, at + 12);
    if (to > end || time < 0) return -1;
    if (!text.startsWith(this.#day, at) || !text.startsWith(this.#zone, at + 20) || this.#day === '') {
      const midnight = midnightAt(text, at);
      if (Number.isNaN(midnight)) return -1;
      this.#midnight = midnight;
      this.#day = text.slice(at, at + 12);
      this.#zone = text.slice(at + 20, to);
      for (let i = 0; i < 12; i++) this.day[i] = text.charCodeAt(at + i);
      for (let i = 0; i < 6; i++) this.zone[i] = text.charCodeAt(at + 20 + i);
    }
    this.seconds = this.#midnight + time;
    return to;
  }

  /** Reads a date of the same day and zone as the last one, at this second of the day. */
  setTime(time: number): void {
    this.nanos = 0;
    this.seconds = this.#midnight + time;
  }
}

/** The second at which the day of a date in the common log format begins, without its time; NaN when it is none. */
function midnightAt(text: string, at: number): number {
  const day = twoDigits(text, at, 1, 31);
  const month = monthAt(text, at + 3);
  const year = fourDigits(text, at + 7);
  const separated = is(text, at + 2, SLASH) && is(text, at + 6, SLASH) && is(text, at + 11, COLON) && is(text, at + 20, BLANK);
  if (!separated || day < 0 || month < 0 || year < 0) return NaN;
  return daysSince1970(year, month, day) * DAY_SECONDS - offsetAt(text, at + 21, 0);
}

/** RFC 3339, section 5.6: `2021-03-05T13:07:59.250+01:00`, with `T` and `Z` in upper case. */
export class Rfc3339Date implements DateReader {
  seconds = 0;
  nanos = 0;
  readonly #colons: 0 | 1;

  /** @param colons 0: offsets have none, as in `+0100` */
  constructor(colons: 0 | 1 = 1) {
    this.#colons = colons;
  }

  read(text: string, at: number, end: number): number {
    const year = fourDigits(text, at);
    const month = twoDigits(text, at + 5, 1, 12);
    const day = twoDigits(text, at + 8, 1, 31);
    const time = timeAt(text, at + 11);
    const separated = is(text, at + 4, DASH) && is(text, at + 7, DASH) && text[at + 10] === 'T';
    if (!separated || year < 0 || month < 0 || day < 0 || time < 0) return -1;

    let to = at + 19;
    let nanos = 0;
    if (is(text, to, DOT)) {
      to = digits(text, at + 20, end);
      if (to < 0) return -1;
      nanos = nanosIn(text, at + 20, to);
    }
    const zulu = text[to] === 'Z';
    const offset = zulu ? 0 : offsetAt(text, to, this.#colons);
    to += zulu ? 1 : 5 + this.#colons;
    if (to > end || Number.isNaN(offset)) return -1;
    this.seconds = daysSince1970(year, month, day) * DAY_SECONDS + time - offset;
    this.nanos = nanos;
    return to;
  }
}

/**
 * RFC 3164, section 4.1.2: `Mar  5 13:07:59`, in UTC. The year, which is not in it, is the latest that puts the date no more than a day after
 * `now`: a December line that is read in January belongs to last year, and clocks and zones may disagree by a day.
 */
export class Rfc3164Date implements DateReader {
  seconds = 0;
  readonly nanos = 0;
  readonly #now: () => number;

  readonly #anyCase: boolean;

  /**
   * @param now the time at which the line was read, in nanoseconds since 1970
   * @param anyCase whether months may be written as `NOV` and `nov`, too
   */
  constructor(now: () => number, anyCase = false) {
    this.#now = now;
    this.#anyCase = anyCase;
  }

  read(text: string, at: number, end: number): number {
    const month = this.#anyCase ? anyMonthAt(text, at) : monthAt(text, at);
    const dayAt = skipBlanks(text, at + 3, end);
    const dayEnd = digits(text, dayAt, Math.min(end, dayAt + 2));
    const timeStart = skipBlanks(text, dayEnd, end);
    const time = timeAt(text, timeStart);
    const to = timeStart + 8;
    if (month < 0 || dayAt === at + 3 || dayEnd < 0 || timeStart === dayEnd || time < 0 || to > end) return -1;
    const day = integerIn(text, dayAt, dayEnd);
    if (day < 1 || day > 31) return -1;
    this.seconds = recentSeconds(month, day, time, this.#now() / 1e9);
    return to;
  }
}

/** A count of units since 1970, as digits: of seconds (0 digits behind the second), milliseconds (3), microseconds (6) or nanoseconds (9). */
export class EpochDate implements DateReader {
  seconds = 0;
  nanos = 0;
  readonly #behind: number;

  constructor(digitsBehindSecond: 0 | 3 | 6 | 9) {
    this.#behind = digitsBehindSecond;
  }

  read(text: string, at: number, end: number): number {
    const to = digits(text, at, end);
    if (to < 0) return -1;
    const point = to - this.#behind;
    this.seconds = point > at ? integerIn(text, at, point) : 0;
    this.nanos = point >= at ? nanosIn(text, point, to) : nanosIn(text.slice(at, to).padStart(this.#behind, '0'), 0, this.#behind);
    return to;
  }
}

/** Seconds since 1970 with a fraction: digits, a point, digits. */
export class DecimalDate implements DateReader {
  seconds = 0;
  nanos = 0;

  read(text: string, at: number, end: number): number {
    const to = decimal(text, at, end);
    if (to < 0) return -1;
    const point = text.indexOf('.', at);
    this.seconds = integerIn(text, at, point);
    this.nanos = nanosIn(text, point + 1, to);
    return to;
  }
}

/** Seconds since 1970 of a date without a year that was read at `now` seconds. */
export function recentSeconds(month: number, day: number, time: number, now: number): number {
  const thisYear = yearOf(now);
  for (let year = thisYear + 1; year > thisYear - 8; year--) {
    const days = daysSince1970(year, month, day);
    const seconds = days * DAY_SECONDS + time;
    if (seconds <= now + DAY_SECONDS && days < daysSince1970(year, month + 1, 1)) return seconds;
  }
  // A day that no month has rolls over.
  const seconds = daysSince1970(thisYear, month, day) * DAY_SECONDS + time;
  return seconds <= now + DAY_SECONDS ? seconds : daysSince1970(thisYear - 1, month, day) * DAY_SECONDS + time;
}

/** The year that was asked for last, from its first second to that of the next one: a `Date` takes longer than all else of reading a date. */
const lastYear = { year: 1970, from: 0, to: 365 * DAY_SECONDS };

/** The year that a time lies in, in seconds since 1970. */
function yearOf(seconds: number): number {
  if (!(seconds >= lastYear.from && seconds < lastYear.to)) {
    const year = new Date(seconds * 1000).getUTCFullYear();
    if (Number.isNaN(year)) return year;
    lastYear.year = year;
    lastYear.from = daysSince1970(year, 1, 1) * DAY_SECONDS;
    lastYear.to = daysSince1970(year + 1, 1, 1) * DAY_SECONDS;
  }
  return lastYear.year;
}

/** The month that was asked for last, and its first day: the lines of a log are mostly of one month. */
const lastMonth = { year: 1970, month: 1, firstDay: 0 };

/** Days since 1970-01-01 in the proleptic Gregorian calendar. A day or month beyond the end rolls over. */
export function daysSince1970(year: number, month: number, day: number): number {
  if (year !== lastMonth.year || month !== lastMonth.month) {
    lastMonth.year = year;
    lastMonth.month = month;
    lastMonth.firstDay = firstOfMonth(year, month);
  }
  return lastMonth.firstDay + day - 1;
}

/** The algorithm of H. Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
function firstOfMonth(year: number, month: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5);
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/** The month that a three-letter English name stands for, or -1. */
export function monthAt(text: string, at: number): number {
  const letters = threeLetters(text, at);
  return letters === ((letters | SMALL_LETTERS) ^ FIRST_SMALL) ? anyMonthAt(text, at) : -1;
}

/** The same for a name in any case. */
function anyMonthAt(text: string, at: number): number {
  return MONTHS.get(threeLetters(text, at) | SMALL_LETTERS) ?? -1;
}

/** Seconds of the day of `hh:mm:ss` with seconds 00 to 60, or -1. */
export function timeAt(text: string, at: number): number {
  const hour = twoDigits(text, at, 0, 23);
  const minute = twoDigits(text, at + 3, 0, 59);
  const second = twoDigits(text, at + 6, 0, 60);
  const fits = hour >= 0 && minute >= 0 && second >= 0 && is(text, at + 2, COLON) && is(text, at + 5, COLON);
  return fits ? (hour * 60 + minute) * 60 + second : -1;
}

/** Seconds of an offset from UTC: sign, hours, `colons` colons, minutes. NaN when there is none. */
export function offsetAt(text: string, at: number, colons: 0 | 1): number {
  const sign = text.charCodeAt(at);
  const hours = twoDigits(text, at + 1, 0, 23);
  const minutes = twoDigits(text, at + 3 + colons, 0, 59);
  if (hours < 0 || minutes < 0 || (sign !== PLUS && sign !== DASH) || (colons === 1 && !is(text, at + 3, COLON))) return NaN;
  return (hours * 60 + minutes) * (sign === PLUS ? 60 : -60);
}

/** The number that two digits make, or -1 when they do not stand there or are out of range. */
export function twoDigits(text: string, at: number, minimum: number, maximum: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  if (!(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1;
  const value = tens * 10 + ones;
  return value >= minimum && value <= maximum ? value : -1;
}

/** The number that four digits make, or -1. */
export function fourDigits(text: string, at: number): number {
  const century = twoDigits(text, at, 0, 99);
  const year = twoDigits(text, at + 2, 0, 99);
  return century < 0 || year < 0 ? -1 : century * 100 + year;
}

function threeLetters(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
}

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}

function is(text: string, at: number, code: number): boolean {
  return text.charCodeAt(at) === code;
}
