/** Messages of records whose fields are not known before they are read. */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { wrapped } from './wrapped.ts';
import { severityInText } from './header/level_in_text.ts';
import { HeaderNames, type Header, type HeaderDefaults, type HeaderPlace } from './header/record_headers.ts';

/** A value that may become a header. */
interface Candidate {
  readonly rank: number;
  readonly value: Scalar | bigint;
  /** The field that it becomes when another candidate becomes the header. */
  readonly field: LogField;
}

export interface RecordOptions {
  /** A message without a time has the field undated. */
  readonly marksUndated?: boolean;
  /** false: parameters are of no concern, as for a record within another one. */
  readonly isConfigured?: boolean;
}

/**
 * Collects the fields of one record and injects its message, by the parameters type and payload_keep and those of `HeaderNames`. What a header
 * cannot take stays a field.
 */
export class RecordMessage {
  readonly #names: HeaderNames;
  readonly #type: string | null;
  readonly #keepPayload: boolean;
  #fields: LogField[] = [];
  readonly #writer = new TableWriter();
  readonly #candidates = new Map<Header, Candidate>();
  readonly #marksUndated: boolean;

  constructor(defaults: HeaderDefaults, { marksUndated = false, isConfigured = true }: RecordOptions = {}) {
    this.#names = new HeaderNames(defaults, isConfigured);
    this.#type = isConfigured ? stringConfig('type', null) : null;
    this.#keepPayload = isConfigured && boolConfig('payload_keep');
    this.#marksUndated = marksUndated;
  }

  /** Forgets the last record. */
  begin(): void {
    this.#fields = [];
    this.#candidates.clear();
  }

  /** Whether a value of this name may become the Timestamp. */
  isTime(name: string): boolean {
    return this.#names.placeOf(name)?.header === 'time';
  }

  /** Adds a value; `written` is what a header is made of, when that is not the value itself. */
  add(name: string, value: LogField['value'], representation?: string, written?: string): void {
    const field: LogField = representation === undefined ? { name, value } : { name, value, representation };
    const place = this.#names.placeOf(name);
    if (place === undefined || typeof value === 'object') this.#fields.push(field);
    else this.#offer(place, written ?? value, field);
  }

  /** The better of two fields for one header is its candidate: the first name whose value fits. */
  #offer({ header, rank }: HeaderPlace, value: Scalar | bigint, field: LogField): void {
    const other = this.#candidates.get(header);
    if (other !== undefined) {
      const isBetter = rank < other.rank ? this.#fits(header, value, field.name) : !this.#fits(header, other.value, other.field.name);
      this.#fields.push(isBetter ? other.field : field);
      if (!isBetter) return;
    }
    this.#candidates.set(header, { rank, value, field });
  }

  #fits(header: Header, value: Scalar | bigint, name: string): boolean {
    switch (header) {
      case 'time':
        return this.#names.time(value) !== null;
      case 'severity':
        return this.#names.severity(value, name) >= 0;
      case 'pid':
        return this.#names.pid(value) >= 0;
      case 'hostname':
      case 'logger':
        return value !== '';
      case 'message':
        return true;
    }
  }

  /**
   * Injects the message; [start, end) of the text is the record. Returns the status of `process_message`.
   * @param known headers that are no field, but for which fields may be better
   * @param open takes apart a message that is a record of its own; null: it is words
   */
  inject(
    text: string,
    start: number,
    end: number,
    known: LogMessage = {},
    open: ((text: string, time: LogMessage['Timestamp']) => LogMessage | null) | null = null,
  ): ProcessStatus {
    let message: LogMessage = { ...known, Fields: this.#fields };
    const refused = this.#setHeaders(message);
    if (refused !== null) return refused;
    const inner = open === null || message.Payload === undefined ? null : open(message.Payload, message.Timestamp);
    if (inner !== null) message = this.#opened(message, inner);
    else if (open !== null && message.Severity === undefined && message.Payload !== undefined) {
      const severity = severityInText(message.Payload, 0, message.Payload.length);
      if (severity >= 0) message.Severity = severity;
    }
    if (this.#marksUndated && message.Timestamp === undefined) this.#fields.push({ name: 'undated', value: true });
    if (this.#type !== null) message.Type = this.#type;
    if (this.#keepPayload) message.Payload = text.slice(start, end);
    return this.#writer.inject(message);
  }

  /** A message with the record that its text is. */
  #opened(outer: LogMessage, inner: LogMessage): LogMessage {
    const time = this.#candidates.get('time')?.value;
    const whole = wrapped(outer, inner, { time: time === undefined ? undefined : String(time) });
    this.#fields = whole.Fields as LogField[];
    return whole;
  }

  /**
   * The message of a record within another one.
   * @param known headers that are no field, but for which fields may be better
   */
  build(known: LogMessage = {}): LogMessage {
    const message: LogMessage = { ...known, Fields: this.#fields };
    this.#setHeaders(message);
    return message;
  }

  /** Why the record is refused; null: it is not. */
  #setHeaders(message: LogMessage): ProcessStatus | null {
    for (const [header, { value, field }] of this.#candidates) {
      if (this.#setHeader(message, header, value, field.name)) continue;
      if (header === 'time' && this.#names.strictTime) return [-1, `${field.name} is not a time that can be read`];
      this.#fields.push(field);
    }
    return null;
  }

  /** False when the value is none for this header. */
  #setHeader(message: LogMessage, header: Header, value: Scalar | bigint, name: string): boolean {
    switch (header) {
      case 'time': {
        const ns = this.#names.time(value);
        if (ns !== null) message.Timestamp = ns;
        return ns !== null;
      }
      case 'severity': {
        const severity = this.#names.severity(value, name);
        if (severity >= 0) message.Severity = severity;
        return severity >= 0;
      }
      case 'pid': {
        const pid = this.#names.pid(value);
        if (pid >= 0) message.Pid = pid;
        return pid >= 0;
      }
      case 'message':
        if (this.#keepPayload) return false;
        message.Payload = String(value);
        return true;
      case 'hostname':
        if (value !== '') message.Hostname = String(value);
        return value !== '';
      case 'logger':
        if (value !== '') message.Logger = String(value);
        return value !== '';
    }
  }
}
