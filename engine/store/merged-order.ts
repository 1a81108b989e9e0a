import { firstIndex, firstWhere } from '../message/binary-search.ts';
import type { BlockKeys } from './block-keys.ts';
import type { RecordStore } from './record-store.ts';
import type { Block, RowOrder, Run, RunPlace } from './row-order.ts';
import { RunCursor } from './run-cursor.ts';
import { partRange, type Segment, type SegmentPart } from './segment.ts';
import type { ViewEntry, ViewRow } from './view-entry.ts';

/**
 * The records of several streams merged by time, without a list of all of them. A stream is a source, or one of the files of a source.
 *
 * A record's key is its time, but never below that of a record before it in the same stream: so the records of a stream stay in their order,
 * and its keys ascend. Records of equal key are in order of their streams. The rows of one stream in one segment are a block; of it only
 * bounds of its keys are known until its segment is read. The blocks of one stream do not overlap, so for any time at most one block of each
 * stream must be read to count the rows before it exactly.
 */
export class MergedOrder implements RowOrder {
  /** One for each stream. */
  readonly runs: readonly Run[];
  readonly #store: RecordStore;
  readonly #keys: BlockKeys;
  /** All bounds, ascending. */
  readonly #bounds: Float64Array;

  /** @param keys those of blocks that were read for other orders of the same rows */
  constructor(store: RecordStore, runs: readonly Run[], keys: BlockKeys) {
    this.#store = store;
    this.#keys = keys;
    this.runs = runs;
    this.#bounds = Float64Array.from(runs.flat().flatMap(({ low, high }) => [low, high])).sort();
  }

  /** The rows [start, start + count). */
  async page(start: number, count: number): Promise<ViewRow[]> {
    const { cursors, position } = await this.#before(start);
    await pass(cursors, start - position);
    const page: ViewRow[] = [];
    const take = async (cursor: RunCursor, rows: number): Promise<void> => {
      for (let i = 0; i < rows; i++) page.push(await cursor.row(i));
    };
    await pass(cursors, count, take);
    return page;
  }

