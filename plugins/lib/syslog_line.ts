/** Lines of syslog, taken apart: RFC 5424, RFC 3164 and the files that syslog daemons write. */
import { AnyDate } from '../modules/any_date.ts';
import { Rfc3164Date, Rfc3339Date } from '../base/dates.ts';
import { nanoseconds, nanosIn, type Instant } from '../base/instant.ts';
import { decimal, digits, integerIn, isDash, isSpace, upToSpace } from '../base/scan.ts';
import { FormatDate } from '../base/strftime.ts';
import { structuredDataEnd } from './structured_data.ts';
import type { WallClock } from '../modules/time_zone.ts';

/** A piece [from, to) of a text. */
export class Span {
  from = 0;
  to = 0;

  get empty(): boolean {
    return this.from === this.to;
  }

  set(from: number, to: number): void {
    this.from = from;
    this.to = to;
  }
}

const HIGHEST_PRIORITY = 191;
const MAX_PID = 2_147_483_647;
const BYTE_ORDER_MARK = 0xfeff;
/** Distance of the decimal point from the end of a number of seconds with microseconds. */
const MICROSECONDS = 7;
const [TAB, BLANK, DASH, DOT, COLON, LESS, GREATER, OPEN, CLOSE] = [9, 32, 45, 46, 58, 60, 62, 91, 93];

/** Parses one line at a time. Parts that a line does not have are empty, -1 or null. */
export class SyslogLine {
  /** Facility times eight plus severity. */
  priority = -1;
  /** Nanoseconds since 1970, exactly; null when the line has no date. */
  ns: number | bigint | null = null;
  pid = -1;
  /** Whether the line is one of RFC 5424. */
  structured = false;
  readonly host = new Span();
  readonly program = new Span();
  /** The process, when it is no number. */
  readonly process = new Span();
  readonly messageId = new Span();
  readonly data = new Span();
  readonly message = new Span();
  readonly #clock: WallClock;
  readonly #longDate = new Rfc3339Date();
  /** journalctl -o short-iso writes offsets without a colon. */
  readonly #longDates = [this.#longDate, new Rfc3339Date(0)];
  readonly #shortDate: Rfc3164Date;
  readonly #journalDate: AnyDate;
  /** Network devices write `Mar 05 2021 13:07:59`. */
  readonly #datesWithYear = [new FormatDate('%b %d %Y %T'), new FormatDate('%b %e %Y %T')];

  /**
   * @param now when the line was read, in nanoseconds since 1970
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number, clock: WallClock) {
    this.#clock = clock;
    this.#journalDate = new AnyDate(now, clock);
    this.#shortDate = new Rfc3164Date(() => clock.fromUtc(now()));
  }

  /**
   * Takes the line [at, end) apart. False when it has neither a priority nor a date. With a priority alone all the rest is the
   * message (RFC 3164, section 4.3.3).
   */
  parse(text: string, at: number, end: number): boolean {
    this.#clear();
    const body = this.#readPriority(text, at, end);
    this.structured = this.priority >= 0 && this.#readStructured(text, body, end);
    if (this.structured) return true;
    if (this.#readLegacy(text, body, end)) return true;
    if (this.priority < 0) return false;
    this.message.set(body, end);
    return true;
  }

  #clear(): void {
    this.priority = -1;
    this.ns = null;
    this.pid = -1;
    for (const span of [this.host, this.program, this.process, this.messageId, this.data, this.message]) span.set(0, 0);
  }

