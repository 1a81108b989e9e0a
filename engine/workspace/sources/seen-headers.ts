import { HEADER_COLUMNS } from '../../api/columns.ts';
import type { HeaderName } from '../../api/headers.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { valueReader } from '../../store/values.ts';

/** Records of a batch that are looked at. */
const LOOKED_AT = 64;

export type SeenHeader = HeaderName;

/** Says which of the headers that can be columns the first records of batches have, and in which they differ. */
export class SeenHeaders {
  /** Two values of each at most. */
  readonly #values = new Map<SeenHeader, Set<string>>();

  /** Headers that any record has. */
  get names(): SeenHeader[] {
    return HEADER_COLUMNS.filter((name) => this.#values.has(name));
  }

  /** Headers of which records have several values. */
  get several(): SeenHeader[] {
    return HEADER_COLUMNS.filter((name) => (this.#values.get(name)?.size ?? 0) > 1);
  }

  take(batch: MessageBatch): void {
    for (const name of HEADER_COLUMNS) this.#look(name, batch);
  }

  clear(): void {
    this.#values.clear();
  }

  #look(name: SeenHeader, batch: MessageBatch): void {
    const read = valueReader(batch, name);
    const seen = this.#values.get(name) ?? new Set();
    for (let row = 0; row < Math.min(batch.length, LOOKED_AT) && seen.size < 2; row++) {
      const value = read(row) ?? '';
      if (value !== '') this.#values.set(name, seen.add(value));
    }
  }
}
