import type { HeatMap } from '../api/record-graph-types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { binOf, coarserBin, Extent, isFinerThan, rowBorders, scaleOf, ZERO, type RowBorders, type Scale } from './heat-scale.ts';
import { bucketsOf, rangeOf, type HistogramRequest } from './histogram.ts';
import { bucketOf, KeptSummaries, type Buckets, type SlotSummary } from './kept-summaries.ts';
import type { RecordStore } from './record-store.ts';
import { millisecondsOf } from './times.ts';
import { numberReader } from './values.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

/** The variable of a heat map, and the numbers of it that were met. */
interface HeatOf {
  readonly variable: string;
  readonly extent: Extent;
}

/** The records of an entry by slot of time and bin. */
interface HeatSummary extends SlotSummary {
  readonly extent: Extent;
  readonly scale: Scale;
  readonly firstBin: number;
  /** Slots have so many places each: one for records without the number, then one for each bin from `firstBin` on. */
  readonly width: number;
  /** Pairs of (slot − firstSlot) · width + place, and the count. */
  readonly cells: Float64Array;
}

/** A scale is right for as long as the numbers that are met later do not change it. */
const kept = new KeptSummaries<HeatSummary, HeatOf>(
  summarise,
  ({ variable }) => variable,
  ({ by, summary }, wanted) => by.variable === wanted.variable && isUsable(summary, scaleOf(wanted.extent)),
);

const isUsable = ({ scale, width }: HeatSummary, wanted: Scale): boolean => width === 1 || isFinerThan(scale, wanted);

/**
 * Counts the records of a view over time and a number of theirs. The rows have readable borders, which the counts keep exactly: they are made of fine bins, of
 * which each entry keeps its own. What the view has not yet looked at is not in it.
 */
export async function heatMap(
  store: RecordStore,
  view: RecordView,
  { variable, rows }: { readonly variable: string; readonly rows: number },
  request: HistogramRequest,
): Promise<HeatMap> {
  const range = rangeOf(view.span, request);
  const time = range === null ? { from: request.from ?? 0, bucketMs: 1, buckets: 0 } : bucketsOf(range, request.buckets);
  const of = { variable, extent: knownExtent(view, variable) };
  let found = await visit(store, view, of, time);
  // The scale was not known when the first entries were looked at.
  if (found.some((summary) => !isUsable(summary, scaleOf(of.extent)))) found = await visit(store, view, of, time);
  const scale = scaleOf(of.extent);
  const usable = found.filter((summary) => isUsable(summary, scale));
  const complete = found.complete && usable.length === found.length;
  const { from, bucketMs, buckets } = time;
  return { from, to: from + buckets * bucketMs, bucketMs, ...counted(usable, scale, time, rows), complete };
}

async function visit(store: RecordStore, view: RecordView, of: HeatOf, time: Buckets): Promise<HeatSummary[] & { complete: boolean }> {
  const found: HeatSummary[] = [];
  const complete = await kept.visit(store, view, of, time, (summary) => found.push(summary));
  return Object.assign(found, { complete });
}

function knownExtent(view: RecordView, variable: string): Extent {
  const extent = new Extent();
  for (const entry of view.entries) {
    const known = kept.known(entry);
    if (known?.by.variable === variable) extent.join(known.summary.extent);
  }
  return extent;
}

function summarise(stored: MessageBatch, { rows, count }: ViewEntry, { variable, extent: met }: HeatOf, slots: SlotSummary): HeatSummary {
  const read = numberReader(stored, variable);
  const times = millisecondsOf(stored.timestamps);
  const values = new Float64Array(count);
  const extent = new Extent();
  for (let i = 0; i < count; i++) {
    const value = read(rows === null ? i : (rows[i] as number));
    values[i] = value;
    if (!Number.isNaN(value)) extent.include(value);
  }
  met.join(extent);
  const scale = scaleOf(met);
  const isEmpty = extent.high < extent.low;
  const firstBin = isEmpty ? 0 : binOf(scale, extent.low);
  const width = isEmpty ? 1 : binOf(scale, extent.high) - firstBin + 2;
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    const slot = Math.floor((times[rows === null ? i : (rows[i] as number)] as number) / slots.slotMs) - slots.firstSlot;
    const cell = slot * width + (Number.isNaN(value) ? 0 : binOf(scale, value) - firstBin + 1);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return { ...slots, extent, scale, firstBin, width, cells: Float64Array.from([...counts].flat()) };
}

/** Visits the cells within a time: the bucket, the bin of the wanted scale (null: without the number) and the count. */
function eachCell(summary: HeatSummary, wanted: Scale, time: Buckets, take: (bucket: number, bin: number | null, count: number) => void) {
  const { cells, width, firstBin, scale } = summary;
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cells[i] as number;
    const bucket = bucketOf(summary, Math.floor(cell / width), time);
    if (bucket < 0 || bucket >= time.buckets) continue;
    const place = cell % width;
    take(bucket, place === 0 ? null : coarserBin(scale, wanted, place - 1 + firstBin), cells[i + 1] as number);
  }
}

function counted(
  summaries: readonly HeatSummary[],
  scale: Scale,
  time: Buckets,
  rows: number,
): Pick<HeatMap, 'edges' | 'counts' | 'records' | 'missing'> {
  let [records, missing, first, last, firstPositive] = [0, 0, Infinity, -Infinity, Infinity];
  for (const summary of summaries) {
    eachCell(summary, scale, time, (_bucket, bin, count) => {
      records += count;
      if (bin === null) {
        missing += count;
        return;
      }
      if (bin < first) first = bin;
      if (bin > last) last = bin;
      if (bin < firstPositive && bin !== ZERO) firstPositive = bin;
    });
  }
  if (first > last) return { edges: new Float64Array(0), counts: new Float64Array(0), records, missing };
  const borders = rowBorders(scale, { first, last, firstPositive }, rows);
  const counts = new Float64Array((borders.bins.length - 1) * time.buckets);
  const rowOf = rowReader(borders, first, last);
  for (const summary of summaries) {
    eachCell(summary, scale, time, (bucket, bin, count) => {
      if (bin === null) return;
      const at = rowOf(bin) * time.buckets + bucket;
      counts[at] = (counts[at] as number) + count;
    });
  }
  return { edges: borders.edges, counts, records, missing };
}

/** Finds the row of a bin in a table. */
function rowReader({ bins }: RowBorders, first: number, last: number): (bin: number) => number {
  const rows = new Int32Array(last - first + 1);
  for (let bin = first, row = 0; bin <= last; bin++) {
    while ((bins[row + 1] as number) <= bin) row++;
    rows[bin - first] = row;
  }
  return (bin) => rows[bin - first] as number;
}
