/** Times in any shape that logs have, read in place. */
import { daysSince1970, recentSeconds } from '../dates.ts';
import { exactBigInt } from '../instant.ts';
import { isWeekday, monthOf } from '../month_names.ts';
import { integerIn, isDigit, isLetter, isSpace } from '../scan.ts';
import {
  MISSING,
  blanksEnd,
  daysOf,
  digitsTo,
  gapEnd,
  hasDashes,
  isDateMark,
  isYear,
  exponentTime,
  numberOf,
  ordinalEnd,
  wholeYear,
  wordEnd,
} from './date_parts.ts';
import { LogZone, type Clock } from './log_zone.ts';
import { rareDate } from './time_shapes.ts';
import { nanosecondsIn, TimeOfDay } from './time_of_day.ts';

/** The order of day, month and year in dates of numbers, where the numbers leave it open. */
export type DateOrder = 'auto' | 'dmy' | 'mdy' | 'ymd';

const DAY_SECONDS = 86_400;
/** A mean year of the Gregorian calendar in nanoseconds. */
const YEAR_NS = 31_556_952e9;
/** Epoch times in logs lie between 2001 and 2065, so that other long numbers are none. */
const [EARLIEST, LATEST] = [1e9, 3e9];
/** The label of 1970-01-01 in TAI64, as daemontools counts: ten seconds are between TAI and UTC. */
const TAI64_EPOCH = 2n ** 62n + 10n;
const TAI64 = /@(40000000[\da-f]{8})([\da-f]{8})?(?![\da-zA-Z])/iy;
const [COMMA, DASH, DOT, SLASH, COLON, AT, UNDERSCORE] = [44, 45, 46, 47, 58, 64, 95];
const DATES: WeakShapes = { alone: false, epoch: false };
/** Orders of a date with a year of two digits, the likeliest first. */
const DOTTED: readonly DateOrder[] = ['dmy', 'ymd'];
const AMERICAN: readonly DateOrder[] = ['mdy', 'dmy', 'ymd'];
const YEAR_FIRST: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];
/** A time without a date may be so much later than the moment at which it was read, for clocks that disagree. */
const CLOCK_SKEW = 60;

/** Shapes that other numbers of a record have too, so that they count near its beginning alone. */
export interface WeakShapes {
  /** A time of day without a date. */
  readonly alone: boolean;
  /** A number of seconds or less since 1970. */
  readonly epoch: boolean;
}

/**
 * Reads the time that stands at a position of a text, in one of these shapes: year, month and day with `-`, `/`, `.` or nothing between them, day
 * first, month first or with the month's name in several languages, with or without a year; year and day of the year; seconds, milliseconds,
 * microseconds or nanoseconds since 1970; TAI64N; and a time of day alone. Behind a date stand hours, minutes, mostly seconds and a fraction, AM or PM, and a
 * zone: an offset, Z, or a usual short name.
 */
export class LogTime {
  /** Nanoseconds since 1970 of the time that was read last. */
  ns = 0n;
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly #order: DateOrder;
  readonly #time = new TimeOfDay();
  readonly #zone: LogZone;
  /** Where the time begins that is read. */
  #start = 0;
  #year = MISSING;
  #month = MISSING;
  #day = MISSING;
  /** Whether the numbers before the date's slashes have no leading zeros, as in `3/5/21`. */
  #short = false;

  /**
   * @param now when the record was read, in nanoseconds since 1970, for dates without a year
   * @param clock the clock of times without a zone
   */
  constructor(now: () => number, clock: Clock, order: DateOrder) {
    this.#now = now;
    this.#clock = clock;
    this.#order = order;
    this.#zone = new LogZone(clock);
  }

  /** The position after the time that begins at `at`, or -1 when none does. */
  read(text: string, at: number, end: number, weak: WeakShapes): number {
    const code = text.charCodeAt(at);
    this.#start = at;
    if (isDigit(code)) {
      const to = this.#fromDigits(text, at, end, weak);
      return to < 0 ? this.#rare(text, at, end) : to;
    }
    if (code === AT) return this.#tai64(text, at);
    return isLetter(code) || code > 127 ? this.#fromWord(text, at, end) : -1;
  }

