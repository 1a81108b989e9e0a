import type { Histogram, HistogramGroup } from '../../../../engine/api/types.ts';
import { formatCount } from '../format.ts';
import { drawingOrder } from './histogram-groups.ts';

/** Number of layers that the description of a bar names. */
const LAYERS_NAMED = 4;

/** One bar: the counts of its layers, and its range of time. */
export interface Bucket {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly total: number;
  readonly byGroup: readonly number[];
}

export function bucketCount(histogram: Histogram): number {
  return histogram.counts[0]?.length ?? 0;
}

export function bucketAt(histogram: Histogram, index: number): Bucket {
  const byGroup = histogram.counts.map((counts) => counts[index] ?? 0);
  return {
    from: histogram.from + index * histogram.bucketMs,
    to: histogram.from + (index + 1) * histogram.bucketMs,
    total: byGroup.reduce((sum, count) => sum + count, 0),
    byGroup,
  };
}

/** Index of the bar at a part (0 to 1) of the width. */
export function indexAt(histogram: Histogram, part: number): number {
  const count = bucketCount(histogram);
  return Math.min(count - 1, Math.max(0, Math.floor(part * count)));
}

/** A bar of which the log covers less than this part shows fewer records than came in its time. */
const WHOLE = 0.9;
/** Records of the bar beside it from which on a lower one looks like a drop. */
const DENSE = 4;

/** Whether a bar is lower than the one beside it and the log begins or ends within it: it shows fewer records than came in its time. */
export function isPartial(histogram: Histogram, index: number): boolean {
  const { from, to, total } = bucketAt(histogram, index);
  const { covered, bucketMs } = histogram;
  if (Math.min(to, covered.to) - Math.max(from, covered.from) >= WHOLE * bucketMs) return false;
  const beside = bucketAt(histogram, index === 0 ? 1 : index - 1).total;
  return beside >= DENSE && total < beside;
}

/** The highest bar's height in records. */
export function peak(histogram: Histogram): number {
  let highest = 0;
  for (let index = 0; index < bucketCount(histogram); index++) highest = Math.max(highest, bucketAt(histogram, index).total);
  return highest;
}

/** A layer with its records, for the legend. */
export interface LayerTotal {
  readonly group: HistogramGroup;
  readonly index: number;
  readonly count: number;
}

/** Records of each layer, only of those that have any. */
export function totals(histogram: Histogram): LayerTotal[] {
  return histogram.groups
    .map((group, index) => ({ group, index, count: (histogram.counts[index] ?? []).reduce((sum, count) => sum + count, 0) }))
    .filter(({ count }) => count > 0);
}

/** The layers of a bar in words, those with most records first. @param label gives the name of a layer */
export function barText(bucket: Bucket, groups: readonly HistogramGroup[], label: (group: HistogramGroup) => string): string {
  const layers = groups.map((group, index) => ({ group, count: bucket.byGroup[index] ?? 0 })).filter(({ count }) => count > 0);
  layers.sort((a, b) => b.count - a.count);
  return layers
    .slice(0, LAYERS_NAMED)
    .map(({ group, count }) => `${label(group)} ${formatCount(count)}`)
    .join(', ');
}

/** Bars next to each other that hold nearly all records, in a small part of the time. */
export interface Crowd {
  readonly first: number;
  readonly last: number;
  /** Part of all records, 0 to 1. */
  readonly share: number;
}

/** The least part of the records, and the largest part of the bars, of a crowd. */
const [CROWD_SHARE, CROWD_WIDTH] = [0.95, 0.04];

/** Finds the fewest bars that hold all records that are shown, or nearly all, where the rest of the time leaves them no room; null: they are spread. */
export function crowdOf(histogram: Histogram): Crowd | null {
  const bars = Array.from({ length: bucketCount(histogram) }, (_, index) => bucketAt(histogram, index).total);
  const all = bars.reduce((sum, total) => sum + total, 0);
  const widest = Math.max(1, Math.floor(bars.length * CROWD_WIDTH));
  const held = (first: number): number => bars.slice(first, first + widest).reduce((sum, total) => sum + total, 0);
  let [best, sum] = [0, held(0)];
  for (let [first, now] = [1, sum]; first + widest <= bars.length; first++) {
    now += (bars[first + widest - 1] ?? 0) - (bars[first - 1] ?? 0);
    if (now > sum) [best, sum] = [first, now];
  }
  if (sum === 0 || sum < all * CROWD_SHARE || bars.length <= widest) return null;
  const within = bars.slice(best, best + widest);
  const first = best + within.findIndex((total) => total > 0);
  return { first, last: best + within.findLastIndex((total) => total > 0), share: sum / all };
}

/** The time range of a brush between two bars, in either direction, both included. */
export function brushRange(histogram: Histogram, a: number, b: number): { readonly from: number; readonly to: number } {
  return { from: bucketAt(histogram, Math.min(a, b)).from, to: bucketAt(histogram, Math.max(a, b)).to };
}

export interface HistogramColors {
  /** One for each layer. */
  readonly fills: readonly string[];
  readonly line: string;
}

/**
 * Draws the bars, layer upon layer.
 * @param context scaled to CSS pixels
 */
export function drawHistogram(
  context: CanvasRenderingContext2D,
  histogram: Histogram,
  width: number,
  height: number,
  colors: HistogramColors,
): void {
  context.clearRect(0, 0, width, height);
  const highest = peak(histogram);
  const count = bucketCount(histogram);
  context.fillStyle = colors.line;
  context.fillRect(0, height - 1, width, 1);
  if (highest === 0) return;
  const step = width / count;
  const gap = step >= 4 && step < WIDEST_BAR ? 1 : 0;
  const order = drawingOrder(histogram.groups);
  const partial = new Set([0, count - 1].filter((index) => isPartial(histogram, index)));
  for (let index = 0; index < count; index++) {
    const inset = Math.max(0, (step - WIDEST_BAR) / 2);
    const left = Math.round(index * step + inset);
    const right = Math.max(left + 1, Math.round((index + 1) * step - inset) - gap);
    context.globalAlpha = partial.has(index) ? PARTIAL_ALPHA : 1;
    drawBar(context, histogram, index, { left, right, order, floor: height - 1, scale: (height - 1) / highest }, colors);
  }
  context.globalAlpha = 1;
}

/** Pixels. The few records of a short time are bars, not areas. */
const WIDEST_BAR = 48;
/** Opacity of bars of which the log covers a part only. */
const PARTIAL_ALPHA = 0.4;

interface BarPlace {
  /** Layers from the bottom up. */
  readonly order: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly floor: number;
  readonly scale: number;
}

function drawBar(context: CanvasRenderingContext2D, histogram: Histogram, index: number, place: BarPlace, colors: HistogramColors): void {
  let below = 0;
  for (const layer of place.order) {
    const count = histogram.counts[layer]?.[index] ?? 0;
    if (count === 0) continue;
    const bottom = place.floor - below * place.scale;
    below += count;
    const top = place.floor - below * place.scale;
    context.fillStyle = colors.fills[layer] ?? colors.line;
    // One record among a million is still a pixel.
    context.fillRect(place.left, Math.min(top, bottom - 1), place.right - place.left, Math.max(1, bottom - top));
  }
}
