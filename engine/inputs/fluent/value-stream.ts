import { MsgpackError, ValueScanner } from './msgpack.ts';

/** Bytes that a connection keeps room for between its values. */
const KEPT_BYTES = 1 << 20;

/** Cuts the bytes of a connection into values, which come as they were sent. */
export class ValueStream {
  readonly #maxBytes: number;
  readonly #scanner = new ValueScanner();
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param maxBytes of one value */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a value whose end is not there yet. */
  get waiting(): number {
    return this.#length;
  }

  /** The values that end in this chunk. @throws {MsgpackError} for what is none, or too long; then nothing more can be read */
  *push(chunk: Uint8Array): Generator<Buffer> {
    this.#append(chunk);
    for (;;) {
      const end = this.#scanner.end(this.#bytes.subarray(0, this.#length));
      if ((end < 0 ? this.#length : end) > this.#maxBytes) throw new MsgpackError(`it is longer than ${this.#maxBytes} bytes`);
      if (end < 0) break;
      const value = Buffer.from(this.#bytes.subarray(0, end));
      this.#bytes.copyWithin(0, end, this.#length);
      this.#length -= end;
      yield value;
    }
    if (this.#length === 0 && this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.alloc(0);
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }
}
