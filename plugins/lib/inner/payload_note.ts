/** A writer of messages that notes what the Payload is. */

/** Hands all on to another writer. */
export class PayloadNote implements MessageWriter {
  readonly #writer: MessageWriter;
  #payload: string | null = null;
  #text = '';

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  /** Forgets the last Payload. @param text in which slices are */
  begin(text: string): this {
    this.#payload = null;
    this.#text = text;
    return this;
  }

  /** The Payload that was written since `begin`; null: none. */
  get noted(): string | null {
    return this.#payload;
  }

  payload(value: string): void {
    this.#payload = value;
    this.#writer.payload(value);
  }

  payloadSlice(start: number, end: number): void {
    this.#payload = this.#text.slice(start, end);
    this.#writer.payloadSlice(start, end);
  }

  slice(column: number, start: number, end: number): void {
    this.#writer.slice(column, start, end);
  }

  text(column: number, value: string): void {
    this.#writer.text(column, value);
  }

  number(column: number, value: number): void {
    this.#writer.number(column, value);
  }

  integer(column: number, value: bigint): void {
    this.#writer.integer(column, value);
  }

  bool(column: number, value: boolean): void {
    this.#writer.bool(column, value);
  }

  list(column: number, values: readonly Scalar[] | readonly bigint[]): void {
    this.#writer.list(column, values);
  }

  timestamp(ns: number | bigint): void {
    this.#writer.timestamp(ns);
  }

  type(value: string): void {
    this.#writer.type(value);
  }

  logger(value: string): void {
    this.#writer.logger(value);
  }

  hostname(value: string): void {
    this.#writer.hostname(value);
  }

  severity(value: number): void {
    this.#writer.severity(value);
  }

  pid(value: number): void {
    this.#writer.pid(value);
  }

  addColumn(column: WriterColumn, at?: number): void {
    if (at === undefined) this.#writer.addColumn(column);
    else this.#writer.addColumn(column, at);
  }

  inject(): void {
    this.#writer.inject();
  }

  discard(): void {
    this.#writer.discard();
  }
}
