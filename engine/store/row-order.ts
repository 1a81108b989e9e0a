import { firstIndex } from '../message/binary-search.ts';
import type { ViewEntry } from './view.ts';

/** Consecutive rows of one entry: all of them, or those of one source. */
export interface Block {
  readonly entry: ViewEntry;
  /** The entry's rows [from, from + count). */
  readonly from: number;
  readonly count: number;
  /** Rows of the lane before this block. */
  readonly before: number;
  /** Bounds of the keys by which lanes are merged. */
  readonly low: number;
  readonly high: number;
}

/** Rows whose order among each other is fixed: the keys of their blocks ascend. */
export type Lane = readonly Block[];

/** A place in a lane: before the row `index` of a block, or behind the last one. */
export interface LanePlace {
  readonly block: number;
  readonly index: number;
}

/** The order of the rows of a view: one or several lanes, merged by key; of equal keys that of the first lane comes first. */
export interface RowOrder {
  readonly lanes: readonly Lane[];
  /** The place in each lane that has exactly `row` rows of the view before it, together. */
  placesAt(row: number): Promise<LanePlace[]>;
  keyOf(lane: number, place: LanePlace): Promise<number>;
  /** Number of the row at a place. */
  rowOf(lane: number, place: LanePlace): Promise<number>;
  /** About where the rows of a block begin and end among those of the view, without reading them. */
  spanOf(lane: number, block: number): readonly [from: number, to: number];
}

/** The order of arrival: one lane. */
export class ArrivalOrder implements RowOrder {
  readonly lanes: readonly [Lane];

  constructor(entries: readonly ViewEntry[]) {
    let before = 0;
    const lane = entries.map((entry, i): Block => {
      const block = { entry, from: 0, count: entry.count, before, low: i, high: i };
      before += entry.count;
      return block;
    });
    this.lanes = [lane];
  }

  placesAt(row: number): Promise<LanePlace[]> {
    const [lane] = this.lanes;
    const block = firstIndex(lane.length, (i) => (lane[i] as Block).before + (lane[i] as Block).count > row);
    return Promise.resolve([{ block, index: block === lane.length ? 0 : Math.max(0, row - (lane[block] as Block).before) }]);
  }

  keyOf(_lane: number, { block }: LanePlace): Promise<number> {
    return Promise.resolve(block);
  }

  rowOf(_lane: number, { block, index }: LanePlace): Promise<number> {
    return Promise.resolve((this.lanes[0][block] as Block).before + index);
  }

  spanOf(_lane: number, block: number): readonly [number, number] {
    const { before, count } = this.lanes[0][block] as Block;
    return [before, before + count];
  }
}
