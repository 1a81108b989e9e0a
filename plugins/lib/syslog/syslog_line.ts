/** Lines of syslog, taken apart: RFC 5424, RFC 3164 and the files that syslog daemons write. */
import { AnyDate } from '../../modules/any_date.ts';
import { Rfc3339Date } from '../../base/dates.ts';
import { nanoseconds } from '../../base/instant.ts';
import { digits, integerIn, isDash, isDigit, isSpace, upToSpace } from '../../base/scan.ts';
import { structuredDataEnd } from './structured_data.ts';
import { SyslogDate } from './syslog_date.ts';
import { readUsualLine } from './usual_line.ts';
import type { WallClock } from '../../modules/time_zone.ts';

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
const FORWARDED = 'Message forwarded from ';
const REPEATED = ['last message repeated ', '--- last message repeated '];
/** The name of a program with blanks in it, as on macOS: `Google Chrome Helper[1240]: `. */
const SPACED = /[A-Z][\w.()&+-]{0,60}(?: [\w.()&+-]{1,60}){1,5}\[(\d{1,10})\]: ?/y;
/** `1 1614949679.250123456 MX84 flows `. */
const EPOCH = /1 (\d{10}\.\d{1,9}) ([\w.-]{1,255}) ([\w-]{1,48}) /y;
/** Date and time as FortiGate and Sophos write them behind a priority. */
const NAMED_DATE = /(?:device(?:_name)?="[^"]{0,64}" )?date="?(\d{4}-\d\d-\d\d)"? time="?(\d\d:\d\d:\d\d)"?(?= )/y;
/** The same of SonicWall. */
const NAMED_TIME = / {0,2}id=[^\s"=]{1,64} sn=[^\s"=]{1,32} time="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: UTC)?)"/y;
/** The zone of FortiGate's and Sophos' date, which stands a few values behind it: `tz="+0100"`, `timezone="CET"`. */
const NAMED_ZONE = / (?:[\w-]{1,32}=(?:"[^"]{0,64}"|[^\s"]{1,64}) ){0,12}(?:tz|timezone)="?([+-]\d\d:?\d\d|[A-Z]{3,5})"?(?= |$)/y;
/** `: `, `123: `, `000123: router1: *` and the like. */
const DEVICE = /^(?:: )?(?:\d{1,10}: )?(?:(?<host>[\w.-]*[A-Za-z][\w.-]*|\d+\.\d+\.\d+\.\d+): )?(?:\d{1,10}: )?[*.]?/d;
const LONGEST_DEVICE = 300;
const [TAB, BLANK, ZERO, COLON, LESS, GREATER, OPEN, CLOSE] = [9, 32, 48, 58, 60, 62, 91, 93];

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
  /** Position up to which the word that was looked at last surely reaches. */
  #wordEnd = 0;
  readonly #longDate = new Rfc3339Date();
  readonly #date: SyslogDate;
  readonly #anyDate: AnyDate;

  /**
   * @param now when the line was read, in nanoseconds since 1970
   * @param clock the clock of dates without a zone
   */
  constructor(now: () => number, clock: WallClock) {
    this.#date = new SyslogDate(now, clock);
    this.#anyDate = new AnyDate(now, clock);
  }

  /** The same as `parse` for the line of the current record that ends at `end`: usual lines are read from the bytes of their text. */
  parseSpan(span: PayloadSpan, end: number): boolean {
    const { start, units } = span;
    return (units !== null && readUsualLine(this, this.#date, span, units, start, end)) || this.parse(span.text, start, end);
  }

  /**
   * Takes the line [at, end) apart. False when it has neither a priority nor a date. With a priority alone all the rest is the
   * message (RFC 3164, section 4.3.3).
   */
  parse(text: string, at: number, end: number): boolean {
    this.clear();
    const body = this.#readPriority(text, countEnd(text, at, end), end);
    this.structured = this.priority >= 0 && this.#readStructured(text, body, end);
    if (this.structured) return true;
    if (this.#readLegacy(text, body, end)) return true;
    if (this.priority < 0) return false;
    if (this.#readEpoch(text, body, end) || this.#readStructured(text, body, end, true)) return true;
    this.#readNamedDate(text, body);
    this.message.set(body, end);
    return true;
  }

  /** Seconds since 1970, host and kind of event, as Meraki writes them behind a priority. */
  #readEpoch(text: string, at: number, end: number): boolean {
    EPOCH.lastIndex = at;
    const [head, seconds = '', host = '', event = ''] = EPOCH.exec(text) ?? [];
    if (head === undefined || at + head.length > end) return false;
    const to = at + head.length - 1;
    this.ns = this.#anyDate.parse(seconds);
    this.host.set(to - event.length - 1 - host.length, to - event.length - 1);
    this.program.set(to - event.length, to);
    this.message.set(to + 1, end);
    return true;
  }

  /** Takes the time of a message of names and values, which stay in the message. */
  #readNamedDate(text: string, at: number): void {
    NAMED_TIME.lastIndex = at;
    const whole = NAMED_TIME.exec(text)?.[1];
    if (whole !== undefined) this.ns = this.#anyDate.parse(whole);
    if (!text.startsWith('date', at) && !text.startsWith('device', at)) return;
    NAMED_DATE.lastIndex = at;
    const [, date, time] = NAMED_DATE.exec(text) ?? [];
    if (date === undefined) return;
    NAMED_ZONE.lastIndex = NAMED_DATE.lastIndex;
    const zone = NAMED_ZONE.exec(text)?.[1];
    const zoned = zone === undefined ? null : this.#anyDate.parse(`${date} ${time} ${zone}`);
    this.ns = zoned ?? this.#anyDate.parse(`${date} ${time}`);
  }

  clear(): void {
    this.priority = -1;
    this.ns = null;
    this.pid = -1;
    this.host.set(0, 0);
    this.program.set(0, 0);
    this.process.set(0, 0);
    this.messageId.set(0, 0);
    this.data.set(0, 0);
    this.message.set(0, 0);
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

  /**
   * RFC 5424 behind the priority: version, date, host, program, process, message id, structured data, message.
   * @param lenient takes structured data that is none, as Check Point's behind a date, as a part of the message, and dates without a zone
   */
  #readStructured(text: string, at: number, end: number, lenient = false): boolean {
    if (!text.startsWith('1 ', at)) return false;
    const date = at + 2;
    const nil = isDash(text, date, upToSpace(text, date, end));
    const zoned = nil ? date + 1 : this.#longDate.read(text, date, end);
    const afterDate = lenient && zoned < 0 ? upToSpace(text, date, end) : zoned;
    const unzoned = lenient && zoned < 0 ? this.#anyDate.parse(text.slice(date, afterDate)) : null;
    if ((zoned < 0 && unzoned === null) || (nil && lenient)) return false;
    const host = wordAfter(text, afterDate, end);
    const program = wordAfter(text, host, end);
    const process = wordAfter(text, program, end);
    const messageId = wordAfter(text, process, end);
    const strict = messageId < 0 ? -1 : structuredData(text, messageId + 1, end);
    const isSound = strict >= 0 && (strict === end || text.charCodeAt(strict) === BLANK);
    const data = isSound ? strict : lenient ? messageId : -1;
    if (data < 0) return false;

    if (!nil) this.ns = unzoned ?? nanoseconds(this.#longDate);
    setWord(this.host, text, afterDate, host);
    setWord(this.program, text, host, program);
    setWord(this.messageId, text, process, messageId);
    setWord(this.data, text, messageId, data);
    this.#setProcess(text, program + 1, process);
    this.#setMessage(text, data, end);
    return true;
  }

  /** RFC 3164 and what daemons write to files: date, host (or none), program, process in brackets, message. */
  #readLegacy(text: string, start: number, end: number): boolean {
    const at = skipBlanks(text, start, end);
    const plain = this.#date.read(text, at, end, this.priority >= 0);
    const date = plain < 0 ? this.#readDevice(text, at, end) : plain;
    const colon = date >= 0 && date < end && text.charCodeAt(date) === COLON;
    const word = colon ? date + 1 : date;
    if (word < 0 || word >= end || text.charCodeAt(word) !== BLANK) return false;
    this.ns = this.#date.ns;
    const first = this.#readForwarder(text, word + 1, end);
    if (this.#readTag(text, first, end)) return true;
    if (colon || first > word + 1 || !this.host.empty || REPEATED.some((words) => text.startsWith(words, first))) {
      this.message.set(Math.min(first, end), end);
      return true;
    }
    const afterHost = upToSpace(text, this.#wordEnd, end);
    this.host.set(first, afterHost);
    const next = Math.min(afterHost + 1, end);
    const tag = next + 1 < end && text.charCodeAt(next) === COLON && text.charCodeAt(next + 1) === BLANK ? next + 2 : next;
    if (!this.#readTag(text, tag, end) && !this.#readSpacedTag(text, tag, end)) this.message.set(tag, end);
    return true;
  }

  #readSpacedTag(text: string, at: number, end: number): boolean {
    SPACED.lastIndex = at;
    const [tag, process = ''] = SPACED.exec(text) ?? [];
    if (tag === undefined || at + tag.length > end || Number(process) > MAX_PID) return false;
    this.program.set(at, at + tag.lastIndexOf('['));
    this.pid = Number(process);
    this.message.set(at + tag.length, end);
    return true;
  }

  /** `Message forwarded from cdaix66: `, as AIX writes it in the place of the host. The position behind it, or `at`. */
  #readForwarder(text: string, at: number, end: number): number {
    if (text.charCodeAt(at) !== FORWARDED.charCodeAt(0) || !text.startsWith(FORWARDED, at)) return at;
    const from = at + FORWARDED.length;
    const to = text.indexOf(':', from);
    if (to <= from || to >= end || upToSpace(text, from, to) < to) return at;
    this.host.set(from, to);
    return skipBlanks(text, to + 1, end);
  }

  /** Reads the date behind what devices write in front of it: numbers of their messages, their name, and a mark for a clock that is not set. */
  #readDevice(text: string, at: number, end: number): number {
    const prefix = DEVICE.exec(text.slice(at, Math.min(end, at + LONGEST_DEVICE)));
    const from = prefix?.indices?.groups?.['host']?.[0] ?? -1;
    const to = this.#date.read(text, at + (prefix?.[0].length ?? 0), end, this.priority >= 0);
    if (to >= 0 && from >= 0) this.host.set(at + from, at + (prefix?.indices?.groups?.['host']?.[1] ?? from));
    return to;
  }

  /** `program: `, `program[process]: ` and what follows. */
  #readTag(text: string, at: number, end: number): boolean {
    let to = upToTagEnd(text, at, end);
    const program = to;
    this.#wordEnd = to;
    if (program === at || to === end || isSpace(text.charCodeAt(to))) return false;
    let process = -1;
    let pid = 0;
    if (text.charCodeAt(to) === OPEN) {
      process = ++to;
      for (; to < end && isDigit(text.charCodeAt(to)); to++) pid = pid * 10 + text.charCodeAt(to) - ZERO;
      if (to === process || to === end || text.charCodeAt(to) !== CLOSE || pid > MAX_PID) {
        pid = -1;
        to = upToProcessEnd(text, to, end);
        if (to >= end || text.charCodeAt(to) !== CLOSE) return false;
      }
      to++;
    }
    const colon = to < end && text.charCodeAt(to) === COLON;
    if (!colon && process < 0) return false;
    const after = colon ? to + 1 : to;
    if (after < end && !isSpace(text.charCodeAt(after))) return false;
    this.program.set(at, program);
    if (process >= 0) {
      if (pid >= 0) this.pid = pid;
      else this.#setProcess(text, process, colon ? after - 2 : after - 1);
    }
    this.#setMessage(text, after, end);
    return true;
  }

  #setProcess(text: string, from: number, to: number): void {
    if (isDash(text, from, to)) return;
    const pid = digits(text, from, to) === to ? integerIn(text, from, to) : Infinity;
    if (pid <= MAX_PID) this.pid = pid;
    else this.process.set(from, to);
  }

  /** The message follows one blank, without a byte order mark. */
  #setMessage(text: string, at: number, end: number): void {
    let from = at < end && isBlank(text.charCodeAt(at)) ? at + 1 : at;
    if (from < end && text.charCodeAt(from) === BYTE_ORDER_MARK) from++;
    this.message.set(from, end);
  }
}

const LONGEST_COUNT = 7;

/** The position behind a count of octets (RFC 5425) in front of a priority: `123 <34>1 …`. */
function countEnd(text: string, at: number, end: number): number {
  if (!isDigit(text.charCodeAt(at))) return at;
  const to = digits(text, at, Math.min(end, at + LONGEST_COUNT));
  return to >= 0 && text.charCodeAt(to) === BLANK && text.charCodeAt(to + 1) === LESS ? to + 1 : at;
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

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}

/** The position of the first `]` or white space from `at` on. */
function upToProcessEnd(text: string, at: number, end: number): number {
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === CLOSE || code === BLANK || (code >= 9 && code <= 13)) return at;
    at++;
  }
  return end;
}

/** The position of the first `:`, `[` or white space from `at` on. */
function upToTagEnd(text: string, at: number, end: number): number {
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code <= OPEN && (code === OPEN || code === COLON || code === BLANK || (code >= 9 && code <= 13))) return at;
    at++;
  }
  return end;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}