  /** The number of rows with a key below a time. */
  async rank(time: number): Promise<number> {
    let rank = 0;
    for (const cursor of await this.#cursorsAt(time)) rank += cursor.rank;
    return rank;
  }

  /** Number of the row that is this record; null: it is not there. */
  async locate(segment: Segment, row: number): Promise<number | null> {
    for (const [run, blocks] of this.runs.entries()) {
      for (const [block, { entry, from, count }] of blocks.entries()) {
        if (entry.segment !== segment) continue;
        const at = entry.rows === null ? row : firstWhere(entry.rows, (shown) => shown >= row);
        if (at < from || at >= from + count || (entry.rows !== null && entry.rows[at] !== row)) continue;
        return this.rowOf(run, { block, index: at - from });
      }
    }
    return null;
  }

  async placesAt(row: number): Promise<RunPlace[]> {
    const { cursors, position } = await this.#before(row);
    await pass(cursors, row - position);
    return cursors.map(({ place }) => place);
  }

  keyOf(run: number, { block, index }: RunPlace): Promise<number> {
    return this.#cursor(run, block, index).key();
  }

  async rowOf(run: number, place: RunPlace): Promise<number> {
    const key = await this.keyOf(run, place);
    let row = ((this.runs[run] as Run)[place.block] as Block).before + place.index;
    for (const other of this.runs.keys()) {
      // Of equal keys, those of the runs before come first.
      if (other !== run) row += (await this.#cursorAt(other, key, other < run)).rank;
    }
    return row;
  }

  spanOf(run: number, block: number): readonly [number, number] {
    const { low, high } = (this.runs[run] as Run)[block] as Block;
    return [this.#about(low), this.#about(high)];
  }

  /** About how many rows have a key below a time, as if the rows of each block were spread evenly over its time. */
  #about(time: number): number {
    let rows = 0;
    for (const blocks of this.runs) {
      const at = firstWhere(blocks, ({ high }) => high >= time);
      const block = blocks[at] ?? blocks.at(-1);
      if (block === undefined) continue;
      const share = at === blocks.length ? 1 : block.low >= time ? 0 : (time - block.low) / (block.high - block.low);
      rows += block.before + block.count * share;
    }
    return rows;
  }

  #cursor(run: number, block: number, index: number): RunCursor {
    const cursor = new RunCursor(this.#store, this.#keys, this.runs[run] as Run, block);
    cursor.index = index;
    return cursor;
  }

  /**
   * Cursors with at most `start` rows before them, and the number of these rows: the rows from there to `start` have one key.
   * Hundreds of files of the same hours have a block each that spans most of them, so the bounds alone would leave all of their rows in between.
   */
  async #before(start: number): Promise<{ cursors: RunCursor[]; position: number }> {
    const { length } = this.#bounds;
    const bound = (i: number): number => this.#bounds[i] ?? -Infinity;
    let at = firstIndex(length, (i) => this.#atMost(bound(i)) > start) - 1;
    let behind = firstIndex(length, (i) => this.#atLeast(bound(i)) > start);
    while (behind - at > 1) {
      const middle = (at + behind) >> 1;
      if (ranksOf(await this.#cursorsAt(bound(middle))) > start) behind = middle;
      else at = middle;
    }
    const past = await this.#cursorsAt(bound(at), true);
    const isPast = ranksOf(past) <= start;
    const cursors = isPast ? past : await this.#cursorsAt(bound(at));
    if (isPast && behind < length) await approach(cursors, start, bound(at), bound(behind));
    return { cursors, position: ranksOf(cursors) };
  }

  /** The most rows that can have a key below a time, going by the bounds alone. */
  #atMost(time: number): number {
    let count = 0;
    for (const blocks of this.runs) {
      const block = blocks[firstWhere(blocks, ({ low }) => low >= time) - 1];
      if (block !== undefined) count += block.before + block.count;
    }
    return count;
  }

  /** The fewest rows that can have a key below a time, going by the bounds alone. */
  #atLeast(time: number): number {
    let count = 0;
    for (const blocks of this.runs) {
      const block = blocks[firstWhere(blocks, ({ high }) => high >= time) - 1];
      if (block !== undefined) count += block.before + block.count;
    }
    return count;
  }

  async #cursorsAt(time: number, equal = false): Promise<RunCursor[]> {
    return Promise.all([...this.runs.keys()].map((run) => this.#cursorAt(run, time, equal)));
  }

  /** A cursor behind the rows of a run with keys below a time. @param equal and behind those that have this key */
  async #cursorAt(run: number, time: number, equal: boolean): Promise<RunCursor> {
    const blocks = this.runs[run] as Run;
    const behind = (key: number): boolean => (equal ? key > time : key >= time);
    const cursor = this.#cursor(
      run,
      firstWhere(blocks, ({ high }) => behind(high)),
      0,
    );
    await cursor.skip(behind);
    return cursor;
  }
}

/** Tells the streams of all sources apart. */
export const streamKey = ({ source, stream }: SegmentPart): string => `${source}/${stream}`;

interface StreamBlocks {
  readonly source: number;
  readonly stream: number;
  readonly blocks: Block[];
}

/** The blocks of each stream, in order of arrival; streams in order of their sources' numbers and their own. */
export function blocksByStream(entries: readonly ViewEntry[]): Block[][] {
  const streams = new Map<string, StreamBlocks>();
  for (const entry of entries) {
    if (entry.count === 0) continue;
    for (const [index, part] of entry.segment.parts.entries()) {
      const [from, to] = rowsInRange(entry, partRange(entry.segment, index));
      if (part.removed || from === to) continue;
      const key = streamKey(part);
      let known = streams.get(key);
      if (known === undefined) streams.set(key, (known = { source: part.source, stream: part.stream, blocks: [] }));
      const { blocks } = known;
      blocks.push(blockAfter(blocks.at(-1), entry, from, to - from, part));
    }
  }
  return [...streams.values()].sort((a, b) => a.source - b.source || a.stream - b.stream).map(({ blocks }) => blocks);
}

function blockAfter(last: Block | undefined, entry: ViewEntry, from: number, count: number, part: SegmentPart): Block {
  const floor = last?.high ?? -Infinity;
  const before = last === undefined ? 0 : last.before + last.count;
  return { entry, from, count, before, low: Math.max(floor, part.minTime), high: Math.max(floor, part.maxTime) };
}

/** The range of an entry's rows that lie in [from, to) of its segment. */
function rowsInRange({ rows }: ViewEntry, [from, to]: readonly [number, number]): readonly [number, number] {
  if (rows === null) return [from, to];
  return [firstWhere(rows, (row) => row >= from), firstWhere(rows, (row) => row >= to)];
}

/** The cursor with the lowest key, the first of equal ones; null when all are at their end. Only blocks that may hold that key are read. */
async function lowest(cursors: readonly RunCursor[]): Promise<RunCursor | null> {
  for (;;) {
    let best: RunCursor | null = null;
    for (const cursor of cursors) if (cursor.bound < (best?.bound ?? Infinity)) best = cursor;
    if (best === null || best.isRead) return best;
    await best.load();
  }
}

/**
 * Moves cursors behind so many rows, in order. Those of one key are passed a stream at a time: of hundreds of files, thousands may have the same second.
 * @param take is called with each cursor before it passes rows
 */
async function pass(cursors: readonly RunCursor[], rows: number, take?: (cursor: RunCursor, rows: number) => Promise<void>): Promise<void> {
  let left = rows;
  while (left > 0) {
    const key = (await lowest(cursors))?.bound;
    if (key === undefined) return;
    for (const cursor of cursors) {
      while (left > 0 && cursor.bound === key) {
        const passed = Math.min(left, await cursor.countOf(key));
        await take?.(cursor, passed);
        cursor.index += passed;
        left -= passed;
      }
    }
  }
}

/** Moves cursors to the latest time below `to` that has at most `start` rows before it. They are behind `from`, and no block begins or ends in between. */
async function approach(cursors: readonly RunCursor[], start: number, from: number, to: number): Promise<void> {
  for (const cursor of cursors) await cursor.load(to);
  const isBefore = (time: number): boolean => cursors.reduce((sum, cursor) => sum + cursor.rankAt(time), 0) <= start;
  let [low, high] = [from, to];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  if (low > from) for (const cursor of cursors) cursor.moveTo(low);
}

const ranksOf = (cursors: readonly RunCursor[]): number => cursors.reduce((sum, { rank }) => sum + rank, 0);
