import { firstIndex } from '../message/binary-search.ts';
import type { ViewEntry } from './view-entry.ts';

/** Consecutive rows of one entry: all of them, or those of one source. */
export interface Block {
  readonly entry: ViewEntry;
  /** The entry's rows [from, from + count). */
  readonly from: number;
  readonly count: number;
  /** Rows of the run before this block. */
  readonly before: number;
  /** Bounds of the keys by which runs are merged. */
  readonly low: number;
  readonly high: number;
}

/** A sorted run, as merges call it: rows whose order among each other is fixed, since the keys of their blocks ascend. */
export type Run = readonly Block[];

/** A place in a run: before the row `index` of a block, or behind the last one. */
export interface RunPlace {
  readonly block: number;
  readonly index: number;
}

/** The order of the rows of a view: one or several runs, merged by key; of equal keys that of the first run comes first. */
export interface RowOrder {
  readonly runs: readonly Run[];
  /** The place in each run that has exactly `row` rows of the view before it, together. */
  placesAt(row: number): Promise<RunPlace[]>;
  keyOf(run: number, place: RunPlace): Promise<number>;
  /** Number of the row at a place. */
  rowOf(run: number, place: RunPlace): Promise<number>;
  /** About where the rows of a block begin and end among those of the view, without reading them. */
  spanOf(run: number, block: number): readonly [from: number, to: number];
}

/** The order of arrival: one run. */
export class ArrivalOrder implements RowOrder {
  readonly runs: readonly [Run];

  /** @param known the order of the first of them, whose blocks are used again: there may be tens of thousands; null: none is known */
  constructor(entries: readonly ViewEntry[], known: ArrivalOrder | null = null) {
    const run = known === null ? [] : known.runs[0].slice();
    for (let i = run.length; i < entries.length; i++) {
      const [entry, last] = [entries[i] as ViewEntry, run[i - 1]];
      run.push({ entry, from: 0, count: entry.count, before: last === undefined ? 0 : last.before + last.count, low: i, high: i });
    }
    this.runs = [run];
  }

  placesAt(row: number): Promise<RunPlace[]> {
    const [run] = this.runs;
    const block = firstIndex(run.length, (i) => (run[i] as Block).before + (run[i] as Block).count > row);
    return Promise.resolve([{ block, index: block === run.length ? 0 : Math.max(0, row - (run[block] as Block).before) }]);
  }

  keyOf(_run: number, { block }: RunPlace): Promise<number> {
    return Promise.resolve(block);
  }

  rowOf(_run: number, { block, index }: RunPlace): Promise<number> {
    return Promise.resolve((this.runs[0][block] as Block).before + index);
  }

  spanOf(_run: number, block: number): readonly [number, number] {
    const { before, count } = this.runs[0][block] as Block;
    return [before, before + count];
  }
}