  #readPriority(text: string, at: number, end: number): number {
    if (text.charCodeAt(at) !== LESS) return at;
    const to = digits(text, at + 1, Math.min(end, at + 4));
    if (to < 0 || to >= end || text.charCodeAt(to) !== GREATER) return at;
    const priority = integerIn(text, at + 1, to);
    if (priority > HIGHEST_PRIORITY) return at;
    this.priority = priority;
    return to + 1;
  }

  /** RFC 5424 behind the priority: version, date, host, program, process, message id, structured data, message. */
  #readStructured(text: string, at: number, end: number): boolean {
    if (!text.startsWith('1 ', at)) return false;
    const date = at + 2;
    const nil = isDash(text, date, upToSpace(text, date, end));
    const afterDate = nil ? date + 1 : this.#longDate.read(text, date, end);
    if (afterDate < 0) return false;
    const host = wordAfter(text, afterDate, end);
    const program = wordAfter(text, host, end);
    const process = wordAfter(text, program, end);
    const messageId = wordAfter(text, process, end);
    const data = messageId < 0 ? -1 : structuredData(text, messageId + 1, end);
    if (data < 0 || (data < end && text.charCodeAt(data) !== BLANK)) return false;

    if (!nil) this.ns = nanoseconds(this.#longDate);
    setWord(this.host, text, afterDate, host);
    setWord(this.program, text, host, program);
    setWord(this.messageId, text, process, messageId);
    setWord(this.data, text, messageId, data);
    this.#setProcess(text, program + 1, process);
    this.#setMessage(text, data, end);
    return true;
  }

  /** RFC 3164 and what daemons write to files: date, host (or none), program, process in brackets, message. */
  #readLegacy(text: string, at: number, end: number): boolean {
    const word = this.#readDate(text, at, end);
    if (word < 0 || word >= end || text.charCodeAt(word) !== BLANK) return false;
    const first = word + 1;
    if (this.#readTag(text, first, end)) return true;
    const afterHost = upToSpace(text, first, end);
    this.host.set(first, afterHost);
    if (!this.#readTag(text, Math.min(afterHost + 1, end), end)) this.message.set(Math.min(afterHost + 1, end), end);
    return true;
  }

  #readDate(text: string, at: number, end: number): number {
    const short = this.#shortDate.read(text, at, end);
    if (short >= 0) return this.#readFraction(text, short, end, this.#shortDate);
    for (const reader of this.#datesWithYear) {
      const dated = reader.read(text, at, end);
      if (dated >= 0) return this.#readFraction(text, dated, end, reader);
    }
    for (const reader of this.#longDates) {
      const long = reader.read(text, at, end);
      if (long < 0) continue;
      this.ns = nanoseconds(reader);
      return long;
    }
    return this.#readJournalDate(text, at, end);
  }

  /** Reads the dates of journalctl with -o short-full and short-unix: `Fri 2021-03-05 13:07:59 CET` and `1614949679.250000`. */
  #readJournalDate(text: string, at: number, end: number): number {
    const isFull = text.charCodeAt(at + 3) === BLANK && text.charCodeAt(at + 8) === DASH;
    const from = isFull ? at + 4 : at;
    let to = upToSpace(text, from, end);
    if (isFull) for (let i = 0; i < 2; i++) to = upToSpace(text, Math.min(to + 1, end), end);
    else if (decimal(text, at, to) !== to || text.charCodeAt(to - MICROSECONDS) !== DOT) return -1;
    const ns = this.#journalDate.parse(text.slice(from, to));
    if (ns === null) return -1;
    this.ns = ns;
    return to;
  }

  /** Notes a date without a zone that ends at `at`, with the fraction that journalctl -o short-precise writes behind it. */
  #readFraction(text: string, at: number, end: number, { seconds }: Instant): number {
    const to = at < end && text.charCodeAt(at) === DOT ? digits(text, at + 1, end) : -1;
    this.ns = this.#clock.timeOf({ seconds, nanos: to < 0 ? 0 : nanosIn(text, at + 1, to) });
    return to < 0 ? at : to;
  }

  /** `program: `, `program[process]: ` and what follows. */
  #readTag(text: string, at: number, end: number): boolean {
    let to = at;
    while (to < end && !isTagEnd(text.charCodeAt(to))) to++;
    const program = to;
    if (program === at) return false;
    let process = -1;
    if (text.charCodeAt(to) === OPEN && to < end) {
      process = to + 1;
      while (to < end && text.charCodeAt(to) !== CLOSE && !isSpace(text.charCodeAt(to))) to++;
      if (text.charCodeAt(to) !== CLOSE || to >= end) return false;
      to++;
    }
    const colon = to < end && text.charCodeAt(to) === COLON;
    if (!colon && process < 0) return false;
    const after = colon ? to + 1 : to;
    if (after < end && !isSpace(text.charCodeAt(after))) return false;
    this.program.set(at, program);
    if (process >= 0) this.#setProcess(text, process, to - 1);
    this.#setMessage(text, after, end);
    return true;
  }

  #setProcess(text: string, from: number, to: number): void {
    if (isDash(text, from, to)) return;
    if (digits(text, from, to) === to && integerIn(text, from, to) <= MAX_PID) this.pid = integerIn(text, from, to);
    else this.process.set(from, to);
  }

  /** The message follows one blank, without a byte order mark. */
  #setMessage(text: string, at: number, end: number): void {
    let from = at < end && isBlank(text.charCodeAt(at)) ? at + 1 : at;
    if (from < end && text.charCodeAt(from) === BYTE_ORDER_MARK) from++;
    this.message.set(from, end);
  }
}

/** The end of a word that follows a blank, or -1. */
function wordAfter(text: string, at: number, end: number): number {
  if (at < 0 || at >= end || text.charCodeAt(at) !== BLANK) return -1;
  const to = upToSpace(text, at + 1, end);
  return to === at + 1 ? -1 : to;
}

/** The end of structured data, or of the dash that stands for none; -1 when it is neither. */
export function structuredData(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== OPEN) return isDash(text, at, upToSpace(text, at, end)) ? at + 1 : -1;
  return structuredDataEnd(text, at, end);
}

/** Notes the word behind the blank at `at`; a dash stands for none. */
function setWord(span: Span, text: string, at: number, to: number): void {
  if (!isDash(text, at + 1, to)) span.set(at + 1, to);
}

function isTagEnd(code: number): boolean {
  return code === COLON || code === OPEN || isSpace(code);
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}
