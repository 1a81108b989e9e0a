/** Sizes are rounded up to a multiple of this, so that the buffer of one batch fits the next. */
const STEP = 1 << 18;
/** Bytes that may be kept for later. */
const MOST_KEPT = 4 << 20;

/** Reuses the memory of segments on their way to the file: allocating it costs more than the work on it. */
export class BufferPool {
  #free: Buffer[] = [];
  #kept = 0;

  /** A buffer of at least this many bytes. */
  take(size: number): Buffer {
    const at = this.#free.findIndex(({ length }) => length >= size);
    if (at < 0) return Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP);
    const [buffer] = this.#free.splice(at, 1) as [Buffer];
    this.#kept -= buffer.length;
    return buffer;
  }

  /** Returns buffers that are not used any more. */
  give(buffers: readonly Buffer[]): void {
    for (const buffer of buffers) {
      if (this.#kept + buffer.length > MOST_KEPT) continue;
      this.#kept += buffer.length;
      this.#free.push(buffer);
    }
  }

  clear(): void {
    this.#free = [];
    this.#kept = 0;
  }
}
