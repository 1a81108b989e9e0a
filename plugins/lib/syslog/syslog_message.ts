/** Common part of the decoders of syslog lines: makes messages of them. */
import { boolConfig, stringConfig } from '../../modules/config.ts';
import { injectWritten } from '../../base/inject.ts';
import { KnownTexts } from '../../base/known_texts.ts';
import { isDigit, recordEnd } from '../../base/scan.ts';
import { Envelope } from '../envelope.ts';
import { AccessColumns } from '../inner/access_columns.ts';
import { isoTimes, wrapped } from '../wrapped.ts';
import { severityInText } from '../header/level_in_text.ts';
import { SyslogLine } from './syslog_line.ts';
import { syslogRecord } from './syslog_record.ts';
import { areWords } from './usual_line.ts';
import { TableWriter, type LogField, type LogMessage } from '../../modules/table_writer.ts';
import { configuredClock } from '../../modules/time_zone.ts';

const [BLANK, QUOTE, OPEN_ROUND, SLASH, EQUALS, FIRST_CAPITAL, LAST_CAPITAL] = [32, 34, 40, 47, 61, 65, 90];
const [DASH, DOT, COLON, OPEN_SQUARE, FIRST_SMALL, LAST_SMALL, BRACE] = [45, 46, 58, 91, 97, 122, 123];
const SHORTEST_RECORD = 6;
/** Digits of a time in seconds since 1970, at least. */
const SECONDS_SINCE_1970 = 9;
/** Length of the longest name of a first pair, or of a host. */
const LONGEST_NAME = 64;
/** Characters by which a text is told from words. */
const HEAD = 16;
/** A letter of glog or of Ruby, a month and a day, a level in capitals. */
const CAPITALS = /^(?:[IWEF]\d{4}|[A-Z], \[|[A-Z][a-z]{2} [ \d]\d |[A-Z]{4,8}[ :\t]+[\d[])/;
const NAMES = /^(?:p?npm|gyp|node-pre-gyp) /;
const PROGRAM = 0;
const FACILITY = 1;
const PROCESS = 2;
const MESSAGE_ID = 3;
const COLUMNS: readonly WriterColumn[] = [
  { name: 'programname', kind: 'slice' },
  { name: 'syslogfacility', kind: 'number' },
  { name: 'procid', kind: 'slice' },
  { name: 'msgid', kind: 'slice' },
];
const TIME_COLUMNS: readonly WriterColumn[] = [{ name: 'envelope_time', kind: 'text' }];

/** Reads syslog lines and injects their messages, by the parameters type and tz. */
export class SyslogMessage {
  readonly line = new SyslogLine(() => read_message('Timestamp') ?? 0, configuredClock());
  readonly #writer = message_writer(COLUMNS);
  readonly #tables = new TableWriter();
  readonly #hosts = new KnownTexts();
  readonly #type = stringConfig('type', null);
  readonly #levels: boolean;
  readonly #envelope: Envelope | null;
  readonly #access: AccessColumns | null;
  readonly #keepPrefix: boolean;
  /** The beginning of the line that was read last. */
  #start = 0;

  /**
   * @param levels a line without a priority has the severity of a level at the beginning of its text
   * @param unwraps a text that is a record of its own is taken apart
   */
  constructor({ levels = false, unwraps = false } = {}) {
    this.#levels = levels;
    this.#envelope = unwraps ? new Envelope() : null;
    this.#access = this.#envelope?.opens === true ? new AccessColumns(COLUMNS, TIME_COLUMNS) : null;
    this.#keepPrefix = unwraps && boolConfig('prefix_keep');
  }

  /** Whether the current record, perhaps with a line end, is a line of syslog. Its parts are in `line` then. */
  read(span: PayloadSpan): boolean {
    this.#start = span.start;
    return this.line.parseSpan(span, recordEnd(span));
  }

  /** Injects the line that was read last, with further fields. Returns the status of `process_message`. */
  inject(span: PayloadSpan, further: readonly LogField[] = []): ProcessStatus {
    const { from, to } = this.line.message;
    const isPlain = this.line.data.empty && further.length === 0;
    if (this.#envelope?.opens === true && this.#mayBeRecord(span)) {
      const status = isPlain ? this.#injectAccess(span, from, to) : null;
      if (status !== null) return status;
      const { text } = span;
      const inner = this.#envelope.open(text.slice(from, to), this.line.ns ?? undefined);
      if (inner !== null) return this.#tables.inject(this.#withPrefix(text, this.#opened(text, further, inner)));
    }
    if (!isPlain) return this.#tables.inject(this.#withPrefix(span.text, this.#table(span, further)));
    this.#writeHead(this.#writer, span);
    this.#write(span);
    return injectWritten(this.#writer);
  }

  #mayBeRecord(span: PayloadSpan): boolean {
    const { units } = span;
    const { from, to } = this.line.message;
    return !(units !== null && areWords(units, from, to)) && mayBeRecord(span.text, from, to);
  }

  /** Injects a line whose text is one of an access log; null: it is no usual one. */
  #injectAccess(span: PayloadSpan, from: number, to: number): ProcessStatus | null {
    const { text } = span;
    const format = this.#access?.formatAt(text, from) ?? null;
    if (format === null || format.end !== to || !format.write(text, from)) return null;
    const { writer, behind } = format;
    const { ns, priority } = this.line;
    this.#writeHead(writer, span);
    if (priority >= 0) writer.severity(priority % 8);
    if (ns !== null) writer.text(behind, isoTimes.of(ns));
    return injectWritten(writer);
  }

  /** The message of a line whose text is a record. */
  #opened(text: string, further: readonly LogField[], inner: LogMessage): LogMessage {
    const outer = syslogRecord(this.line, text, further);
    if (this.#type !== null) outer.Type = this.#type;
    return wrapped(outer, inner);
  }

  #withPrefix(text: string, message: LogMessage): LogMessage {
    if (this.#keepPrefix && message.Payload !== undefined)
      message.Payload = text.slice(this.#start, this.line.message.from) + message.Payload;
    return message;
  }

  #write(span: PayloadSpan): void {
    const { line } = this;
    const writer = this.#writer;
    if (line.ns !== null) writer.timestamp(line.ns);
    const severity = this.#severity(span);
    if (severity >= 0) writer.severity(severity);
    writer.payloadSlice(this.#keepPrefix ? this.#start : line.message.from, line.message.to);
  }

  /** Writes what stands in front of the text, except its time and its severity. */
  #writeHead(writer: MessageWriter, span: PayloadSpan): void {
    const { line } = this;
    if (this.#type !== null) writer.type(this.#type);
    if (!line.host.empty) writer.hostname(this.#hosts.piece(span, line.host.from, line.host.to));
    if (line.pid >= 0) writer.pid(line.pid);
    if (!line.program.empty) writer.slice(PROGRAM, line.program.from, line.program.to);
    if (line.priority >= 0) writer.number(FACILITY, Math.floor(line.priority / 8));
    if (!line.process.empty) writer.slice(PROCESS, line.process.from, line.process.to);
    if (!line.messageId.empty) writer.slice(MESSAGE_ID, line.messageId.from, line.messageId.to);
  }

  /** The severity of the line, or -1. */
  #severity(span: PayloadSpan): number {
    const { priority, message } = this.line;
    if (priority >= 0) return priority % 8;
    return this.#levels ? severityInText(span.text, message.from, message.to) : -1;
  }

  #table(span: PayloadSpan, further: readonly LogField[]): LogMessage {
    const message = syslogRecord(this.line, span.text, further);
    const severity = this.#severity(span);
    if (severity >= 0) message.Severity = severity;
    if (this.#type !== null) message.Type = this.#type;
    return message;
  }
}

/**
 * Whether a text begins as records do: with a brace, a bracket, a digit, colours, a capital with a digit or a date behind it, a host and its port, or a name
 * and an equals sign.
 */
function mayBeRecord(text: string, from: number, to: number): boolean {
  if (to - from < SHORTEST_RECORD) return false;
  const code = text.charCodeAt(from);
  if (code === BRACE) return true;
  if (code < FIRST_CAPITAL) return code !== OPEN_ROUND && code !== QUOTE && code !== SLASH;
  if (code > LAST_SMALL) return false;
  if (code === OPEN_SQUARE) return !isUptime(text, from + 1);
  if (code < FIRST_SMALL) return code <= LAST_CAPITAL && CAPITALS.test(text.slice(from, from + HEAD));
  const end = wordEnd(text, from, Math.min(to, from + LONGEST_NAME));
  const next = text.charCodeAt(end);
  if (next === COLON) return isDigit(text.charCodeAt(end + 1));
  return next === EQUALS || (next === BLANK && NAMES.test(text.slice(from, from + HEAD)));
}

/** The kernel's seconds since the start, `[ 1815.399862]`: fewer digits than those since 1970. */
function isUptime(text: string, at: number): boolean {
  let to = at;
  while (text.charCodeAt(to) === BLANK) to++;
  const from = to;
  while (isDigit(text.charCodeAt(to))) to++;
  return to > from && to < from + SECONDS_SINCE_1970 && text.charCodeAt(to) === DOT;
}

/** The end of the name of a host or of a pair. */
function wordEnd(text: string, at: number, end: number): number {
  while (at < end && isNameCode(text.charCodeAt(at))) at++;
  return at;
}

const isNameCode = (code: number): boolean => (code >= FIRST_SMALL && code <= LAST_SMALL) || code === DOT || code === DASH || isDigit(code);
