import { coarserBin, ZERO, type Extent, type Scale } from './heat-scale.ts';
import { bucketOf, type Buckets, type SlotSummary } from './kept-summaries.ts';

/** The records of an entry by slot of time and bin. */
export interface HeatSummary extends SlotSummary {
  /** The slot of its last record, counted from the first one. */
  readonly lastSlot: number;
  readonly extent: Extent;
  readonly scale: Scale;
  readonly firstBin: number;
  /** Slots have so many places each: one for records without the number, then one for each bin from `firstBin` on. */
  readonly width: number;
  /** Pairs of (slot − firstSlot) · width + place, and the count. */
  readonly cells: Float64Array;
}

/** The records within a time, and the bins of those with the number. */
interface Reach {
  records: number;
  missing: number;
  first: number;
  last: number;
  firstPositive: number;
}

/** Reaches of summaries that lie within the time as a whole: for as long as the scale stays, they are the same. */
const reaches = new WeakMap<HeatSummary, { readonly scale: Scale; readonly reach: Reach }>();

/** The records of a summary within a time. @param wanted the scale of the bins */
export function reachOf(summary: HeatSummary, wanted: Scale, time: Buckets): Readonly<Reach> {
  const kept = reaches.get(summary);
  const isWhole = isWithin(summary, time);
  if (isWhole && kept !== undefined && isSame(kept.scale, wanted)) return kept.reach;
  const reach: Reach = { records: 0, missing: 0, first: Infinity, last: -Infinity, firstPositive: Infinity };
  eachCell(summary, wanted, (slot, bin, count) => {
    const bucket = bucketOf(summary, slot, time);
    if (bucket < 0 || bucket >= time.buckets) return;
    reach.records += count;
    if (bin === null) {
      reach.missing += count;
      return;
    }
    if (bin < reach.first) reach.first = bin;
    if (bin > reach.last) reach.last = bin;
    if (bin < reach.firstPositive && bin !== ZERO) reach.firstPositive = bin;
  });
  if (isWhole) reaches.set(summary, { scale: wanted, reach });
  return reach;
}

const isSame = (a: Scale, b: Scale): boolean => a.kind === b.kind && a.power === b.power;

const isWithin = (summary: HeatSummary, time: Buckets): boolean =>
  bucketOf(summary, 0, time) >= 0 && bucketOf(summary, summary.lastSlot, time) < time.buckets;

/** The squares of a heat map: the length of their buckets, and their rows. */
interface Grid {
  /** The same for the same squares. */
  readonly key: string;
  readonly scale: Scale;
  readonly bucketMs: number;
  /** Number of the rows. */
  readonly height: number;
  /** undefined: no row of its has the bin. */
  readonly rowOf: (bin: number) => number | undefined;
}

interface Squares {
  readonly key: string;
  /** Pairs of bucket · height + row, and the count; buckets are counted since 1970. */
  readonly cells: Float64Array;
}

const squares = new WeakMap<HeatSummary, Squares>();

/** The records of a summary by the squares of a heat map; kept, because the next answer mostly has the same squares. */
export function squaresOf(summary: HeatSummary, { key, scale, bucketMs, height, rowOf }: Grid): Squares {
  const kept = squares.get(summary);
  if (kept?.key === key) return kept;
  const counts = new Map<number, number>();
  const { firstSlot, slotMs } = summary;
  eachCell(summary, scale, (slot, bin, count) => {
    const row = bin === null ? undefined : rowOf(bin);
    if (row === undefined) return;
    const cell = Math.floor(((firstSlot + slot) * slotMs) / bucketMs) * height + row;
    counts.set(cell, (counts.get(cell) ?? 0) + count);
  });
  const made = { key, cells: Float64Array.from([...counts].flat()) };
  squares.set(summary, made);
  return made;
}

/** Visits the cells: the slot, the bin of the wanted scale (null: without the number) and the count. */
function eachCell(summary: HeatSummary, wanted: Scale, take: (slot: number, bin: number | null, count: number) => void): void {
  const { cells, width, firstBin, scale } = summary;
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cells[i] as number;
    const place = cell % width;
    take(Math.floor(cell / width), place === 0 ? null : coarserBin(scale, wanted, place - 1 + firstBin), cells[i + 1] as number);
  }
}
