/** Merges the `sketch` output of filters, and makes of it what one filter over all messages would have output. */
import { CircularBuffer } from '../../modules/circular_buffer.ts';
import { injectBuffer } from '../../modules/graph.ts';
import { HeavyHitters } from '../../modules/heavy_hitters.ts';
import { HyperLogLog } from '../../modules/hyperloglog.ts';
import { QuantileSketch } from '../../modules/quantile_sketch.ts';
import { injectWeights } from '../../modules/weights.ts';
import {
  estimatorOf,
  percentsOf,
  quantilesOf,
  REGISTERS,
  weightOf,
  type FrequentLayout,
  type QuantileLayout,
  type SketchLayout,
  type SketchRow,
} from './sketch_text.ts';

/** A sketch merged under one name; plain data, so that it can be preserved. */
export interface MergedSketch {
  readonly layout: SketchLayout;
  /** The header line of the layout, which all outputs of the name must have. */
  readonly header: string;
  readonly graph: CircularBuffer | null;
  /** Of the newest days or rows, by their numbers. */
  readonly estimators: Map<number, HyperLogLog>;
  readonly quantiles: Map<number, QuantileSketch>;
  hitters: HeavyHitters | null;
  /** The day of the last reset of frequent values. */
  last_reset: number;
}

const DAY_SECONDS = 86_400;
/** Days and rows for which sketches are still merged: hosts may be late by that much. */
const OPEN_DAYS = 7;
const OPEN_ROWS = 30;
/** Memory of a quantile sketch and of a frequent value, in cells of a graph. */
const QUANTILE_CELLS = 1000;
const VALUE_CELLS = 20;
const OVERHEAD = 100;

/** Size of a sketch with this layout, in cells of a graph. */
export function cellsOf(layout: SketchLayout): number {
  if (layout.sketch === 'unique') return OVERHEAD + layout.rows + OPEN_DAYS * (REGISTERS / 8);
  if (layout.sketch === 'frequent') return OVERHEAD + layout.capacity * VALUE_CELLS;
  return OVERHEAD + layout.rows * (percentsOf(layout.percentiles).length + 1) + OPEN_ROWS * QUANTILE_CELLS;
}

export function emptySketch(header: string, layout: SketchLayout): MergedSketch {
  const hitters = layout.sketch === 'frequent' ? new HeavyHitters(layout.capacity) : null;
  return { layout, header, graph: graphOf(layout), estimators: new Map(), quantiles: new Map(), hitters, last_reset: 0 };
}

function graphOf(layout: SketchLayout): CircularBuffer | null {
  if (layout.sketch === 'frequent') return null;
  if (layout.sketch === 'unique') {
    const graph = new CircularBuffer(layout.rows, 1, DAY_SECONDS);
    graph.set_header(1, layout.column);
    return graph;
  }
  const percentiles = layout.percentiles.split(' ');
  const graph = new CircularBuffer(layout.rows, percentiles.length + 1, layout.seconds_per_row);
  for (const [i, percentile] of percentiles.entries()) graph.set_header(i + 1, `p${percentile}`, layout.unit, 'none');
  graph.set_header(percentiles.length + 1, 'Count');
  return graph;
}

/** Merges rows. Returns false, and merges nothing, when one of them is not of the layout. */
export function mergeRows(merged: MergedSketch, rows: readonly SketchRow[]): boolean {
  const { layout } = merged;
  if (layout.sketch === 'unique') return withAll(rows, estimatorOf, (row, estimator) => mergeDay(merged, row.seconds, estimator));
  if (layout.sketch === 'quantiles')
    return withAll(rows, quantilesOf, (row, sketch) => mergeQuantiles(merged, layout, row.seconds, sketch));
  const weights = new Map<string, number>();
  const isFrequent = withAll(rows, weightOf, (_, [value, weight]) => weights.set(value, (weights.get(value) ?? 0) + weight));
  if (isFrequent) mergeWeights(merged, layout, Math.floor((rows.at(-1) as SketchRow).seconds / DAY_SECONDS), weights);
  return isFrequent;
}

function withAll<T>(rows: readonly SketchRow[], read: (data: unknown) => T | null, merge: (row: SketchRow, value: T) => void): boolean {
  const values = rows.map(({ data }) => read(data));
  if (values.includes(null)) return false;
  for (const [i, row] of rows.entries()) merge(row, values[i] as T);
  return true;
}

function mergeDay({ estimators, graph }: MergedSketch, seconds: number, estimator: HyperLogLog): void {
  const known = opened(estimators, Math.floor(seconds / DAY_SECONDS), OPEN_DAYS, () => new HyperLogLog());
  if (known === null) return;
  known.merge(estimator);
  graph?.set(seconds * 1e9, 1, known.count());
}

function mergeQuantiles({ quantiles, graph }: MergedSketch, layout: QuantileLayout, seconds: number, sketch: QuantileSketch): void {
  const known = opened(quantiles, Math.floor(seconds / layout.seconds_per_row), OPEN_ROWS, () => new QuantileSketch());
  if (known === null) return;
  known.merge(sketch);
  const percents = percentsOf(layout.percentiles);
  for (const [i, percent] of percents.entries()) graph?.set(seconds * 1e9, i + 1, known.percentile(percent));
  graph?.set(seconds * 1e9, percents.length + 1, known.count);
}

/** The sketch of a row, made when it is new; null for one that is older than the newest ones, when these are as many as are kept. */
function opened<T>(sketches: Map<number, T>, row: number, most: number, make: () => T): T | null {
  const known = sketches.get(row);
  if (known !== undefined) return known;
  if (sketches.size >= most) {
    const oldest = Math.min(...sketches.keys());
    if (row < oldest) return null;
    sketches.delete(oldest);
  }
  const sketch = make();
  sketches.set(row, sketch);
  return sketch;
}

/** Counting starts anew as in one filter, by the day of the values. */
function mergeWeights(merged: MergedSketch, layout: FrequentLayout, day: number, weights: Map<string, number>): void {
  if (layout.reset_days > 0) {
    if (day < merged.last_reset) return;
    if (day - merged.last_reset >= layout.reset_days) {
      merged.hitters = new HeavyHitters(layout.capacity);
      merged.last_reset = day;
    }
  }
  merged.hitters?.merge(HeavyHitters.fromSaved([layout.capacity, weights]));
}

/** Outputs what is merged under a title. */
export function injectMerged(title: string, { layout, graph, hitters }: MergedSketch): void {
  if (graph !== null) injectBuffer(title, graph);
  if (layout.sketch !== 'frequent' || hitters === null) return;
  const heavy = hitters.sorted().filter(([, weight]) => weight > layout.min_weight);
  injectWeights(
    title,
    layout.variable,
    heavy.map(([value, weight]) => [value.slice(1), weight]),
  );
}
