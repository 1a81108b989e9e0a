/** Messages of records whose fields are known before they are read. */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { NumberFields } from './number_fields.ts';
import { HeaderNames, type Header, type HeaderDefaults } from './header/record_headers.ts';

interface Column {
  readonly name: string;
  /** 0 for the column of the date and 1 for that of the time of day, when time_field names both; -1 for any other. */
  readonly part: number;
  /** The header that the values are for; null for a field. */
  readonly header: Header | null;
  /** The writer's columns for pieces of the record and for other texts; the one for numbers is -1 when there are none. */
  readonly piece: number;
  readonly text: number;
  readonly number: number;
}

/** Stands in time_field between the names of the columns of the date and of the time of day. */
const AND = ' + ';

/** Parameters of records, which are read once for all columns. */
export class ColumnOptions {
  readonly headers: HeaderNames;
  /** The columns of the date and of the time of day, when time_field names both. */
  readonly parts = stringConfig('time_field', '').split(AND);
  /** None by default. */
  readonly numbers = new NumberFields(stringConfig('number_fields'));
  readonly type = stringConfig('type', null);
  readonly keepPayload = boolConfig('payload_keep');

  constructor(defaults: HeaderDefaults) {
    this.headers = new HeaderNames(defaults);
  }
}

/**
 * Writes records with these columns, by the parameters number_fields, type and payload_keep and those of `HeaderNames`. What a header cannot
 * take stays a field.
 */
export class ColumnRecord {
  readonly #options: ColumnOptions;
  readonly #columns: readonly Column[];
  readonly #writer: MessageWriter;
  /** Whether the date and the time of day are columns of their own, and those of the record. */
  readonly #isParted: boolean;
  readonly #parts = ['', ''];

  constructor(names: readonly string[], options: ColumnOptions) {
    this.#options = options;
    const { parts } = options;
    this.#isParted = parts.length === 2 && parts.every((name) => names.includes(name));
    const written: WriterColumn[] = [];
    this.#columns = names.map((name, i) => {
      const piece = written.push({ name, kind: 'slice' }) - 1;
      const text = written.push({ name, kind: 'text' }) - 1;
      const number = options.numbers.mayHold(name) ? written.push(numberColumn(name, options.numbers.unitOf(name))) - 1 : -1;
      return { name, part: this.#isParted ? parts.indexOf(name) : -1, header: headerOf(names, i, options.headers), piece, text, number };
    });
    this.#writer = message_writer(written);
  }

  /**
   * Sets the column number `i` to the piece [from, to) of the payload's text, or to `value` when the piece does not spell it out.
   * Returns why the record is refused, or null.
   */
  set(i: number, text: string, from: number, to: number, value: string | null): string | null {
    const column = this.#columns[i] as Column;
    if (column.part >= 0) {
      this.#parts[column.part] = value ?? text.slice(from, to);
      return null;
    }
    if (column.header !== null) {
      if (this.#setHeader(column, text, from, to, value)) return null;
      if (column.header === 'time' && this.#options.headers.strictTime) return `${column.name} is not a time that can be read`;
    }
    if (column.number >= 0) {
      const number = this.#options.numbers.numberOf(column.name, value ?? text.slice(from, to));
      if (!Number.isNaN(number)) {
        this.#writer.number(column.number, number);
        return null;
      }
    }
    if (value === null) this.#writer.slice(column.piece, from, to);
    else this.#writer.text(column.text, value);
    return null;
  }

  /** False when the value is none for the header of the column. */
  #setHeader({ header, name }: Column, text: string, from: number, to: number, value: string | null): boolean {
    const { headers, keepPayload } = this.#options;
    if (header === 'message') {
      if (keepPayload) return false;
      if (value === null) this.#writer.payloadSlice(from, to);
      else this.#writer.payload(value);
      return true;
    }
    const known = value ?? text.slice(from, to);
    switch (header) {
      case 'time': {
        const ns = headers.time(known);
        if (ns !== null) this.#writer.timestamp(ns);
        return ns !== null;
      }
      case 'severity': {
        const severity = headers.severity(known, name);
        if (severity >= 0) this.#writer.severity(severity);
        return severity >= 0;
      }
      case 'pid': {
        const pid = headers.pid(known);
        if (pid >= 0) this.#writer.pid(pid);
        return pid >= 0;
      }
      case 'hostname':
        this.#writer.hostname(known);
        return true;
      case 'logger':
      case null:
        return false;
    }
  }

  /** Injects the message; [start, end) of the text is the record. Returns the status of `process_message`. */
  inject(start: number, end: number): ProcessStatus {
    const { type, keepPayload } = this.#options;
    if (type !== null) this.#writer.type(type);
    if (keepPayload) this.#writer.payloadSlice(start, end);
    if (this.#isParted && !this.#setJoined()) {
      this.discard();
      return [-1, `${this.#options.parts.join(AND)} is no time that can be read`];
    }
    return injectWritten(this.#writer);
  }

  /** Sets the time of the date and the time of day. False when they are none; nothing is to be set when both are empty. */
  #setJoined(): boolean {
    const [day, clock] = this.#parts;
    this.#parts.fill('');
    if (day === '' && clock === '') return true;
    const ns = this.#options.headers.time(`${day} ${clock}`);
    if (ns !== null) this.#writer.timestamp(ns);
    return ns !== null;
  }

  /** Forgets what was set. */
  discard(): void {
    this.#parts.fill('');
    this.#writer.discard();
  }
}

function numberColumn(name: string, representation: string | undefined): WriterColumn {
  return representation === undefined ? { name, kind: 'number' } : { name, kind: 'number', representation };
}

/** The header that the column number `i` is for: none when another column is better for it. */
function headerOf(names: readonly string[], i: number, headers: HeaderNames): Header | null {
  const place = headers.placeOf(names[i] as string);
  if (place === undefined) return null;
  const better = names.findIndex((name, k) => {
    const other = headers.placeOf(name);
    return other?.header === place.header && (other.rank < place.rank || (other.rank === place.rank && k < i));
  });
  return better < 0 ? place.header : null;
}
