/** Common part of the decoders of syslog lines: makes messages of them. */
import { stringConfig } from '../../modules/config.ts';
import { injectWritten } from '../../base/inject.ts';
import { withoutLineEnd } from '../../base/scan.ts';
import { Envelope } from '../envelope.ts';
import { wrapped } from '../wrapped.ts';
import { severityInText } from '../header/level_in_text.ts';
import { structuredParameters } from './structured_data.ts';
import { SyslogLine, type Span } from './syslog_line.ts';
import { TableWriter, type LogField, type LogMessage } from '../../modules/table_writer.ts';
import { configuredClock } from '../../modules/time_zone.ts';

const [EQUALS, AT, FIRST_SMALL, LAST_SMALL, BRACE] = [61, 64, 97, 122, 123];
const SHORTEST_RECORD = 6;
/** Length of the longest of these names. */
const LONGEST_NAME = 5;
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

/** Reads syslog lines and injects their messages, by the parameters type and tz. */
export class SyslogMessage {
  readonly line = new SyslogLine(() => read_message('Timestamp') ?? 0, configuredClock());
  readonly #writer = message_writer(COLUMNS);
  readonly #tables = new TableWriter();
  readonly #type = stringConfig('type', null);
  readonly #levels: boolean;
  readonly #envelope: Envelope | null;

  /**
   * @param levels a line without a priority has the severity of a level at the beginning of its text
   * @param unwraps a text that is a record of its own is taken apart
   */
  constructor({ levels = false, unwraps = false } = {}) {
    this.#levels = levels;
    this.#envelope = unwraps ? new Envelope() : null;
  }

  /** Whether the record [start, end), perhaps with a line end, is a line of syslog. Its parts are in `line` then. */
  read(text: string, start: number, end: number): boolean {
    return this.line.parse(text, start, withoutLineEnd(text, start, end));
  }

  /** Injects the line that was read last, with further fields. Returns the status of `process_message`. */
  inject(text: string, further: readonly LogField[] = []): ProcessStatus {
    const { from, to } = this.line.message;
    const inner = this.#envelope !== null && mayBeRecord(text, from, to) ? this.#envelope.open(text.slice(from, to)) : null;
    if (inner !== null) return this.#tables.inject(this.#opened(text, further, inner));
    if (!this.line.data.empty || further.length > 0) return this.#tables.inject(this.#table(text, further));
    this.#write(text);
    return injectWritten(this.#writer);
  }

  /** The message of a line whose text is a record. */
  #opened(text: string, further: readonly LogField[], inner: LogMessage): LogMessage {
    const { priority, ns } = this.line;
    const { Payload: _, ...outer } = this.#table(text, further);
    const time = ns === null ? undefined : isoTime(ns);
    return wrapped(outer, inner, { time, severity: priority < 0 ? undefined : priority % 8 });
  }

  #write(text: string): void {
    const { line } = this;
    const writer = this.#writer;
    if (this.#type !== null) writer.type(this.#type);
    if (line.ns !== null) writer.timestamp(line.ns);
    if (!line.host.empty) writer.hostname(cut(text, line.host));
    if (line.pid >= 0) writer.pid(line.pid);
    if (!line.program.empty) writer.slice(PROGRAM, line.program.from, line.program.to);
    const severity = this.#severity(text);
    if (severity >= 0) writer.severity(severity);
    if (line.priority >= 0) writer.number(FACILITY, Math.floor(line.priority / 8));
    if (!line.process.empty) writer.slice(PROCESS, line.process.from, line.process.to);
    if (!line.messageId.empty) writer.slice(MESSAGE_ID, line.messageId.from, line.messageId.to);
    writer.payloadSlice(line.message.from, line.message.to);
  }

  /** The severity of the line, or -1. */
  #severity(text: string): number {
    const { priority, message } = this.line;
    if (priority >= 0) return priority % 8;
    return this.#levels ? severityInText(text, message.from, message.to) : -1;
  }

  /** The same, with fields that have no columns: structured data and others. */
  #table(text: string, further: readonly LogField[]): LogMessage {
    const { line } = this;
    const fields: LogField[] = [];
    if (!line.program.empty) fields.push({ name: 'programname', value: cut(text, line.program) });
    if (line.priority >= 0) fields.push({ name: 'syslogfacility', value: Math.floor(line.priority / 8) });
    if (!line.process.empty) fields.push({ name: 'procid', value: cut(text, line.process) });
    if (!line.messageId.empty) fields.push({ name: 'msgid', value: cut(text, line.messageId) });
    if (!line.data.empty) for (const [name, value] of structuredParameters(cut(text, line.data))) fields.push({ name, value });
    for (const field of further) fields.push(field);

    const message: LogMessage = { Payload: cut(text, line.message), Fields: fields };
    if (this.#type !== null) message.Type = this.#type;
    if (line.ns !== null) message.Timestamp = line.ns;
    if (!line.host.empty) message.Hostname = cut(text, line.host);
    const severity = this.#severity(text);
    if (severity >= 0) message.Severity = severity;
    if (line.pid >= 0) message.Pid = line.pid;
    return message;
  }
}

const NS_IN_MS = 1_000_000n;
const isoTime = (ns: number | bigint): string => new Date(Number(BigInt(ns) / NS_IN_MS)).toISOString();

/** Whether a text begins as an object, or as pairs do whose first name is `ts`, `msg`, `time` or `level`. */
function mayBeRecord(text: string, from: number, to: number): boolean {
  const code = text.charCodeAt(from);
  if (code < FIRST_SMALL) return code === AT && to - from > SHORTEST_RECORD;
  if (code > LAST_SMALL) return code === BRACE && to - from > SHORTEST_RECORD;
  for (let at = from + 2; at <= from + LONGEST_NAME; at++) if (text.charCodeAt(at) === EQUALS) return to - from > SHORTEST_RECORD;
  return false;
}

function cut(text: string, { from, to }: Span): string {
  return text.slice(from, to);
}
