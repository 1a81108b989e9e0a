/** Dates of lines of BSD syslog, as daemons, journalctl and network devices write them. */
import { AnyDate } from '../../modules/any_date.ts';
import { Rfc3164Date, daysSince1970, fourDigits, offsetAt } from '../../base/dates.ts';
import { ownCopy } from '../../base/excerpt.ts';
import { exactTime, nanosIn } from '../../base/instant.ts';
import { decimal, digits, isDigit, upToSpace } from '../../base/scan.ts';
import { FormatDate } from '../../base/strftime.ts';
import type { WallClock } from '../../modules/time_zone.ts';
import { zoneHours } from '../../base/zone_names.ts';

const DAY_SECONDS = 86_400;
/** Distance of the decimal point from the end of a number of seconds with microseconds. */
const MICROSECONDS = 7;
const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];
const ZONE = /^ (?:(?<name>[A-Z]{3,5})|(?<offset>[+-]\d\d:?\d\d))(?=[ :]|$)/;
const LONGEST_ZONE = 8;
/** Characters of `Mar  5 13:07:59`. */
const SHORT = 15;
const [BLANK, PLUS, COMMA, DASH, DOT, COLON, UPPER_A, UPPER_T, UPPER_Z] = [32, 43, 44, 45, 46, 58, 65, 84, 90];

/**
 * Reads a date of one of these forms: `Mar  5 13:07:59` in any case, perhaps with a fraction, the year and a zone behind it (`Apr 15 21:28:13 2007`,
 * `Mar 05 13:07:59.250 UTC`), or with the year within or in front; RFC 3339, also without a zone; `Fri 2021-03-05 13:07:59 CET` and
 * `1614949679.250000` of journalctl; behind a priority also `2021-03-05 13:07:59`.
 */
export class SyslogDate {
  /** Nanoseconds since 1970 of the date that was read last. */
  ns: number | bigint = 0;
  readonly #clock: WallClock;
  readonly #short: Rfc3164Date;
  readonly #any: AnyDate;
  /** Network devices write `Mar 05 2021 13:07:59` and `2021 Mar  5 13:07:59`. */
  /** The date of the form `Mar  5 13:07:59 ` that was read last, when the line that it was in was read, and its time. */
  #known = '';
  #knownNow = 0;
  #knownNs: number | bigint = 0;
  readonly #now: () => number;
  readonly #withYear = ['%b %d %Y %T', '%b %e %Y %T', '%Y %b %d %T', '%Y %b %e %T'].map((format) => new FormatDate(format));

  /**
   * @param now when the line was read, in nanoseconds since 1970
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number, clock: WallClock) {
    this.#now = now;
    this.#clock = clock;
    this.#any = new AnyDate(now, clock);
    this.#short = new Rfc3164Date(() => clock.fromUtc(now()), true);
  }

  /** The position after the date that begins at `at`, or -1 when there is none. */
  read(text: string, at: number, end: number, hasPriority: boolean): number {
    if (this.#knows(text, at, end)) return at + SHORT;
    if (text.charCodeAt(at + 4) === DASH) return this.#readCivil(text, at, end, hasPriority);
    const short = this.#short.read(text, at, end);
    if (short >= 0) {
      const to = this.#readBehind(text, short, end, this.#short.seconds, false);
      if (to === at + SHORT && text.charCodeAt(to) === BLANK) this.#remember(text.slice(at, to + 1));
      return to;
    }
    for (const reader of this.#withYear) {
      const dated = reader.read(text, at, end);
      if (dated >= 0) return this.#readBehind(text, dated, end, reader.seconds, true);
    }
    return this.#readJournal(text, at, end);
  }

  /** Whether the date that was read last stands there again, with neither a year nor a zone behind it; `ns` is its time then. */
  #knows(text: string, at: number, end: number): boolean {
    const next = at + SHORT + 1;
    if (next >= end || text.slice(at, next) !== this.#known) return false;
    if (mayBeginYearOrZone(text.charCodeAt(next)) || this.#now() !== this.#knownNow) return false;
    this.ns = this.#knownNs;
    return true;
  }

  #remember(date: string): void {
    this.#known = ownCopy(date);
    this.#knownNow = this.#now();
    this.#knownNs = this.ns;
  }

  /** `2021-03-05T13:07:59.250+01:00`, and with a blank for the T behind a priority; a colon may stand behind it. */
  #readCivil(text: string, at: number, end: number, hasPriority: boolean): number {
    const isWord = text.charCodeAt(at + 10) === UPPER_T;
    if (!isWord && !(hasPriority && text.charCodeAt(at + 10) === BLANK)) return -1;
    const word = upToSpace(text, Math.min(at + 11, end), end);
    const to = text.charCodeAt(word - 1) === COLON ? word - 1 : word;
    return this.#take(this.#any.parse(text.slice(at, to)), to);
  }

