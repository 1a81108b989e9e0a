import type { HeatMap } from '../api/record-graph-types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { reachOf, squaresOf, type HeatSummary } from './heat-cells.ts';
import { binOf, Extent, isFinerThan, rowBorders, scaleOf, type RowBorders, type Scale } from './heat-scale.ts';
import { bucketsOf, rangeOf, type HistogramRequest } from './histogram.ts';
import { answerTime, KeptSummaries, type Buckets, type SlotSummary } from './kept-summaries.ts';
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
  const deadline = answerTime();
  let found = await visit(store, view, of, time, deadline);
  // The scale was not known when the first entries were looked at.
  if (found.some((summary) => !isUsable(summary, scaleOf(of.extent)))) found = await visit(store, view, of, time, deadline);
  const scale = scaleOf(of.extent);
  const usable = found.filter((summary) => isUsable(summary, scale));
  const complete = found.complete && usable.length === found.length;
  const { from, bucketMs, buckets } = time;
  return { from, to: from + buckets * bucketMs, bucketMs, ...counted(usable, scale, time, rows), complete };
}

async function visit(
  store: RecordStore,
  view: RecordView,
  of: HeatOf,
  time: Buckets,
  deadline: number,
): Promise<HeatSummary[] & { complete: boolean }> {
  const found: HeatSummary[] = [];
  const complete = await kept.visit(store, view, of, time, (summary) => found.push(summary), deadline);
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

function summarise(
  stored: MessageBatch,
  { rows, count, segment }: ViewEntry,
  { variable, extent: met }: HeatOf,
  slots: SlotSummary,
): HeatSummary {
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
  const lastSlot = Math.floor(segment.maxTime / slots.slotMs) - slots.firstSlot;
  return { ...slots, lastSlot, extent, scale, firstBin, width, cells: Float64Array.from([...counts].flat()) };
}

function counted(
  summaries: readonly HeatSummary[],
  scale: Scale,
  time: Buckets,
  rows: number,
): Pick<HeatMap, 'edges' | 'counts' | 'records' | 'missing'> {
  let [records, missing, first, last, firstPositive] = [0, 0, Infinity, -Infinity, Infinity];
  for (const summary of summaries) {
    const reach = reachOf(summary, scale, time);
    records += reach.records;
    missing += reach.missing;
    first = Math.min(first, reach.first);
    last = Math.max(last, reach.last);
    firstPositive = Math.min(firstPositive, reach.firstPositive);
  }
  if (first > last) return { edges: new Float64Array(0), counts: new Float64Array(0), records, missing };
  const borders = rowBorders(scale, { first, last, firstPositive }, rows);
  const height = borders.bins.length - 1;
  const counts = new Float64Array(height * time.buckets);
  const key = `${time.bucketMs} ${scale.kind} ${scale.power} ${borders.bins.join(' ')}`;
  const rowOf = rowReader(borders);
  const begin = Math.floor(time.from / time.bucketMs);
  for (const summary of summaries) {
    const { cells } = squaresOf(summary, { key, scale, bucketMs: time.bucketMs, height, rowOf });
    for (let i = 0; i < cells.length; i += 2) {
      const cell = cells[i] as number;
      const since1970 = Math.floor(cell / height);
      const bucket = since1970 - begin;
      if (bucket < 0 || bucket >= time.buckets) continue;
      const at = (cell - since1970 * height) * time.buckets + bucket;
      counts[at] = (counts[at] as number) + (cells[i + 1] as number);
    }
  }
  return { edges: borders.edges, counts, records, missing };
}

/** Finds the row of a bin in a table; undefined: it is in none. */
function rowReader({ bins }: RowBorders): (bin: number) => number | undefined {
  const [first = 0, end = 0] = [bins[0], bins.at(-1)];
  const rows = new Int32Array(Number.isFinite(end) ? end - first : 1);
  for (let at = 0, row = 0; at < rows.length; at++) {
    while ((bins[row + 1] as number) <= first + at) row++;
    rows[at] = row;
  }
  return (bin) => rows[bin - first];
}
