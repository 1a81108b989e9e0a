/** Dates of lines of BSD syslog, as daemons, journalctl and network devices write them. */
import { AnyDate } from '../../modules/any_date.ts';
import { Rfc3164Date } from '../../base/dates.ts';
import { ownCopy, textOfUnits } from '../../base/excerpt.ts';
import { CivilUnits } from '../../base/civil_units.ts';
import { exactBigInt, exactTime } from '../../base/instant.ts';
import { monthOf } from '../../base/month_names.ts';
import { decimal, isDigit, isLetter, upToSpace } from '../../base/scan.ts';
import { LogTime, type WeakShapes } from '../../base/time/log_time.ts';
import type { WallClock } from '../../modules/time_zone.ts';

/** Distance of the decimal point from the end of a number of seconds with microseconds. */
const MICROSECONDS = 7;
/** Characters of `Mar  5 13:07:59`, and in front of its seconds. */
const SHORT = 15;
const SECONDS_AT = 13;
/** Seconds after which a date of this year would surely be one: the rule leaves a day, and zones differ by hours. */
const NEAR = 43_200;
/** Characters of a short name of a day of the week in any language, and its point. */
const LONGEST_WEEKDAY = 6;
const [BLANK, PLUS, COMMA, DASH, DOT, ZERO, FIVE, COLON, UPPER_A, UPPER_T, UPPER_Z] = [32, 43, 44, 45, 46, 48, 53, 58, 65, 84, 90];
const DATES: WeakShapes = { alone: false, epoch: false };
/** Behind a priority, ten digits are seconds. */
const BEHIND_PRIORITY: WeakShapes = { alone: false, epoch: true };
/** A year behind a comma, and hours to twelve: programs that are none of syslog's write these. */
const OF_PROGRAMS = /, |[AP]M$/;
/** Months that are no word: `3月 05`, `Th03 05`. */
const NUMBERED_MONTH = /(?:\d{1,2}[月월]|Th\d\d) /y;

/**
 * Reads a date of one of these forms: `Mar  5 13:07:59` in any case and language, perhaps with a fraction, the year and a zone behind it (`Apr 15 21:28:13
 * 2007`, `Mar 05 13:07:59.250 UTC`), or with the year within or in front; RFC 3339, also without a zone; `Fri 2021-03-05 13:07:59 CET` and
 * `1614949679.250000` of journalctl; behind a priority any shape that logs have.
 */
export class SyslogDate {
  /** Nanoseconds since 1970 of the date that was read last. */
  ns: number | bigint = 0;
  readonly #clock: WallClock;
  readonly #civil = new CivilUnits();
  readonly #short: Rfc3164Date;
  readonly #any: AnyDate;
  /** The date of the form `Mar  5 13:07:59 ` that was read last, when the line that it was in was read, and its time. */
  #known = '';
  readonly #knownUnits = new Uint8Array(SHORT + 1);
  #knownNow = 0;
  #knownSeconds = 0;
  #knownNs: number | bigint = 0;
  readonly #now: () => number;
  readonly #time: LogTime;

  /**
   * @param now when the line was read, in nanoseconds since 1970
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number, clock: WallClock) {
    this.#now = now;
    this.#clock = clock;
    this.#any = new AnyDate(now, clock);
    this.#short = new Rfc3164Date(() => clock.fromUtc(now()), true);
    this.#time = new LogTime(now, clock, 'auto');
  }

  /** The position after the date that begins at `at`, or -1 when there is none. */
  read(text: string, at: number, end: number, hasPriority: boolean): number {
    if (this.#knows(text, at, end)) return at + SHORT;
    if (text.charCodeAt(at + 4) === DASH) {
      const civil = this.#readCivil(text, at, end);
      return civil < 0 && hasPriority ? this.#readAny(text, at, end) : civil;
    }
    const short = this.#short.read(text, at, end);
    const isPlain = short >= 0 && !mayGoOn(text, short, end);
    if (!isPlain && (hasPriority || short >= 0 || beginsWithMonth(text, at, end))) {
      const any = this.#readAny(text, at, end, hasPriority ? BEHIND_PRIORITY : DATES);
      if (any >= 0 && (hasPriority || !OF_PROGRAMS.test(text.slice(at, any)))) return any;
    }
    if (short < 0) return this.#readJournal(text, at, end);
    const seconds = this.#takeShort();
    if (short === at + SHORT && text.charCodeAt(short) === BLANK) this.#remember(text.slice(at, short + 1), seconds);
    return short;
  }

  /** Takes the time of a short date. Returns its seconds since 1970. */
  #takeShort(): number {
    const { seconds: local } = this.#short;
    const seconds = local - this.#clock.ahead(local);
    this.ns = exactTime(seconds, 0);
    return seconds;
  }

