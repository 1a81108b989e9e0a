import type { ShellEvents, SourceInfo } from '../../engine/api/types.ts';

export type GoneRecords = ShellEvents['recordsGone'];
type Counted = Pick<SourceInfo, 'kind' | 'label' | 'location' | 'records' | 'state' | 'restoring'>;

const keyOf = ({ kind, location }: Counted): string => `${kind} ${location}`;

/** States of a file that is read to its end, or not read any further. */
const READ: ReadonlySet<SourceInfo['state']> = new Set(['following', 'gone', 'failed', 'paused', 'closed']);

/** The records of the sources when the engine crashed, until the next one has read them again, or has not. */
export class KnownRecords {
  readonly #known = new Map<string, Counted>();
  #isReopened = false;

  /** Keeps the counts of sources that are compared with those of the next engine; those that are not compared yet stay. */
  crashed(sources: readonly Counted[]): void {
    this.#isReopened = false;
    for (const source of sources) {
      const before = this.#known.get(keyOf(source))?.records ?? 0;
      if (source.kind !== 'engine' && source.records > before) this.#known.set(keyOf(source), source);
    }
  }

  /** The files were opened again, as far as that was possible. */
  reopened(): void {
    this.#isReopened = true;
  }

  /** Someone closed a source: nobody misses its records. */
  forget(location: string): void {
    for (const [key, known] of this.#known) if (known.location === location) this.#known.delete(key);
  }

  /** The records that are gone, each once. @param sources as they are in the next engine */
  compare(sources: readonly Counted[]): GoneRecords[] {
    if (this.#known.size === 0) return [];
    const now = new Map(sources.map((source) => [keyOf(source), source]));
    const settled = [...this.#known].filter(([key, { kind }]) => this.#isSettled(kind, now.get(key)));
    for (const [key] of settled) this.#known.delete(key);
    return settled.flatMap(([key, { label, records }]) => {
      const gone = records - (now.get(key)?.records ?? 0);
      return gone > 0 ? [{ label, records: gone }] : [];
    });
  }

  #isSettled(kind: SourceInfo['kind'], source: Counted | undefined): boolean {
    // A live source that is not there may wait for someone to confirm it.
    if (source === undefined) return this.#isReopened && kind === 'file';
    if (kind === 'file') return READ.has(source.state);
    return source.restoring !== true && source.state !== 'opening';
  }
}
