/** Records of logs of which nothing is known. */
import { injectWritten } from '../base/inject.ts';
import { isDigit, isLetter } from '../base/scan.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { classAtEnd } from './header/header_groups.ts';
import { LogHeader } from './header/log_header.ts';
import { ProgramHeader } from './header/program_header.ts';
import { severityOfWord } from './header/severity.ts';
import { CollectedRecord } from './inner/collected_record.ts';
import { ConsoleFields, type ConsoleRecord } from './inner/console_fields.ts';
import { LogTime, type DateOrder } from '../base/time/log_time.ts';
import { Span } from './syslog/syslog_line.ts';
import { TimeFinder } from './time/time_finder.ts';

const COLUMNS: readonly WriterColumn[] = [
  { name: 'context', kind: 'slice' },
  { name: 'container', kind: 'slice' },
  { name: 'thread', kind: 'slice' },
  { name: 'source', kind: 'slice' },
  { name: 'facility', kind: 'slice' },
  { name: 'event_id', kind: 'number' },
  { name: 'uptime', kind: 'number', representation: 's' },
  { name: 'undated', kind: 'bool' },
];
const [CONTEXT, CONTAINER, THREAD, SOURCE, FACILITY, EVENT, UPTIME, UNDATED] = [0, 1, 2, 3, 4, 5, 6, 7];
/** The prefix of `docker compose logs`: a name, padded with blanks, and a bar. */
const OF_CONTAINER = /^([A-Za-z][\w.-]*) +\| ?/;
const LONGEST_NAME = 64;
/** Characters in front of the time of a text in an envelope, at most. */
const BRACKETS = 2;
const EPOCH_DIGITS = 10;
const LINE_END = 10;
/** The beginning of errors in Oracle's alert log; those of an internal error and of a crash. */
const ORACLE = 'ORA-';
const ORACLE_ERROR = /(?:^|\n|\] |\d )ORA-0*([1-9]\d{0,4})(?::| )/;
const ORACLE_INTERNAL: ReadonlySet<string> = new Set(['600', '7445', '700']);
const [CRITICAL, ERROR] = [2, 3];
/** Microseconds behind a time of OpenVPN. */
const OPENVPN = / us=(\d{1,6})(?= )/y;
const NS_IN_US = 1000n;
const NS_IN_S = 1_000_000_000n;
/** A process that strace follows, on a terminal and in a file. */
const STRACE = /(?:\[pid +(\d{1,7})\] |(\d{1,7}) {1,4}(?=[0-2]\d:[0-5]\d:[0-5]\d[ .]|1\d{9}\.\d{6} ))/y;
/** A call that strace tells behind the time: without one, six digits are a date. */
const CALL = /[\d.]* (?:\w+\(|<\.\.\. |\+\+\+ |--- )/y;
const DATE_DIGITS = /\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]) /y;
/** Characters between two times of a record, at most. */
const NEAR = 80;
/** Characters of `13:07:59`. */
const WHOLE_SECONDS = 8;
const HAS_DIGIT = /\d/;
/** `WARNING: `, in any language. */
const SECOND_LINE = /([A-Z\xc0-\xdc]{3,15}): /y;
/** Behind the date in `=ERROR REPORT==== 5-Mar-2021::13:07:59 ===`. */
const ERLANG = ' ===';
/** Characters that may stand right before a time. */
const OPENING = new Set([...' \t[(<{"\'=:,#'].map((character) => character.charCodeAt(0)));
/** Separators of columns, as in the logs of batch systems. */
const SEPARATORS = new Set([...';,'].map((character) => character.charCodeAt(0)));
const CLOSING = new Set([...'])>}"\''].map((character) => character.charCodeAt(0)));

/** Whether no words are left: all of the record, such as `End-Date: 2021-03-05  13:08:03`, are its words then. */
function isBlankFrom(record: string, at: number): boolean {
  return record.length - at < LONGEST_NAME && record.slice(at).trim() === '';
}