  /** A date of the shapes that few programs write. */
  #rare(text: string, at: number, end: number): number {
    const found = rareDate(text, at);
    if (found === null) return -1;
    this.#year = found.year;
    if (!this.#setDay(found.month, found.day)) return -1;
    const compact = this.#time.readCompact(text, found.time, end);
    return this.#instant(text, compact < 0 ? this.#time.read(text, found.time, end) : compact, end);
  }

  #fromDigits(text: string, at: number, end: number, weak: WeakShapes): number {
    const to = digitsTo(text, at, end);
    this.#year = MISSING;
    switch (to - at) {
      case 1:
      case 2: {
        const exponent = weak.epoch && text.charCodeAt(at + 1) === DOT ? exponentTime(text, at) : null;
        if (exponent === null) return this.#fromShortNumber(text, at, to, end, weak.alone);
        this.ns = exponent.ns;
        return exponent.to;
      }
      case 4:
        return this.#yearFirst(text, at, to, end);
      case 6:
        return this.#compact(text, at, 2, to, end);
      case 7:
        return this.#yearDay(text, at, to - 3, to, end);
      case 8:
        return this.#compact(text, at, 4, to, end);
      case 14:
      case 17:
        return this.#compact(text, at, 4, at + 8, end);
      case 10:
      case 13:
      case 16:
      case 19:
        return weak.epoch ? this.#epoch(text, at, to, end) : -1;
    }
    return -1;
  }

  /** `2021-03-05 …`, `2021/3/5 …`, `2021年3月5日 …`, `2021-064T…`, `2021 Mar 05 …`. */
  #yearFirst(text: string, at: number, to: number, end: number): number {
    this.#year = integerIn(text, at, to);
    const separator = text.charCodeAt(to);
    if (!isYear(this.#year)) return -1;
    if (separator !== DASH && separator !== SLASH && separator !== DOT && separator !== COLON && !isSpace(separator)) return -1;
    const next = to + 1;
    if (isLetter(text.charCodeAt(next))) return this.#thenTime(text, this.#namedMonthAndDay(text, next, end), end);
    if (isSpace(separator)) return -1;
    const monthEnd = digitsTo(text, next, end);
    if (monthEnd - next === 3) return this.#yearDay(text, at, next, monthEnd, end);
    if (text.charCodeAt(monthEnd) !== separator) return -1;
    const dayEnd = digitsTo(text, monthEnd + 1, end);
    return this.#setDay(numberOf(text, next, monthEnd), numberOf(text, monthEnd + 1, dayEnd)) ? this.#thenTime(text, dayEnd, end) : -1;
  }

  /** The day of the year in [from, to), with the year at `at`. */
  #yearDay(text: string, at: number, from: number, to: number, end: number): number {
    this.#year = integerIn(text, at, at + 4);
    const day = integerIn(text, from, to);
    if (!isYear(this.#year) || day < 1 || day > (daysOf(this.#year, 2) === 29 ? 366 : 365)) return -1;
    this.#month = 1;
    this.#day = day;
    return this.#thenTime(text, to, end);
  }

  /** `20210305-13:07:59`, `20210305-1:7:9:5`, `20210305T130759Z`, `210305 130759`. */
  #compact(text: string, at: number, yearDigits: 2 | 4, to: number, end: number): number {
    const month = at + yearDigits;
    const year = integerIn(text, at, month);
    this.#year = yearDigits === 2 ? wholeYear(year) : year;
    if (!isYear(this.#year) || !this.#setDay(integerIn(text, month, month + 2), integerIn(text, month + 2, to))) return -1;
    if (isDigit(text.charCodeAt(to))) return this.#instant(text, this.#time.readCompact(text, to, end), end);
    const time = gapEnd(text, to, end);
    if (time < 0) return -1;
    const compact = this.#time.readCompact(text, time, end);
    if (compact >= 0) return this.#instant(text, compact, end);
    const unpadded = text.charCodeAt(to) === DASH ? this.#time.readUnpadded(text, time, end) : -1;
    return this.#instant(text, unpadded < 0 ? this.#time.read(text, time, end) : unpadded, end);
  }

  /** `05/Mar/2021:…`, `5.3.2021 …`, `3/5/21, …`, `17/06/09 …`, `10.30 …`, `05 Mar …`, and `13:07:59`. */
  #fromShortNumber(text: string, at: number, to: number, end: number, alone: boolean): number {
    const dayEnd = ordinalEnd(text, to);
    const separator = text.charCodeAt(dayEnd);
    if (separator === COLON) return alone ? this.#timeAlone(text, at, end) : -1;
    const next = isSpace(separator) || separator === DOT ? blanksEnd(text, dayEnd + 1, end) : dayEnd + 1;
    if (isLetter(text.charCodeAt(next)) || text.charCodeAt(next) > 127) return this.#dayThenName(text, at, to, next, end);
    if (dayEnd > to || (separator !== SLASH && separator !== DOT && separator !== DASH)) return -1;
    const secondEnd = digitsTo(text, to + 1, end);
    const [first, second] = [integerIn(text, at, to), numberOf(text, to + 1, secondEnd)];
    this.#short = to - at === 1 || secondEnd - to === 2;
    if (text.charCodeAt(secondEnd) !== separator) return this.#withoutYear(text, first, second, secondEnd, end);
    const thirdEnd = digitsTo(text, secondEnd + 1, end);
    const third = numberOf(text, secondEnd + 1, thirdEnd);
    if (thirdEnd - secondEnd - 1 === 4) return this.#yearLast(text, first, second, third, separator, thirdEnd, end);
    return thirdEnd - secondEnd - 1 === 2 ? this.#shortYear(text, [first, second, third], separator, thirdEnd, end) : -1;
  }

  /** `05/Mar/2021`, `05-MAR-21`, `5 Mar 2021`, `05 Mar`, with the day in [at, to) and the month at `next`. */
  #dayThenName(text: string, at: number, to: number, next: number, end: number): number {
    const monthEnd = wordEnd(text, next, end);
    const month = monthOf(text.slice(next, monthEnd));
    if (month < 0 || !this.#setDay(month, integerIn(text, at, to))) return -1;
    let year = monthEnd;
    while (year < end && isDateMark(text.charCodeAt(year))) year++;
    const yearEnd = digitsTo(text, year, end);
    if (yearEnd - year === 4 || (yearEnd - year === 2 && text.charCodeAt(yearEnd) !== COLON)) {
      const written = integerIn(text, year, yearEnd);
      this.#year = yearEnd - year === 2 ? wholeYear(written) : written;
      return isYear(this.#year) ? this.#thenTime(text, yearEnd, end) : -1;
    }
    return this.#thenYear(text, monthEnd, end);
  }

  /** `10.30 16:49:06`, `03-05 13:07:59`: the month comes first where both could be it. */
  #withoutYear(text: string, first: number, second: number, to: number, end: number): number {
    const dayFirst = this.#order === 'dmy' || first > 12;
    if (!(dayFirst ? this.#setDay(second, first) : this.#setDay(first, second))) return -1;
    const time = gapEnd(text, to, end);
    const after = time < 0 ? -1 : this.#time.read(text, time, end);
    return this.#time.hasSeconds ? this.#instant(text, after, end) : -1;
  }

  /** Two numbers and a year. Europe writes the day first, with points; AM and PM are American. */
  #yearLast(text: string, first: number, second: number, year: number, separator: number, to: number, end: number): number {
    this.#year = year;
    const time = gapEnd(text, to, end);
    const after = time < 0 || !isYear(year) ? -1 : this.#time.read(text, time, end);
    const european = (separator !== SLASH || hasDashes(text, to)) && !this.#time.halved;
    const byOrder = this.#order === 'auto' ? european : this.#order === 'dmy';
    const dayFirst = first > 12 || (second <= 12 && byOrder);
    return after >= 0 && (dayFirst ? this.#setDay(second, first) : this.#setDay(first, second)) ? this.#instant(text, after, end) : -1;
  }

  /**
   * `17/06/09`, as Java's log4j writes it with the year first; `3/5/21` without leading zeros or `03/05/21,`, which are American, as is `03/05/21` in a
   * file of 2021; and `05.03.21`, which is European. An order that there is not, or that lies ahead, is none.
   */
  #shortYear(text: string, numbers: readonly [number, number, number], separator: number, to: number, end: number): number {
    const time = gapEnd(text, to, end);
    const after = time < 0 ? -1 : this.#time.read(text, time, end);
    if (after < 0) return -1;
    const [first, , third] = numbers;
    const american = this.#short || this.#time.halved || text.charCodeAt(to) === COMMA || this.#isYearNow(third, first);
    const likely = separator === DOT ? DOTTED : american ? AMERICAN : YEAR_FIRST;
    const orders = this.#order === 'auto' ? likely : [this.#order];
    const isDay = orders.some((order) => this.#setShort(order, numbers, false)) || this.#setShort(orders[0] ?? 'ymd', numbers, true);
    return isDay ? this.#instant(text, after, end) : -1;
  }

  /** Sets a day of which two digits are the year. False when there is no such day, or it lies ahead. */
  #setShort(order: DateOrder, [first, second, third]: readonly [number, number, number], mayBeAhead: boolean): boolean {
    this.#year = wholeYear(order === 'ymd' ? first : third);
    const isDay =
      order === 'ymd' ? this.#setDay(second, third) : order === 'dmy' ? this.#setDay(second, first) : this.#setDay(first, second);
    return isDay && (mayBeAhead || daysSince1970(this.#year, this.#month, this.#day) * DAY_SECONDS < this.#now() / 1e9 + DAY_SECONDS);
  }

  /** Whether the last number of `03/05/21` is the year in which the record was written, and the first one is not. */
  #isYearNow(last: number, first: number): boolean {
    const year = Math.floor(1970 + this.#now() / YEAR_NS) % 100;
    return last === year && first !== year && first <= 12;
  }

  /** `Mar  5 13:07:59`, `Mar 05, 2021 1:07:59 PM`, `Fri Mar  5 13:07:59 CET 2021`, `Fri, 5 Mar 2021 …`, `I0305 13:07:59.250`. */
  #fromWord(text: string, at: number, end: number): number {
    const to = wordEnd(text, at, end);
    const follows = text.charCodeAt(to);
    this.#year = MISSING;
    if (isDigit(follows) || text.startsWith('hg ', at + 1)) return this.#rare(text, at, end);
    if (!isDateMark(follows) && follows !== COMMA) return -1;
    if (monthOf(text.slice(at, to)) >= 0) {
      const dated = this.#thenYear(text, this.#namedMonthAndDay(text, at, end), end);
      if (dated >= 0) return dated;
    }
    let next = follows === COMMA ? to + 1 : to;
    next = blanksEnd(text, next, end);
    const code = text.charCodeAt(next);
    if (next === to || (!isDigit(code) && !isLetter(code) && code <= 127) || !isWeekday(text.slice(at, to))) return -1;
    if (isDigit(code)) return this.#fromDigits(text, next, end, DATES);
    this.#year = MISSING;
    const monthEnd = wordEnd(text, next, end);
    return monthOf(text.slice(next, monthEnd)) < 0 ? -1 : this.#thenYear(text, this.#namedMonthAndDay(text, next, end), end);
  }

  /** A month's name and a day: `Mar  5`, `Mar-05`. */
  #namedMonthAndDay(text: string, at: number, end: number): number {
    const monthEnd = wordEnd(text, at, end);
    const month = monthOf(text.slice(at, monthEnd));
    const next = isDateMark(text.charCodeAt(monthEnd)) ? blanksEnd(text, monthEnd + 1, end) : monthEnd;
    const dayEnd = digitsTo(text, next, end);
    return next > monthEnd && month >= 0 && this.#setDay(month, numberOf(text, next, dayEnd)) ? ordinalEnd(text, dayEnd) : -1;
  }

  /** Behind month and day: a year and a time, or a time that perhaps has a zone and the year behind it. */
  #thenYear(text: string, at: number, end: number): number {
    if (at < 0) return -1;
    const mark = text.charCodeAt(at);
    const next = blanksEnd(text, mark === COMMA || mark === SLASH || mark === DASH ? at + 1 : at, end);
    const to = digitsTo(text, next, end);
    if (next > at && to - next === 4 && isYear(integerIn(text, next, to))) {
      this.#year = integerIn(text, next, to);
      return this.#thenTime(text, to, end);
    }
    const after = this.#time.read(text, gapEnd(text, at, end), end);
    if (after < 0) return -1;
    const year = this.#yearBehind(text, after, end);
    return year < 0 ? this.#instant(text, after, end) : year;
  }

  /** ` 2021`, ` CET 2021` or ` 2021 +0100` behind a time; -1: there is no year. */
  #yearBehind(text: string, at: number, end: number): number {
    const zone = this.#zone.read(text, at, end);
    const next = blanksEnd(text, zone < 0 ? at : zone, end);
    const to = digitsTo(text, next, end);
    if (to - next !== 4 || text.charCodeAt(next - 1) !== 32 || text.charCodeAt(to) === COLON || !isYear(integerIn(text, next, to)))
      return -1;
    this.#year = integerIn(text, next, to);
    if (zone < 0) return this.#instant(text, to, end);
    return this.#instant(text, at, end) < 0 ? -1 : to;
  }

  #thenTime(text: string, at: number, end: number): number {
    const time = at < 0 ? -1 : gapEnd(text, at, end);
    if (time < 0) return -1;
    const compact = this.#time.readCompact(text, time, end);
    return this.#instant(text, compact < 0 ? this.#time.read(text, time, end) : compact, end);
  }

  #timeAlone(text: string, at: number, end: number): number {
    const to = this.#time.read(text, at, end);
    if (to < 0 || !(this.#time.hasSeconds || this.#time.halved)) return -1;
    const after = this.#zone.readAround(text, this.#start, to, end);
    const now = this.#now() / 1e9;
    const today = Math.floor(this.#clock.fromUtc(this.#now()) / 1e9 / DAY_SECONDS) * DAY_SECONDS;
    let seconds = this.#toUtc(today + this.#time.seconds);
    if (seconds > now + CLOCK_SKEW) seconds = this.#toUtc(today - DAY_SECONDS + this.#time.seconds);
    this.#set(seconds);
    return after;
  }

  #epoch(text: string, at: number, to: number, end: number): number {
    const seconds = integerIn(text, at, at + 10);
    if (seconds < EARLIEST || seconds >= LATEST) return -1;
    const more = to === at + 10 && (text.charCodeAt(to) === DOT || text.charCodeAt(to) === COMMA) ? digitsTo(text, to + 1, end) : to;
    const after = more === to + 1 ? to : more;
    const follows = text.charCodeAt(after);
    if (
      isLetter(follows) ||
      follows === DOT ||
      follows === SLASH ||
      follows === UNDERSCORE ||
      (follows === DASH && isDigit(text.charCodeAt(after + 1)))
    )
      return -1;
    this.ns = BigInt(seconds) * 1_000_000_000n + BigInt(nanosecondsIn(text, to > at + 10 ? at + 10 : to + 1, after));
    return after;
  }

  #tai64(text: string, at: number): number {
    TAI64.lastIndex = at;
    const found = TAI64.exec(text);
    if (found === null) return -1;
    const nanoseconds = Number.parseInt(found[2] ?? '0', 16);
    if (nanoseconds > 999_999_999) return -1;
    this.ns = (BigInt(`0x${found[1]}`) - TAI64_EPOCH) * 1_000_000_000n + BigInt(nanoseconds);
    return TAI64.lastIndex;
  }

  /** Sets month and day. False when there is no such day. */
  #setDay(month: number, day: number): boolean {
    this.#month = month;
    this.#day = day;
    return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(this.#year, month);
  }

  /** Takes date and time, and the zone at `at`, as the time that was read. */
  #instant(text: string, at: number, end: number): number {
    if (at < 0) return -1;
    const after = this.#zone.readAround(text, this.#start, at, end);
    const time = this.#time.seconds;
    const shown =
      this.#year === MISSING
        ? recentSeconds(this.#month, this.#day, time, this.#clock.fromUtc(this.#now()) / 1e9)
        : daysSince1970(this.#year, this.#month, this.#day) * DAY_SECONDS + time;
    this.#set(this.#toUtc(shown));
    return after;
  }

  #toUtc(shown: number): number {
    return shown - this.#zone.ahead(shown);
  }

  #set(seconds: number): void {
    this.ns = exactBigInt(seconds, this.#time.fraction);
  }
}
