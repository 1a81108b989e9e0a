import type { Difference as Answer, DifferenceQuery } from '../api/difference-types.ts';
import { Difference } from '../store/difference/difference.ts';
import type { RecordStore } from '../store/record-store.ts';

/** Milliseconds that an answer may spend on counting. */
const COUNT_MS = 150;

/** The comparison that windows ask for: one at a time, since it keeps some bytes for each record. */
export class Differences {
  readonly #store: RecordStore;
  #current: { readonly key: string; readonly difference: Difference } | null = null;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /**
   * Compares two sides, or goes on; once all is told, the next question begins anew.
   * @throws {EngineError} `query.matcher`, `query.regex`
   */
  async compare(sides: DifferenceQuery): Promise<Answer> {
    const key = JSON.stringify(sides);
    if (this.#current?.key !== key) this.#current = { key, difference: new Difference(this.#store, sides) };
    const { difference } = this.#current;
    await difference.advance(COUNT_MS);
    if (difference.complete && this.#current.difference === difference) this.#current = null;
    return difference.answer();
  }
}
