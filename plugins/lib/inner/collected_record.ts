/** A writer of messages that keeps the message which it is given, instead of injecting it. */
import type { LogField, LogMessage } from '../../modules/table_writer.ts';

type Value = LogField['value'];

/** Takes what a reader of lines writes, as a message. */
export class CollectedRecord implements MessageWriter {
  readonly #columns: WriterColumn[];
  readonly #values: (Value | undefined)[] = [];
  #message: LogMessage = {};
  #text = '';

  constructor(columns: readonly WriterColumn[]) {
    this.#columns = [...columns];
  }

  /** Forgets what was written. @param text in which slices are */
  begin(text: string): this {
    this.#values.length = 0;
    this.#message = {};
    this.#text = text;
    return this;
  }

  /** The message that was written since `begin`. */
  take(): LogMessage {
    const fields: LogField[] = [];
    for (let at = 0; at < this.#values.length; at++) {
      const value = this.#values[at];
      if (value === undefined) continue;
      const { name, representation } = this.#columns[at] as WriterColumn;
      fields.push(representation === undefined ? { name, value } : { name, value, representation });
    }
    this.#message.Fields = fields;
    return this.#message;
  }

  slice(column: number, start: number, end: number): void {
    this.#values[column] = this.#text.slice(start, end);
  }

  text(column: number, value: string): void {
    this.#values[column] = value;
  }

  number(column: number, value: number): void {
    this.#values[column] = value;
  }

  integer(column: number, value: bigint): void {
    this.#values[column] = value;
  }

  bool(column: number, value: boolean): void {
    this.#values[column] = value;
  }

  list(column: number, values: readonly Scalar[] | readonly bigint[]): void {
    this.#values[column] = values;
  }

  timestamp(ns: number | bigint): void {
    this.#message.Timestamp = ns;
  }

  type(value: string): void {
    this.#message.Type = value;
  }

  logger(value: string): void {
    this.#message.Logger = value;
  }

  payload(value: string): void {
    this.#message.Payload = value;
  }

  payloadSlice(start: number, end: number): void {
    this.#message.Payload = this.#text.slice(start, end);
  }

  hostname(value: string): void {
    this.#message.Hostname = value;
  }

  severity(value: number): void {
    this.#message.Severity = value;
  }

  pid(value: number): void {
    this.#message.Pid = value;
  }

  addColumn(column: WriterColumn, at = this.#columns.length): void {
    this.#columns.splice(at, 0, column);
  }

  inject(): void {
    // The message stays until it is taken.
  }

  discard(): void {
    this.begin(this.#text);
  }
}
