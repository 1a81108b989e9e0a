/** Messages whose fields are not known in advance, injected fast. */
import { unexpected } from '../base/arguments.ts';
import { ownText } from '../base/excerpt.ts';
import { injectTable, injectWritten } from '../base/inject.ts';

/** A field of a message, by its name. */
export interface LogField {
  readonly name: string;
  /** A BigInt is an integer of 64 bits. */
  readonly value: Scalar | bigint | readonly Scalar[] | readonly bigint[] | Uint8Array;
  readonly representation?: string;
}

/** A message whose fields are a list. */
export interface LogMessage extends Pick<InjectMessage, 'Uuid' | 'Timestamp' | 'Type' | 'Logger' | 'Payload' | 'EnvVersion' | 'Hostname'> {
  Severity?: number;
  Pid?: number;
  Fields?: readonly LogField[];
}

type Kind = 'text' | 'number' | 'integer' | 'bool';

interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly representation: string | undefined;
  /** Index of the column; it grows when columns are inserted before it. */
  index: number;
  /** The column that last came after this one in a message. */
  next: Column | null;
}

/** Beyond these, fields of ever new names are injected as tables. */
const MOST_COLUMNS = 96;
/** A text is not looked for in longer records. */
const LONG_RECORD = 8192;

/**
 * Injects messages whose fields are not known in advance. The result is that of `inject_message`, in a fraction of its time: the writer adds a column for each
 * new field to a message writer, and refers to texts that occur in the record by their offsets.
 */
export class TableWriter {
  readonly #writer = message_writer([]);
  readonly #columns: Column[] = [];
  #first: Column | null = null;
  #record = '';
  #start = 0;
  /** Position in the record behind the last text that was found; the search for the next one starts there. */
  #at = 0;
  /** Whether the record is short enough to be searched. */
  #isSearched = true;

  /** Injects the message of the current record. Returns the status of `process_message`. */
  inject(message: LogMessage): ProcessStatus {
    if (typeof message !== 'object' || message === null) throw unexpected('inject', 1, 'message', message);
    const { text, start, end } = payload_span();
    this.#record = text.slice(start, end);
    this.#start = start;
    this.#isSearched = end - start <= LONG_RECORD;
    this.#at = this.#isSearched ? 0 : this.#record.length;
    if (isForTables(message) || !this.#writeFields(message.Fields ?? [])) return this.#injectTable(message);
    this.#writeHeaders(message);
    return injectWritten(this.#writer);
  }

  #injectTable(message: LogMessage): ProcessStatus {
    this.#writer.discard();
    return injectTable(message);
  }

  #writeHeaders({ Timestamp, Type, Logger, Severity, Pid, Hostname, Payload }: LogMessage): void {
    const writer = this.#writer;
    if (typeof Timestamp === 'number' || typeof Timestamp === 'bigint') writer.timestamp(Timestamp);
    if (Type !== undefined) writer.type(Type);
    if (Logger !== undefined) writer.logger(Logger);
    if (Severity !== undefined) writer.severity(Severity);
    if (Pid !== undefined) writer.pid(Pid);
    if (Hostname !== undefined) writer.hostname(Hostname);
    if (Payload === undefined) return;
    const from = this.#record.endsWith(Payload) ? this.#record.length - Payload.length : this.#record.indexOf(Payload);
    if (from < 0) writer.payload(Payload);
    else writer.payloadSlice(this.#start + from, this.#start + from + Payload.length);
  }

  /** False when there are no columns for them. */
  #writeFields(fields: readonly LogField[]): boolean {
    let previous: Column | null = null;
    for (let i = 0; i < fields.length; i++) {
      const { name, value, representation } = fields[i] as LogField;
      const kind = typeof value === 'object' ? kindOfAll(value) : kindOf(value);
      const column: Column | null = kind === null ? null : this.#columnAfter(previous, name, kind, representation);
      if (column === null) return false;
      if (typeof value === 'object') this.#writer.list(column.index, value as readonly Scalar[]);
      else this.#writeValue(column, value);
      previous = column;
    }
    return true;
  }

  #writeValue({ index, kind }: Column, value: Scalar | bigint): void {
    if (kind === 'number') this.#writer.number(index, value as number);
    else if (kind === 'integer') this.#writer.integer(index, value as bigint);
    else if (kind === 'bool') this.#writer.bool(index, value as boolean);
    else this.#writeText(index, value as string);
  }

  /** Any place in the record where the text stands will do; fields of an envelope may stand behind those of the record in it. */
  #writeText(index: number, value: string): void {
    const next = this.#record.indexOf(value, this.#at);
    const at = next < 0 && this.#isSearched ? this.#record.indexOf(value) : next;
    if (at < 0) {
      this.#writer.text(index, value);
      return;
    }
    this.#at = at + value.length;
    this.#writer.slice(index, this.#start + at, this.#start + this.#at);
  }

  /** The column for a field behind that of the field before it; null when there are too many. */
  #columnAfter(previous: Column | null, name: string, kind: Kind, representation: string | undefined): Column | null {
    const guess = previous === null ? this.#first : previous.next;
    if (guess !== null && fits(guess, name, kind, representation)) return guess;
    const from = previous === null ? 0 : previous.index + 1;
    const found = this.#columns.find((column) => column.index >= from && fits(column, name, kind, representation));
    const column = found ?? this.#insert(from, name, kind, representation);
    if (previous === null) this.#first = column;
    else previous.next = column;
    return column;
  }

  #insert(index: number, name: string, kind: Kind, representation: string | undefined): Column | null {
    if (this.#columns.length === MOST_COLUMNS) return null;
    this.#writer.addColumn(representation === undefined ? { name, kind } : { name, kind, representation }, index);
    const column: Column = { name: ownText(name), kind, representation, index, next: null };
    this.#columns.splice(index, 0, column);
    for (const [i, moved] of this.#columns.entries()) moved.index = i;
    return column;
  }
}

/** Whether a message has headers that message writers do not have. */
const isForTables = ({ Timestamp, Uuid, EnvVersion }: LogMessage): boolean =>
  typeof Timestamp === 'string' || Uuid !== undefined || EnvVersion !== undefined;

/** The kind of column for a value; null for one that only a table takes. */
function kindOf(value: unknown): Kind | null {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'boolean' ? 'bool' : null;
}

function kindOfAll(values: readonly (Scalar | bigint)[] | Uint8Array): Kind | null {
  if (values instanceof Uint8Array) return null;
  const kind = kindOf(values[0]);
  return values.every((value) => kindOf(value) === kind) ? kind : null;
}

function fits(column: Column, name: string, kind: Kind, representation: string | undefined): boolean {
  return column.name === name && column.kind === kind && column.representation === representation;
}
