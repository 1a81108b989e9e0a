import { LatinText } from './latin-text.ts';

/** Bytes of a text, at most: those of a batch, and of the record with which a listener comes to them. */
const MOST_BYTES = (1 << 20) + (64 << 10);
/** Texts at a time: more than are under way in a pipeline, and than the filters behind it keep until their state is saved. */
const MOST_TEXTS = 32;
/** Milliseconds in which no text is wanted before the memory that is free is given back. */
const REST_MS = 5000;

/**
 * Memory for texts that threads read without a copy. It is used again when a text was released: to map new memory for each of them takes longer than to read a
 * file.
 */
export class TextPool {
  readonly #free: Buffer[] = [];
  #made = 0;
  /** A text that nobody has released, as a script has ended that kept it, takes its memory with it. */
  #isWanted = false;
  #rest: NodeJS.Timeout | null = null;
  readonly #lost = new FinalizationRegistry<null>(() => this.#made--);

  /** A copy of bytes; null: there is no room for it now. */
  text(bytes: Buffer): LatinText | null {
    if (bytes.length > MOST_BYTES) return null;
    const memory = this.#free.pop() ?? this.#newMemory();
    if (memory === null) return null;
    this.#isWanted = true;
    // `set` copies into shared memory word by word.
    bytes.copy(memory);
    const text = new LatinText(memory.subarray(0, bytes.length), () => {
      this.#lost.unregister(memory);
      this.#free.push(memory);
      this.#rest ??= this.#atRest();
    });
    this.#lost.register(text, null, memory);
    return text;
  }

  #newMemory(): Buffer | null {
    if (this.#made >= MOST_TEXTS) return null;
    this.#made++;
    return Buffer.from(new SharedArrayBuffer(MOST_BYTES));
  }

  /** Gives the free memory back once no text was wanted for a while. */
  #atRest(): NodeJS.Timeout {
    this.#isWanted = false;
    return setTimeout(() => {
      this.#rest = this.#isWanted ? this.#atRest() : null;
      if (this.#rest !== null) return;
      this.#made -= this.#free.length;
      this.#free.length = 0;
    }, REST_MS).unref();
  }
}
