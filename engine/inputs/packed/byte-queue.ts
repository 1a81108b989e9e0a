/** The bytes of a source, from which a decoder takes so many at a time. */
export class ByteQueue {
  readonly #source: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The bytes that are there; they stay valid until the next `fill`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** Waits until so many bytes are there. Returns false when the source ends before. */
  async fill(count: number): Promise<boolean> {
    const pieces = [this.bytes];
    let length = this.bytes.length;
    while (length < count && !this.#ended) {
      const next: IteratorResult<Buffer, unknown> = await this.#source.next();
      if (next.done === true) this.#ended = true;
      else {
        // A chunk of a file is a view on a buffer that is read into again.
        pieces.push(Buffer.from(next.value));
        length += next.value.length;
      }
    }
    if (pieces.length > 1) {
      this.#bytes = Buffer.concat(pieces);
      this.#at = 0;
    }
    return length >= count;
  }

  /** Goes past bytes that are there. */
  drop(count: number): void {
    this.#at += count;
  }

  /** Goes past bytes, of which the source may have fewer. Returns false then. */
  async skip(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (!(await this.fill(1))) return false;
      const dropped = Math.min(left, this.bytes.length);
      this.drop(dropped);
      left -= dropped;
    }
    return true;
  }

  /** Ends reading. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