/** Reads one record at a time: its first line has a time and a header, all others belong to its words. */
export class AnyRecord {
  readonly container = new Span();
  /** The position behind the container's name. */
  words = 0;
  readonly #time: LogTime;
  readonly #finder: TimeFinder;
  readonly #header = new LogHeader();
  readonly #program = new ProgramHeader();
  readonly #context = new Span();
  #ns = 0n;
  readonly #type: string | null;
  readonly #keepRecord: boolean;
  readonly #writer: MessageWriter;
  readonly #collected: CollectedRecord;
  readonly #isInner: boolean;
  readonly #console = new ConsoleFields();
  readonly #tables = new TableWriter();
  /** The words and fields of a record that a logger wrote on a console; null: it has words alone. */
  #fields: ConsoleRecord | null = null;

  /** @param now when the text of an envelope was written, in nanoseconds since 1970; null: records are those of the decoder itself, by its parameters */
  constructor(now: (() => number) | null = null) {
    const order = now === null ? (stringConfig('date_order') as DateOrder) : 'auto';
    this.#time = new LogTime(now ?? (() => read_message('Timestamp') ?? 0), configuredClock(), order);
    this.#finder = new TimeFinder(this.#time);
    this.#type = now === null ? stringConfig('type', null) : null;
    this.#keepRecord = now === null && boolConfig('payload_keep');
    this.#isInner = now !== null;
    this.#collected = new CollectedRecord(COLUMNS);
    this.#writer = this.#isInner ? this.#collected : message_writer(COLUMNS);
  }

  /** The message of a text in an envelope; null: it does not begin with a time. */
  read(text: string): LogMessage | null {
    this.begin(text);
    return this.#isInner && this.#compose(text, 0) && this.#finder.from <= BRACKETS ? this.#taken() : null;
  }

  /** Takes the prefix off. `container` and `words` are of this record then. */
  begin(record: string): void {
    this.container.set(0, 0);
    this.words = 0;
    const bar = record.indexOf('|');
    if (bar < 0 || bar > LONGEST_NAME || !isLetter(record.charCodeAt(0))) return;
    const found = OF_CONTAINER.exec(record);
    if (found === null || severityOfWord(found[1] as string) >= 0) return;
    this.container.set(0, (found[1] as string).length);
    this.words = found[0].length;
  }

  /**
   * Injects the message of the record that began last. Returns the status of `process_message`.
   * @param offset of the record in the payload's text; -1: it stands there in another form
   */
  inject(record: string, offset: number, written: string): ProcessStatus {
    this.#compose(record, offset);
    const writer = this.#fields === null ? this.#writer : this.#collected;
    if (this.#keepRecord) writer.payload(written);
    return this.#fields === null ? injectWritten(writer) : this.#tables.inject(this.#taken());
  }

  /** The message that was collected, with the fields behind its words. */
  #taken(): LogMessage {
    const message = this.#collected.take();
    if (this.#fields !== null) (message.Fields as LogField[]).push(...this.#fields.fields);
    return message;
  }

  /** Writes the message of the record that began last. Returns whether it has a time. */
  #compose(record: string, offset: number): boolean {
    const line = record.indexOf('\n', this.words);
    const end = line < 0 ? record.length : line;
    const process = this.#processAt(record, this.words);
    const dated = this.#finder.find(record, process < 0 ? this.words : STRACE.lastIndex, end);
    this.#ns = this.#time.ns;
    const words = this.#readHeader(record, dated && process < 0, dated, end);
    if (process >= 0) this.#header.pid = process;
    this.#fields = this.#program.words === null ? this.#console.readBehind(record, this.words, words) : null;
    this.#write(record, offset, { dated, words });
    return dated;
  }

