import type { Ticks } from '../api/view-types.ts';
import { cellsOf, cellStart, cellWeight, type CellList } from './cells.ts';
import { ALARM_CODES } from './alarms.ts';
import type { RecordFinder } from './search/finders.ts';
import { NO_ROWS, type Rows } from './query.ts';
import type { Block } from './row-order.ts';
import { foundRows } from './sort/nearest-sorted.ts';
import type { SortedRows } from './sort/sorted-rows.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

interface TickSources {
  /** The cells of an entry with hits of the search, as far as they are known. */
  readonly hits: (entry: ViewEntry) => CellList;
  /** The rows themselves. */
  readonly hitRows?: (entry: ViewEntry) => Rows | undefined;
  readonly marks: RecordFinder;
  /** The rows of an entry of which a rule is true; absent: of none. */
  readonly rules?: (entry: ViewEntry) => Rows;
}

/**
 * Hits, marks, hits of rules, errors and warnings along the rows of a view, in `buckets` parts of equal length or one for each row: the share of the rows in each part, about.
 * No record is read for it. Where several sources are merged, the place of a row is known only to within its block.
 */
export function ticksOf(view: RecordView, buckets: number, sources: TickSources): Ticks {
  const { order, total, sorted } = view;
  const { hits, marks, rules = noRows } = sources;
  const size = Math.min(buckets, total);
  const row = (): number[] => new Array<number>(size).fill(0);
  const ticks = { hit: row(), mark: row(), rule: row(), error: row(), warning: row() };
  if (sorted !== null) return addSorted(ticks, view, sorted, sources);
  for (const [run, blocks] of order.runs.entries()) {
    for (const [number, block] of blocks.entries()) {
      if (block.count === 0) continue;
      const { entry } = block;
      const [from, to] = order.spanOf(run, number);
      const way = { from: (from * size) / total, step: ((to - from) * size) / (total * block.count), most: total / size };
      addCells(ticks.hit, hits(entry), block, way);
      addCells(ticks.mark, cellsOf(marks.known(entry), entry.count), block, way);
      addCells(ticks.rule, cellsOf(rules(entry), entry.count), block, way);
      addCells(ticks.error, entry.alarms.error, block, way);
      addCells(ticks.warning, entry.alarms.warning, block, way);
    }
  }
  return ticks;
}

const noRows = (): Rows => NO_ROWS;

function addSorted(ticks: Counted, view: RecordView, sorted: SortedRows, { hitRows = noRows, marks, rules = noRows }: TickSources): Ticks {
  if (sorted.total === 0) return ticks;
  sorted.addFound(foundRows(view, hitRows), ticks.hit);
  sorted.addFound(
    foundRows(view, (entry) => marks.known(entry)),
    ticks.mark,
  );
  sorted.addFound(foundRows(view, rules), ticks.rule);
  sorted.addAlarms(ALARM_CODES.error, ticks.error);
  sorted.addAlarms(ALARM_CODES.warning, ticks.warning);
  return ticks;
}

type Counted = Readonly<Record<keyof Ticks, number[]>>;

/** The bucket in which a block begins, the buckets from one of its rows to the next, and the rows of a bucket. */
interface Way {
  readonly from: number;
  readonly step: number;
  readonly most: number;
}

function addCells(shares: number[], cells: CellList, { entry, from, count }: Block, way: Way): void {
  if (cells.length === 0) return;
  const weight = cellWeight(entry.count) / way.most;
  for (const cell of cells) {
    const index = cellStart(cell, entry.count) - from;
    if (index < 0 || index >= count) continue;
    const bucket = Math.min(shares.length - 1, Math.floor(way.from + index * way.step));
    shares[bucket] = Math.min(1, (shares[bucket] as number) + weight);
  }
}
