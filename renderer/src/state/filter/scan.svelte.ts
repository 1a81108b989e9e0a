import type { AllEvents } from '../../../../engine/api/types.ts';

/** Part of an event about the view beside its numbers. */
interface Told {
  /** Rows may stand elsewhere than before. */
  readonly moved: boolean;
  /** The filter has gone over all records. */
  readonly whole: boolean;
}

/** Progress of the engine with the filter of a view. */
export class Scan {
  scanned = $state(0);
  records = $state(0);
  /** Rows that the filter has found so far. */
  found = $state(0);
  readonly running = $derived(this.scanned < this.records);
  /** Whether the filter has gone over all records. */
  readonly settled = $derived.by(() => !this.#applying && !this.running);
  /** Of the last event. */
  #revision = -1;
  /** Revision from which on events are about the filter; Infinity: the engine has not answered yet. */
  #since = 0;
  /** The engine has not answered to the filter yet. */
  #applying = $state(false);
  #whole = Promise.withResolvers<boolean>();

  constructor() {
    this.#whole.resolve(true);
  }

  /** Resolves when the filter has gone over all records: with true; with false when another one, or another view, has taken its place. */
  whole(): Promise<boolean> {
    return this.#whole.promise;
  }

  /** The view is opened anew. */
  restart(): void {
    this.#revision = -1;
    this.#since = 0;
    this.#applying = false;
    this.#renew();
    this.#whole.resolve(true);
  }

  /** A filter is sent to the engine. */
  begin(): void {
    this.#since = Infinity;
    this.#applying = true;
    this.#renew();
  }

  /** The engine has the filter. @param since revision from which on events are about it @returns whether it has gone over all records */
  applied(since: number): boolean {
    this.#since = since;
    this.#applying = false;
    // The last progress was that of the filter before.
    if (this.#revision < since) this.scanned = 0;
    return this.#settle();
  }

  take({ scanned, records, found, revision }: Pick<AllEvents['view.changed'], 'scanned' | 'records' | 'found' | 'revision'>): Told {
    this.scanned = scanned;
    this.records = records;
    this.found = found;
    const moved = revision !== this.#revision;
    this.#revision = revision;
    return { moved, whole: this.#settle() };
  }

  /** Whether the last event was about the filter. */
  get isCurrent(): boolean {
    return this.#revision >= this.#since;
  }

  #settle(): boolean {
    if (!this.isCurrent || this.running) return false;
    this.#whole.resolve(true);
    return true;
  }

  #renew(): void {
    this.#whole.resolve(false);
    this.#whole = Promise.withResolvers();
  }
}
