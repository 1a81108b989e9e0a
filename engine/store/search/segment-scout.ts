import { firstIndex } from '../../message/binary-search.ts';
import { matchingLineOffsets } from '../../search/line-offsets.ts';
import type { RecordStore } from '../record-store.ts';
import type { FilePlace, Segment } from '../segment.ts';

/** The share of segments with hits from which on all of them are looked at. */
const DENSE = 0.5;

/**
 * Finds out by ripgrep in which written segments nothing can be found, so that these need not be read. It reads their file, in which the texts of records are bytes,
 * many times faster than their columns are restored. It knows nothing of segments with characters beyond Latin-1 and of those that are written later.
 */
export class SegmentScout {
  readonly #store: RecordStore;
  readonly #expression: string | null;
  readonly #since = performance.now();
  readonly #stop = new AbortController();
  #looked = 0;
  #found = 0;
  #state: 'waits' | 'runs' | 'ended' = 'waits';
  /** Places of the segments that were written at its start, ascending. */
  #places: readonly FilePlace[] = [];
  /** The same, as far as something may be found there. */
  readonly #likely = new Set<FilePlace>();
  readonly #known = new Set<FilePlace>();
  /** Offset up to which the file was searched. */
  #searched = 0;
  #progress = Promise.withResolvers<void>();

  /** @param expression of ripgrep, by the lines of a text in Latin-1; null: there is none */
  constructor(store: RecordStore, expression: string | null) {
    this.#store = store;
    this.#expression = expression;
  }

  /** Notes that a segment was looked at, and whether something was found. Starts ripgrep when that pays. */
  note(found: boolean): void {
    this.#looked++;
    if (found) this.#found++;
    if (this.#state !== 'waits' || this.#expression === null) return;
    const { bytes, scouting } = this.#store;
    if (performance.now() - this.#since < scouting.afterMs || bytes < scouting.leastBytes) return;
    if (this.#found <= this.#looked * DENSE) void this.#run(this.#expression);
  }

  /** Whether nothing can be found in a segment, as far as it is known. */
  rulesOut({ place }: Segment): boolean {
    return place !== null && this.#known.has(place) && place.offset + place.length <= this.#searched && !this.#likely.has(place);
  }

  /** Waits until it is known of a segment whether something may be found there; null: it is, or it will never be. */
  settled(segment: Segment): Promise<void> | null {
    return this.#isOpen(segment) ? this.#waitFor(segment) : null;
  }

  close(): void {
    this.#state = 'ended';
    this.#stop.abort();
    this.#progress.resolve();
  }

  async #waitFor(segment: Segment): Promise<void> {
    while (this.#isOpen(segment)) await this.#progress.promise;
  }

  #isOpen({ place }: Segment): boolean {
    if (this.#state !== 'runs' || place === null || !this.#known.has(place)) return false;
    return place.offset + place.length > this.#searched && !this.#likely.has(place);
  }

  async #run(expression: string): Promise<void> {
    this.#state = 'runs';
    const written = this.#store.segments.filter(({ place, isNarrow }) => place !== null && isNarrow);
    this.#places = written.map(({ place }) => place as FilePlace).sort((a, b) => a.offset - b.offset);
    for (const place of this.#places) this.#known.add(place);
    try {
      const file = await this.#store.readable();
      if (file !== null && !this.#stop.signal.aborted) await this.#search(expression, file);
    } catch {
      // ripgrep is missing or failed: segments that it has not judged are searched as without it.
    } finally {
      this.#state = 'ended';
      this.#progress.resolve();
    }
  }

  async #search(expression: string, file: { readonly descriptor: number; readonly path: string }): Promise<void> {
    for await (const offsets of matchingLineOffsets(expression, file, this.#stop.signal)) {
      for (const offset of offsets) this.#take(offset);
      this.#progress.resolve();
      this.#progress = Promise.withResolvers();
      if (this.#isDense()) return;
    }
    if (!this.#stop.signal.aborted) this.#searched = Infinity;
  }

  /** Takes the offset of a line: the place that it begins in, or lies in with the end of what stands before it. */
  #take(offset: number): void {
    const place = this.#places[firstIndex(this.#places.length, (i) => (this.#places[i] as FilePlace).offset > offset) - 1];
    if (place !== undefined) this.#likely.add(place);
    this.#searched = offset;
  }

  #isDense(): boolean {
    const passed = firstIndex(this.#places.length, (i) => (this.#places[i] as FilePlace).offset >= this.#searched);
    return passed >= this.#store.scouting.leastSegments && this.#likely.size > passed * DENSE;
  }
}