  /** `Fri 2021-03-05 13:07:59 CET` and `1614949679.250000`. */
  #readJournal(text: string, at: number, end: number): number {
    const isFull = text.charCodeAt(at + 3) === BLANK && text.charCodeAt(at + 8) === DASH;
    const from = isFull ? at + 4 : at;
    let to = upToSpace(text, from, end);
    if (isFull) for (let i = 0; i < 2; i++) to = upToSpace(text, Math.min(to + 1, end), end);
    else if (decimal(text, at, to) !== to || text.charCodeAt(to - MICROSECONDS) !== DOT) return -1;
    return this.#take(this.#any.parse(text.slice(from, to)), to);
  }

  #take(ns: bigint | null, to: number): number {
    if (ns === null) return -1;
    this.ns = ns;
    return to;
  }

  /** Reads what stands behind a date without a zone that ends at `at`: a fraction of its second, the year, a zone. */
  #readBehind(text: string, at: number, end: number, seconds: number, hasYear: boolean): number {
    const point = at < end ? text.charCodeAt(at) : 0;
    const fraction = point === DOT || point === COMMA ? digits(text, at + 1, end) : -1;
    const nanos = fraction < 0 ? 0 : nanosIn(text, at + 1, fraction);
    let to = fraction < 0 ? at : fraction;
    let shown = seconds;
    let ahead: number | null = null;
    for (let i = 0; i < 2; i++) {
      const zone: Zone | null = ahead === null ? zoneAt(text, to, end) : null;
      const year = hasYear || zone !== null ? -1 : yearAt(text, to, end);
      if (zone !== null) {
        ahead = zone.named ? this.#clock.ahead(shown) || zone.seconds : zone.seconds;
        to = zone.to;
      } else if (year > 0) {
        shown = inYear(shown, year);
        hasYear = true;
        to += 5;
      }
    }
    this.ns = exactTime(shown - (ahead ?? this.#clock.ahead(shown)), nanos);
    return to;
  }
}

/** The year of four digits that is the word behind the blank at `at`, or -1. */
function yearAt(text: string, at: number, end: number): number {
  const to = at + 5;
  if (to > end || text.charCodeAt(at) !== BLANK || !isWordEnd(text, to, end)) return -1;
  const year = fourDigits(text, at + 1);
  return year >= FIRST_YEAR && year <= LAST_YEAR ? year : -1;
}

/** Whether a year or a zone may begin so: with a digit, a sign or a capital letter. */
function mayBeginYearOrZone(code: number): boolean {
  return code <= UPPER_Z && (code >= UPPER_A || isDigit(code) || code === PLUS || code === DASH);
}

/** Whether a blank, or a colon with a blank behind it, follows a word. */
function isWordEnd(text: string, to: number, end: number): boolean {
  const next = to < end && text.charCodeAt(to) === COLON ? to + 1 : to;
  return next < end && text.charCodeAt(next) === BLANK;
}

/** A zone that ends at `to`: the seconds that it is ahead of UTC, and whether a name says so. */
interface Zone {
  readonly to: number;
  readonly seconds: number;
  readonly named: boolean;
}

/** The zone that is the word behind the blank at `at`; null when it is none. */
function zoneAt(text: string, at: number, end: number): Zone | null {
  if (at >= end || text.charCodeAt(at) !== BLANK || !mayBeginYearOrZone(text.charCodeAt(at + 1))) return null;
  const found = ZONE.exec(text.slice(at, Math.min(end, at + LONGEST_ZONE)));
  if (found === null || !isWordEnd(text, at + found[0].length, end)) return null;
  const { name, offset = '' } = found.groups ?? {};
  const seconds = name === undefined ? offsetAt(offset, 0, offset.includes(':') ? 1 : 0) : (zoneHours(name) ?? NaN) * 3600;
  return Number.isNaN(seconds) ? null : { to: at + found[0].length, seconds, named: name !== undefined };
}

/** The same day and time of another year. */
function inYear(seconds: number, year: number): number {
  const date = new Date(seconds * 1000);
  const ofDay = seconds - Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
  return daysSince1970(year, date.getUTCMonth() + 1, date.getUTCDate()) * DAY_SECONDS + ofDay;
}
