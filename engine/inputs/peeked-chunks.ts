import { setTimeout as delay } from 'node:timers/promises';
import type { Chunks } from './chunks.ts';

/** Milliseconds for which a beginning that is too short waits for more. */
const PATIENCE_MS = 400;

/** A source whose beginning can be looked at before it is read. */
export class PeekedChunks {
  readonly #chunks: Chunks;
  #head: Buffer = Buffer.alloc(0);
  #next: ReturnType<Chunks['next']> | null = null;
  #ended = false;
  /** The reason for which the source cannot be read on. */
  #fault: { readonly error: unknown } | null = null;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  /** Tells whether the source had ended behind the beginning that was looked at. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Returns the first bytes of the source: at least so many, unless it ends before, or pauses or fails behind some.
   * @throws what the source throws before any
   */
  async peek(bytes: number): Promise<Buffer> {
    while (!this.#ended && this.#fault === null && this.#head.length < bytes) {
      this.#next ??= this.#chunks.next();
      const result =
        this.#head.length === 0 ? await this.#next : await patiently(this.#next.catch((error: unknown) => this.#failed(error)));
      if (result === null) break;
      this.#next = null;
      if (result.done === true) this.#ended = true;
      else this.#head = Buffer.concat([this.#head, result.value]);
    }
    return this.#head;
  }

  #failed(error: unknown): null {
    this.#fault = { error };
    return null;
  }

  /** The whole source, what was looked at included. To be called once. */
  async *all(): Chunks {
    try {
      if (this.#head.length > 0) yield this.#head;
      this.#head = Buffer.alloc(0);
      const next = this.#next;
      this.#next = null;
      if (this.#fault !== null) throw this.#fault.error;
      if (next !== null) {
        const { value, done } = await next;
        if (done === true) return;
        yield value;
      }
      if (!this.#ended) yield* this.#chunks;
    } finally {
      await this.close();
    }
  }

  /** Ends reading. Does not wait for data that the source has yet to give. */
  async close(): Promise<void> {
    const closed = this.#chunks.return();
    if (this.#next === null) await closed;
    else closed.catch(() => undefined);
  }
}

/** null: it takes too long. */
async function patiently<T>(next: Promise<T>): Promise<T | null> {
  const timer = new AbortController();
  try {
    return await Promise.race([next, delay(PATIENCE_MS, null, { signal: timer.signal }).catch(() => null)]);
  } finally {
    timer.abort();
  }
}
