import { firstAtLeast, Positions, type Finder } from './search/finders.ts';
import type { Rows } from './query.ts';
import type { RecordStore } from './record-store.ts';
import { foundRows, nearestSorted } from './sort/nearest-sorted.ts';
import type { Block, RowOrder, Run, RunPlace } from './row-order.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

/** A row that was found, and whether the search went over the end of the list to get there. */
export interface NearestRow {
  readonly row: number;
  readonly wrapped: boolean;
}

interface Candidate {
  readonly run: number;
  readonly place: RunPlace;
  readonly key: number;
}

/**
 * The row nearest to `row` that a finder finds: behind it, or else the first of all; backwards before it, or else the last of all. Only the entries on
 * the way are looked at. null: there is none.
 * @param row −1: before the first
 */
export async function nearestRow(
  store: RecordStore,
  view: RecordView,
  finder: Finder,
  row: number,
  forward: boolean,
): Promise<NearestRow | null> {
  const { order, total, sorted } = view;
  if (sorted !== null) return nearestSorted(store, view, sorted, finder, row, forward);
  const positions = new Positions(store, finder);
  const found = await search(order, positions, await order.placesAt(forward ? row + 1 : Math.max(0, row)), forward);
  if (found !== null) return { row: found, wrapped: false };
  const again = await search(order, positions, await order.placesAt(forward ? 0 : total), forward);
  return again === null ? null : { row: again, wrapped: true };
}

/** The nearest row at or behind these places, or before them. */
async function search(order: RowOrder, positions: Positions, places: readonly RunPlace[], forward: boolean): Promise<number | null> {
  const walks = places.map((place, run) => new Walk(order.runs[run] as Run, place, forward));
  let best: Candidate | null = null;
  for (;;) {
    // The run goes on that can still hold the nearest one.
    let run = -1;
    for (const [i, walk] of walks.entries()) if (walk.goesOn && (run < 0 || walk.isBefore(walks[run] as Walk))) run = i;
    const walk = walks[run];
    if (walk === undefined || (best !== null && walk.isBehind(best.key))) break;
    const place = await walk.step(positions);
    if (place === null) continue;
    const candidate = { run, place, key: await order.keyOf(run, place) };
    if (best === null || isNearer(candidate, best, forward)) best = candidate;
  }
  return best === null ? null : order.rowOf(best.run, best.place);
}

function isNearer(a: Candidate, b: Candidate, forward: boolean): boolean {
  return (forward ? a.key - b.key || a.run - b.run : b.key - a.key || b.run - a.run) < 0;
}

/** A walk along the blocks of one run until something is found. */
class Walk {
  readonly #run: Run;
  readonly #forward: boolean;
  /** Rows of the block that are not looked at: before this index when it goes forward, from it on when it goes backward. */
  #index: number;
  #block: number;

  constructor(run: Run, { block, index }: RunPlace, forward: boolean) {
    this.#run = run;
    this.#forward = forward;
    this.#block = block;
    this.#index = index;
    if (!forward && index === 0) this.#enter(block - 1);
  }

  get goesOn(): boolean {
    return this.#run[this.#block] !== undefined;
  }

  /** Whether its next block may hold something nearer than that of another walk. */
  isBefore(other: Walk): boolean {
    return this.#forward ? this.#bound < other.#bound : this.#bound > other.#bound;
  }

  /** Whether all that it can still find is farther than a row of this key. */
  isBehind(key: number): boolean {
    return this.#forward ? this.#bound > key : this.#bound < key;
  }

  /** Looks at the block. What it finds ends the walk. */
  async step(positions: Positions): Promise<RunPlace | null> {
    const number = this.#block;
    const block = this.#run[number] as Block;
    const index = this.#forward
      ? firstIn(await positions.of(block.entry), block, this.#index)
      : lastIn(await positions.of(block.entry), block, this.#index);
    this.#enter(index === null ? number + (this.#forward ? 1 : -1) : -1);
    return index === null ? null : { block: number, index };
  }

  get #bound(): number {
    const { low, high } = this.#run[this.#block] as Block;
    return this.#forward ? low : high;
  }

  #enter(block: number): void {
    this.#block = block;
    this.#index = this.#forward ? 0 : (this.#run[block]?.count ?? 0);
  }
}

/** Index in the block of the first position at or behind an index. */
function firstIn(positions: Rows, { from, count }: Block, index: number): number | null {
  if (positions === null) return index < count ? index : null;
  const position = positions[firstAtLeast(positions, from + index)];
  return position === undefined || position >= from + count ? null : position - from;
}

/** Index in the block of the last position before an index. */
function lastIn(positions: Rows, { from }: Block, index: number): number | null {
  if (positions === null) return index > 0 ? index - 1 : null;
  const position = positions[firstAtLeast(positions, from + index) - 1];
  return position === undefined || position < from ? null : position - from;
}

/** Counts the rows before a row of the view that are known to be found. */
export async function countBefore(view: RecordView, known: (entry: ViewEntry) => Rows | undefined, row: number): Promise<number> {
  const { order, sorted } = view;
  if (sorted !== null) return sorted.foundBefore(foundRows(view, known), row);
  let count = 0;
  for (const [run, place] of (await order.placesAt(row)).entries()) {
    const blocks = order.runs[run] as Run;
    for (const block of blocks.slice(0, place.block)) count += countIn(known(block.entry), block, block.count);
    const last = blocks[place.block];
    if (last !== undefined) count += countIn(known(last.entry), last, place.index);
  }
  return count;
}

/** Positions among the first `length` rows of a block. */
function countIn(positions: Rows | undefined, { from }: Block, length: number): number {
  if (positions === undefined) return 0;
  if (positions === null) return length;
  return firstAtLeast(positions, from + length) - firstAtLeast(positions, from);
}
