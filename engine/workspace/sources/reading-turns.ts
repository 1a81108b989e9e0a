/** Files that are on the way to their ends at the same time: while one is decoded, others are recognised, read and stored. */
const MOST = 4;
/** Milliseconds after which the next one begins although no other is at its end: none waits long for a large file, a pipe or a slow server. */
const LONGEST_MS = 1000;

/**
 * Lets files begin a few at a time, in the order in which they were opened. Hundreds that are read at once hold the memory of hundreds, and everything
 * else waits behind what they have read.
 */
export class ReadingTurns {
  readonly #waiting = new Map<object, () => void>();
  readonly #reading = new Map<object, NodeJS.Timeout>();

  /** Resolves when a file may begin. */
  async begin(file: object): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.set(file, resolve);
      this.#next();
    });
  }

  /** A file is at its end, or comes to none: those behind it go on. One that waits does not wait any more. */
  end(file: object): void {
    this.#waiting.get(file)?.();
    this.#waiting.delete(file);
    clearTimeout(this.#reading.get(file));
    this.#reading.delete(file);
    this.#next();
  }

  #next(): void {
    for (const [file, begin] of this.#waiting) {
      if (this.#reading.size >= MOST) return;
      this.#waiting.delete(file);
      this.#reading.set(file, setTimeout(() => this.end(file), LONGEST_MS).unref());
      begin();
    }
  }
}
