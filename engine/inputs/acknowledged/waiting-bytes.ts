/** The bytes of a connection that are not read yet. */
export class WaitingBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** Those that are there: valid until the next call of `add`. */
  get all(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  add(chunk: Buffer): void {
    if (this.length === 0) {
      // Most messages end where the bytes of the system end.
      this.#bytes = chunk;
      [this.#start, this.#end] = [0, chunk.length];
      return;
    }
    if (this.#end + chunk.length > this.#bytes.length) {
      const length = this.length + chunk.length;
      const larger = Buffer.allocUnsafeSlow(length + (length >> 1));
      this.all.copy(larger);
      [this.#bytes, this.#start, this.#end] = [larger, 0, this.length];
    }
    chunk.copy(this.#bytes, this.#end);
    this.#end += chunk.length;
  }

  /** Forgets the first ones. */
  skip(count: number): void {
    this.#start += count;
  }
}
