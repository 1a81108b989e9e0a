import { formatValue } from '../../../../engine/api/quantities.ts';
import { SHADES, shadeOf } from '../../../../engine/api/shades.ts';
import type { HeatMap } from '../../../../engine/api/types.ts';
import { between } from '../../../../engine/api/filter/expression.ts';
import { formatCount, plural } from '../format.ts';
import { formatRange, formatTimeSeconds, type TimeZone } from '../../../../engine/api/time/time.ts';

/** A cell by its bucket and its row, the lowest row first. */
export interface HeatCell {
  readonly bucket: number;
  readonly row: number;
}

/** A rectangle of cells by two opposite ones. */
export interface HeatPart {
  readonly start: HeatCell;
  readonly end: HeatCell;
}

/** The records of a rectangle: its time, end exclusive, its numbers, to below `high`, and their number. */
export interface HeatRange {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

export const rowsOf = ({ edges }: HeatMap): number => Math.max(0, edges.length - 1);
export const bucketsOf = (heat: HeatMap): number => (rowsOf(heat) === 0 ? 0 : heat.counts.length / rowsOf(heat));
export const countAt = (heat: HeatMap, { bucket, row }: HeatCell): number => heat.counts[row * bucketsOf(heat) + bucket] ?? 0;

/** The cell at a part (0 to 1) of the width and of the height, which begins at the top. */
export function cellAt(heat: HeatMap, right: number, down: number): HeatCell {
  const within = (part: number, count: number): number => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
  return { bucket: within(right, bucketsOf(heat)), row: rowsOf(heat) - 1 - within(down, rowsOf(heat)) };
}

/** The cell that is some steps away, or the last one on the way there. */
export function movedCell(heat: HeatMap, { bucket, row }: HeatCell, right: number, up: number): HeatCell {
  const within = (at: number, count: number): number => Math.min(count - 1, Math.max(0, at));
  return { bucket: within(bucket + right, bucketsOf(heat)), row: within(row + up, rowsOf(heat)) };
}

/** The fullest cell; null: no record has the number. */
export function fullest(heat: HeatMap): HeatCell | null {
  let best = -1;
  for (const [i, count] of heat.counts.entries()) if (count > (heat.counts[best] ?? 0)) best = i;
  const buckets = bucketsOf(heat);
  return best === -1 ? null : { bucket: best % buckets, row: Math.floor(best / buckets) };
}

/** The least count of each shade. */
export function shadeCounts(most: number): number[] {
  return Array.from({ length: SHADES }, (_unused, shade) => Math.ceil(most ** (shade / (SHADES - 1)) - 1e-9));
}

export function rangeOf(heat: HeatMap, { start, end }: HeatPart): HeatRange {
  const [first, last] = [Math.min(start.bucket, end.bucket), Math.max(start.bucket, end.bucket)];
  const [bottom, top] = [Math.min(start.row, end.row), Math.max(start.row, end.row)];
  let count = 0;
  for (let row = bottom; row <= top; row++) for (let bucket = first; bucket <= last; bucket++) count += countAt(heat, { bucket, row });
  return {
    from: heat.from + first * heat.bucketMs,
    to: heat.from + (last + 1) * heat.bucketMs,
    low: heat.edges[bottom] ?? NaN,
    high: heat.edges[top + 1] ?? NaN,
    count,
  };
}

/** Numbers from one to below another one in words. */
export const numbersText = (low: number, high: number, unit: string): string => `${edgeText(low, unit)} – ${edgeText(high, unit)}`;

/** A border in words, without fewer digits than it has: it is a round number, unless the rows are close together. */
function edgeText(value: number, unit: string): string {
  const text = formatValue(value, unit);
  const isRounded = unit === '' && Math.abs(value) < 1e6 && String(value).length <= 8;
  return isRounded ? value.toLocaleString('en-US', { maximumFractionDigits: 6 }) : text;
}

/** The records of a rectangle in words. */
export function rangeText({ from, to, low, high, count }: HeatRange, unit: string, zone: TimeZone): string {
  return `${formatRange({ from, to }, zone)}, ${numbersText(low, high, unit)}: ${plural(count, 'record')}`;
}

/** The picture in words. */
export function heatText(heat: HeatMap, unit: string, zone: TimeZone): string {
  const peak = fullest(heat);
  const missing = heat.missing === 0 ? '' : `, ${formatCount(heat.missing)} without the number`;
  if (peak === null) return `${plural(heat.records, 'record')}${missing}.`;
  const { from, low, high, count } = rangeOf(heat, { start: peak, end: peak });
  const most = `${plural(count, 'record')} with ${numbersText(low, high, unit)} at ${formatTimeSeconds(from, zone)}`;
  const all = `from ${numbersText(heat.edges[0] ?? NaN, heat.edges.at(-1) ?? NaN, unit).replace(' – ', ' to ')}`;
  return `${plural(heat.records, 'record')}${missing}, numbers ${all}. Most in one cell: ${most}.`;
}

/** Labels of borders that are so many pixels apart at least: the border's index with its text, the outer ones first. */
export function edgeLabels(
  heat: HeatMap,
  height: number,
  apart: number,
  unit: string,
): { readonly index: number; readonly text: string }[] {
  const rows = rowsOf(heat);
  const step = Math.max(1, Math.ceil(apart / (height / Math.max(1, rows))));
  const indices = Array.from({ length: Math.floor(rows / step) + 1 }, (_unused, i) => i * step);
  return indices.map((index) => ({ index, text: edgeText(heat.edges[index] ?? NaN, unit) }));
}

/** The filter that shows the records of a range of numbers; null: no expression can say it. */
export function numbersFilter(
  name: string,
  variable: string,
  unit: string,
  { low, high }: Pick<HeatRange, 'low' | 'high'>,
): { readonly label: string; readonly expression: string } | null {
  const expression = between(variable, low, high);
  return expression === null ? null : { label: `${name} ${numbersText(low, high, unit)}`, expression };
}

export interface HeatColors {
  /** The palest and the fullest shade, as `rgb(1, 2, 3)`. */
  readonly low: string;
  readonly high: string;
}

/** The colours of all shades. */
export function shadeColors({ low, high }: HeatColors): string[] {
  const [from, to] = [channels(low), channels(high)];
  return Array.from({ length: SHADES }, (_unused, shade) => {
    const part = shade / (SHADES - 1);
    return `rgb(${from.map((channel, i) => Math.round(channel + ((to[i] ?? 0) - channel) * part)).join(', ')})`;
  });
}

const channels = (color: string): number[] => [...color.matchAll(/[\d.]+/g)].slice(0, 3).map(([digits]) => Number(digits));

/**
 * Draws the cells.
 * @param context scaled to CSS pixels
 */
export function drawHeat(context: CanvasRenderingContext2D, heat: HeatMap, width: number, height: number, colors: readonly string[]): void {
  context.clearRect(0, 0, width, height);
  const peak = fullest(heat);
  if (peak === null) return;
  const most = countAt(heat, peak);
  const [buckets, rows] = [bucketsOf(heat), rowsOf(heat)];
  // Cells meet at whole pixels, so that no line shows between them.
  const lefts = Array.from({ length: buckets + 1 }, (_unused, bucket) => Math.round((bucket * width) / buckets));
  const tops = Array.from({ length: rows + 1 }, (_unused, row) => Math.round(height - (row * height) / rows));
  for (let shade = 1; shade <= SHADES; shade++) {
    context.fillStyle = colors[shade - 1] ?? '';
    for (let row = 0; row < rows; row++) {
      const [top, bottom] = [tops[row + 1] as number, tops[row] as number];
      for (let bucket = 0; bucket < buckets; bucket++) {
        if (shadeOf(heat.counts[row * buckets + bucket] as number, most) !== shade) continue;
        const left = lefts[bucket] as number;
        context.fillRect(left, top, Math.max(1, (lefts[bucket + 1] as number) - left), Math.max(1, bottom - top));
      }
    }
  }
}
