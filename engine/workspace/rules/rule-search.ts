import { firstIndex } from '../../message/binary-search.ts';
import { partRange, type Segment } from '../../store/segment.ts';
import type { RecordStore, StoreListener } from '../../store/record-store.ts';
import type { Found } from './rule-protocol.ts';

/** Consecutive records that are still to be searched. */
interface Piece {
  from: number;
  to: number;
  /** They came while their source was watched. */
  readonly fresh: boolean;
}

interface RuleSearchOptions {
  readonly store: RecordStore;
  /** Searches records. Their memory is given away. */
  readonly search: (bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array | null) => Promise<Found>;
  /** Is given what was found in a segment. */
  readonly found: (segment: Segment, found: Found, fresh: boolean) => void;
  /** Records were removed: all is to be searched anew, by another search. */
  readonly removed: () => void;
  readonly failed: (error: unknown) => void;
}

/** Searches all records of the store once, those of the earliest time first, then those that come. */
export class RuleSearch implements StoreListener {
  readonly #options: RuleSearchOptions;
  readonly #unsubscribe: () => void;
  readonly #pieces: Piece[] = [];
  #next = 0;
  #searched = 0;
  #running = false;
  #stopped = false;
  #closed = false;

  constructor(options: RuleSearchOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe(this);
    for (const { firstId, length } of [...options.store.segments].sort((a, b) => a.minTime - b.minTime))
      this.#pieces.push({ from: firstId, to: firstId + length, fresh: false });
    void this.#run();
  }

  /** Records that were searched. */
  get searched(): number {
    return this.#searched;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether all records that there are were searched. */
  get complete(): boolean {
    return !this.#running && this.#next >= this.#pieces.length;
  }

  stop(): void {
    this.#stopped = true;
  }

  resume(): void {
    this.#stopped = false;
    void this.#run();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
  }

  appended(index: number, fresh: boolean): void {
    const { firstId, length } = this.#options.store.segments[index] as Segment;
    const last = this.#pieces.at(-1);
    if (last !== undefined && this.#next < this.#pieces.length && last.to === firstId && last.fresh === fresh) last.to += length;
    else this.#pieces.push({ from: firstId, to: firstId + length, fresh });
    void this.#run();
  }

  merged(): void {
    // Records keep their numbers.
  }

  reset(): void {
    this.#options.removed();
  }

  async #run(): Promise<void> {
    if (this.#running || this.#stopped || this.#closed) return;
    this.#running = true;
    // While the thread searches a segment, the next one is read.
    let before: Promise<void> = Promise.resolve();
    try {
      while (!this.#isIdle()) {
        const taken = this.#take();
        if (taken === null) continue;
        const { segment, rows, count, fresh } = taken;
        const bytes = await this.#options.store.encoded(segment);
        await before;
        if (this.#closed) return;
        before = this.#search(segment, bytes, rows, count, fresh);
        // Its failure is met at the next turn.
        before.catch(() => undefined);
      }
      await before;
    } catch (error) {
      this.#stopped = true;
      if (!this.#closed) this.#options.failed(error);
    } finally {
      this.#running = false;
    }
    if (!this.#isIdle()) void this.#run();
  }

  #isIdle(): boolean {
    return this.#closed || this.#stopped || this.#next >= this.#pieces.length;
  }

  async #search(segment: Segment, bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array | null, count: number, fresh: boolean): Promise<void> {
    const found = await this.#options.search(bytes, rows);
    if (this.#closed) return;
    this.#searched += count;
    this.#options.found(segment, found, fresh);
  }

  /** Takes the next segment, and its rows; null: there is none any more. */
  #take(): { readonly segment: Segment; readonly rows: Uint32Array | null; readonly count: number; readonly fresh: boolean } | null {
    const piece = this.#pieces[this.#next] as Piece;
    const { segments } = this.#options.store;
    const at = firstIndex(segments.length, (i) => endOf(segments[i] as Segment) > piece.from);
    const segment = segments[at];
    if (segment === undefined || segment.firstId >= piece.to) {
      this.#next++;
      return null;
    }
    const from = Math.max(0, piece.from - segment.firstId);
    const to = Math.min(segment.length, piece.to - segment.firstId);
    piece.from = endOf(segment);
    if (piece.from >= piece.to) this.#next++;
    if (this.#next >= this.#pieces.length) this.#pieces.length = this.#next = 0;
    const rows = rowsOf(segment, from, to);
    const count = rows?.length ?? segment.length;
    return count === 0 ? null : { segment, rows, count, fresh: piece.fresh };
  }
}

const endOf = ({ firstId, length }: Segment): number => firstId + length;

/** The rows [from, to) that are not removed; null: all of the segment. */
function rowsOf(segment: Segment, from: number, to: number): Uint32Array | null {
  if (from === 0 && to === segment.length && segment.parts.every(({ removed }) => !removed)) return null;
  const rows: number[] = [];
  for (const [i, { removed }] of segment.parts.entries()) {
    if (removed) continue;
    const [start, end] = partRange(segment, i);
    for (let row = Math.max(from, start); row < Math.min(to, end); row++) rows.push(row);
  }
  return Uint32Array.from(rows);
}
