import { intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';

/** Records of a batch that are looked at. */
const LOOKED_AT = 64;

/** The headers that some kinds of records have and others have not. */
const READERS = {
  Hostname: ({ hostname }: MessageBatch, row: number) => textAt(hostname, row) ?? '',
  Logger: ({ logger }: MessageBatch, row: number) => textAt(logger, row) ?? '',
  Pid: ({ pid }: MessageBatch, row: number) => intAt(pid, row)?.toString() ?? '',
};
export type SeenHeader = keyof typeof READERS;
const NAMES = Object.keys(READERS) as SeenHeader[];

/** Says which headers the first records of batches have, and in which they differ. */
export class SeenHeaders {
  /** Two values of each at most. */
  readonly #values = new Map<SeenHeader, Set<string>>();

  /** Headers that any record has. */
  get names(): SeenHeader[] {
    return NAMES.filter((name) => this.#values.has(name));
  }

  /** Headers of which records have several values. */
  get several(): SeenHeader[] {
    return NAMES.filter((name) => (this.#values.get(name)?.size ?? 0) > 1);
  }

  take(batch: MessageBatch): void {
    for (const name of NAMES) this.#look(name, batch);
  }

  clear(): void {
    this.#values.clear();
  }

  #look(name: SeenHeader, batch: MessageBatch): void {
    const read = READERS[name];
    const seen = this.#values.get(name) ?? new Set();
    for (let row = 0; row < Math.min(batch.length, LOOKED_AT) && seen.size < 2; row++) {
      const value = read(batch, row);
      if (value !== '') this.#values.set(name, seen.add(value));
    }
  }
}