  /** The position after a usual date, of which `ns` is the time: one of RFC 3339, or a short one with a small letter behind it. -1: another one begins at `at`. */
  readUsual(units: Uint8Array, at: number, end: number): number {
    if (units[at + 4] !== DASH) return this.#readShort(units, at, end);
    const to = this.#civil.read(units, at, end);
    if (to < 0 || units[to] !== BLANK) return -1;
    this.ns = exactBigInt(this.#civil.seconds, this.#civil.nanos);
    return to;
  }

  #readShort(units: Uint8Array, at: number, end: number): number {
    const to = at + SHORT;
    if (to + 1 >= end || units[to] !== BLANK || mayBeginYearOrZone(units[to + 1] as number)) return -1;
    if (this.#isOfKnownMinute(units, at)) return to;
    const text = textOfUnits(units, at, to + 1);
    if (this.#short.read(text, 0, SHORT + 1) !== SHORT) return -1;
    this.#remember(text, this.#takeShort());
    return to;
  }

  /** Whether the short date that was read last stands there, or one of the same minute behind it; `ns` is its time then. */
  #isOfKnownMinute(units: Uint8Array, at: number): boolean {
    const known = this.#knownUnits;
    for (let i = SECONDS_AT - 1; i >= 0; i--) if (units[at + i] !== known[i]) return false;
    const now = this.#now();
    if (now !== this.#knownNow) return false;
    const tens = (units[at + SECONDS_AT] as number) - (known[SECONDS_AT] as number);
    const later = tens * 10 + (units[at + SECONDS_AT + 1] as number) - (known[SECONDS_AT + 1] as number);
    if (later === 0 && tens === 0) {
      this.ns = this.#knownNs;
      return true;
    }
    const isSecond = isDigit(units[at + SECONDS_AT + 1] as number) && isSexagesimal(units[at + SECONDS_AT] as number);
    // An earlier one, or one in the future, may be of another year.
    if (!isSecond || later < 0 || this.#knownSeconds > now / 1e9 + NEAR) return false;
    this.ns = exactTime(this.#knownSeconds + later, 0);
    return true;
  }

  /** A date of any shape, behind which the line goes on. */
  #readAny(text: string, at: number, end: number, weak = DATES): number {
    const to = this.#time.read(text, at, end, weak);
    return to >= 0 && isWordEnd(text, to, end) ? this.#take(this.#time.ns, to) : -1;
  }

  /** Whether the date that was read last stands there again, with neither a year nor a zone behind it; `ns` is its time then. */
  #knows(text: string, at: number, end: number): boolean {
    const next = at + SHORT + 1;
    if (next >= end || text.slice(at, next) !== this.#known) return false;
    if (mayBeginYearOrZone(text.charCodeAt(next)) || this.#now() !== this.#knownNow) return false;
    this.ns = this.#knownNs;
    return true;
  }

  #remember(date: string, seconds: number): void {
    this.#known = ownCopy(date);
    for (let i = 0; i <= SHORT; i++) this.#knownUnits[i] = date.charCodeAt(i);
    this.#knownNow = this.#now();
    this.#knownNs = this.ns;
    this.#knownSeconds = seconds;
  }

  /** `2021-03-05T13:07:59.250+01:00`; a colon may stand behind it. */
  #readCivil(text: string, at: number, end: number): number {
    if (text.charCodeAt(at + 10) !== UPPER_T) return -1;
    const word = upToSpace(text, Math.min(at + 11, end), end);
    const to = text.charCodeAt(word - 1) === COLON ? word - 1 : word;
    return this.#take(this.#any.parse(text.slice(at, to)), to);
  }

  /** `Fri 2021-03-05 13:07:59 CET` and `1614949679.250000`. */
  #readJournal(text: string, at: number, end: number): number {
    const weekday = isDigit(text.charCodeAt(at)) ? at : upToSpace(text, at, Math.min(end, at + LONGEST_WEEKDAY));
    const isFull = weekday > at && text.charCodeAt(weekday) === BLANK && text.charCodeAt(weekday + 5) === DASH;
    const from = isFull ? weekday + 1 : at;
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
}

/** Whether it is a digit up to five. */
const isSexagesimal = (code: number): boolean => code >= ZERO && code <= FIVE;

/** Whether a fraction, a year or a zone may follow a date of RFC 3164. */
function mayGoOn(text: string, at: number, end: number): boolean {
  if (at + 1 >= end) return false;
  const code = text.charCodeAt(at);
  return code === BLANK ? mayBeginYearOrZone(text.charCodeAt(at + 1)) : code === DOT || code === COMMA;
}

/** Whether a month begins there, or a year with a month behind it. */
function beginsWithMonth(text: string, at: number, end: number): boolean {
  let from = at;
  if (isDigit(text.charCodeAt(at)) && text.charCodeAt(at + 4) === BLANK && isLetter(text.charCodeAt(at + 5))) from = at + 5;
  NUMBERED_MONTH.lastIndex = from;
  return monthOf(text.slice(from, upToSpace(text, from, end))) > 0 || NUMBERED_MONTH.test(text);
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