  /**
   * Reads what stands around the time. Returns the position of the words.
   * @param hasContext what stands in front of the time is not read yet
   */
  #readHeader(record: string, hasContext: boolean, dated: boolean, end: number): number {
    const header = this.#header;
    header.begin();
    this.#context.set(0, 0);
    if (hasContext) this.#readBefore(record, this.#finder.from);
    // The level that stands right before the digits of a date, as in `I0305 13:07:59.250`.
    if (dated && isLetter(record.charCodeAt(this.#finder.from)) && isDigit(record.charCodeAt(this.#finder.from + 1)))
      header.severity = severityOfWord(record.charAt(this.#finder.from));
    let from = dated ? this.#behindTime(record, end) : this.words;
    const program = this.#readProgram(record, from, dated);
    if (program >= 0) return program;
    if (dated && record.startsWith(ERLANG, from)) from += ERLANG.length;
    if (dated && record.startsWith(' us=', from)) from = this.#microseconds(record, from);
    if (dated && record.startsWith(' >', from) && record.startsWith('<', this.words)) from++;
    while (dated && from < end && CLOSING.has(record.charCodeAt(from))) from++;
    if (dated && from < end && SEPARATORS.has(record.charCodeAt(from))) from++;
    let words = header.read(record, from, end);
    if (dated && header.severity < 0) header.readBefore(record, this.words, this.#finder.from);
    if (header.severity < 0) words = header.readFurther(record, words, end);
    if (header.severity < 0 && end < record.length) this.#readSecondLine(record, end + 1);
    if (header.severity < 0 && record.includes(ORACLE)) this.#readOracle(record);
    const name = header.component.empty ? classAtEnd(record, end) : undefined;
    if (name !== undefined) header.component.set(end - 1 - name.length, end - 1);
    return words;
  }

  /** Reads a header that only one program writes. Returns the position of the words, or -1. */
  #readProgram(record: string, from: number, dated: boolean): number {
    const program = this.#program;
    const words = program.read(record, from, dated ? this.#finder.from : -1);
    if (words < 0) return -1;
    const header = this.#header;
    header.severity = program.severity;
    if (program.pid >= 0) header.pid = program.pid;
    header.component.set(program.component.from, program.component.to);
    header.source.set(program.source.from, program.source.to);
    header.thread.set(program.thread.from, program.thread.to);
    return words;
  }

  /** The process that `strace -f` names in front of a call; -1: none. */
  #processAt(record: string, at: number): number {
    if (!isDigit(record.charCodeAt(at)) && !record.startsWith('[pid ', at)) return -1;
    STRACE.lastIndex = at;
    const found = STRACE.exec(record);
    if (found !== null && isDateAt(record, at) && !isCallAt(record, STRACE.lastIndex + WHOLE_SECONDS)) return -1;
    return Number(found?.[1] ?? found?.[2] ?? -1);
  }

  /** Adds OpenVPN's microseconds to a time of whole seconds. Returns the position behind them. */
  #microseconds(record: string, at: number): number {
    OPENVPN.lastIndex = at;
    const digits = OPENVPN.exec(record)?.[1];
    if (digits === undefined || this.#ns % NS_IN_S !== 0n) return at;
    this.#ns += BigInt(digits) * NS_IN_US;
    return OPENVPN.lastIndex;
  }

  /** The position behind the time, and behind the same time in words: supercomputers write `1131566461 2005.11.09 dn228 Nov 9 12:01:01`. */
  #behindTime(record: string, end: number): number {
    const { from, to } = this.#finder;
    if (to - from < EPOCH_DIGITS || !isNumber(record, from, from + EPOCH_DIGITS)) return to;
    if (!this.#finder.find(record, to, Math.min(end, to + NEAR))) return to;
    const between = record.slice(to, this.#finder.from).trim();
    this.#finder.from = from;
    return between === '' || between.split(' ').every((word) => HAS_DIGIT.test(word)) ? this.#finder.to : to;
  }

  /** Reads what stands in front of the time. */
  #readBefore(record: string, time: number): void {
    let to = time;
    while (to > this.words && OPENING.has(record.charCodeAt(to - 1))) to--;
    if (to === this.words) return;
    // Tornado's letter, in the bracket of the time.
    if (to === this.words + 2 && record.startsWith('[', this.words) && record.charAt(to) === ' ') {
      this.#header.severity = severityOfCapital(record.charAt(to - 1));
      if (this.#header.severity >= 0) return;
    }
    const from = this.#header.read(record, this.words, to);
    for (let at = from; at < to; at++) {
      const code = record.charCodeAt(at);
      if (isLetter(code) || isDigit(code)) return this.#context.set(from, to);
    }
  }

  /** Java's own logging has the level at the beginning of the second line. */
  #readSecondLine(record: string, at: number): void {
    SECOND_LINE.lastIndex = at;
    const level = SECOND_LINE.exec(record)?.[1];
    if (level !== undefined) this.#header.severity = severityOfWord(level);
  }

  /** An error of Oracle at the beginning of a line. */
  #readOracle(record: string): void {
    const code = ORACLE_ERROR.exec(record)?.[1];
    if (code !== undefined) this.#header.severity = ORACLE_INTERNAL.has(code) ? CRITICAL : ERROR;
  }

  #write(record: string, offset: number, { dated, words }: { dated: boolean; words: number }): void {
    const fields = this.#fields;
    if (this.#isInner || fields !== null) this.#collected.begin(record);
    const writer = fields === null ? this.#writer : this.#collected;
    const { severity, pid, component, thread, source, host, facility } = this.#header;
    if (this.#type !== null) writer.type(this.#type);
    writer.timestamp(dated ? this.#ns : (read_message('Timestamp') ?? 0));
    if (severity >= 0) writer.severity(severity);
    if (pid >= 0) writer.pid(pid);
    const name = component.empty ? this.container : component;
    if (!name.empty) writer.logger(record.slice(name.from, name.to));
    else if (fields?.logger !== undefined) writer.logger(fields.logger);
    if (!host.empty) writer.hostname(record.slice(host.from, host.to));
    const at = fields === null ? offset : 0;
    writeSpan(writer, CONTEXT, this.#context, record, at);
    writeSpan(writer, CONTAINER, this.container, record, at);
    writeSpan(writer, THREAD, thread, record, at);
    writeSpan(writer, SOURCE, source, record, at);
    writeSpan(writer, FACILITY, facility, record, at);
    if (this.#program.event >= 0) writer.number(EVENT, this.#program.event);
    if (this.#program.uptime >= 0) writer.number(UPTIME, this.#program.uptime);
    if (!dated) writer.bool(UNDATED, true);
    const from = isBlankFrom(record, words) ? this.words : record.charCodeAt(words) === LINE_END ? words + 1 : words;
    const { words: own } = this.#program;
    if (own !== null) writer.payload(own);
    else if (fields !== null) {
      if (fields.words !== undefined) writer.payload(fields.words);
    } else if (offset < 0) writer.payload(record.slice(from));
    else writer.payloadSlice(offset + from, offset + record.length);
  }
}

function writeSpan(writer: MessageWriter, column: number, { from, to }: Span, record: string, offset: number): void {
  if (from === to) return;
  if (offset < 0) writer.text(column, record.slice(from, to));
  else writer.slice(column, offset + from, offset + to);
}

function isDateAt(record: string, at: number): boolean {
  DATE_DIGITS.lastIndex = at;
  return DATE_DIGITS.test(record);
}

function isCallAt(record: string, at: number): boolean {
  CALL.lastIndex = at;
  return CALL.test(record);
}

/** The severity of a level's capital letter, or -1. */
function severityOfCapital(letter: string): number {
  return letter === letter.toUpperCase() ? severityOfWord(letter) : -1;
}

function isNumber(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}
