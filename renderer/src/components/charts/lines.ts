import type { Graph } from '../../../../engine/api/types.ts';
import { bandOf, dataRows, rowsIn, rowTime, valueIn, type TimeRange, type TimeRows } from './graph-data.ts';

/** Radius of a value between gaps, which makes no line. */
const DOT = 2;
const AREA_ALPHA = 0.25;

/** A part of a line without gaps: x and y in pixels by turns. */
type Stretch = number[];

/** The least and the greatest value of the rows in a range of time by unit, of the columns that are shown. */
export function extentsOf(graph: Graph, range: TimeRange, hidden: ReadonlySet<string>): ReadonlyMap<string, readonly [number, number]> {
  const { first, end } = shownRows(graph, range);
  const known = dataRows(graph);
  const extents = new Map<string, [number, number]>();
  for (const column of graph.columns) {
    if (hidden.has(column.name)) continue;
    const extent = extents.get(column.unit) ?? [0, 0];
    extents.set(column.unit, extent);
    for (let row = first; row < end; row++) {
      const value = valueIn(column, row, known);
      if (value < extent[0]) extent[0] = value;
      if (value > extent[1]) extent[1] = value;
    }
  }
  return extents;
}

/** A row on each side, so that lines run to the edges. */
const shownRows = (graph: Graph, { from, to }: TimeRange): TimeRows => rowsIn(graph, { from: from - graph.rowMs, to: to + graph.rowMs });

/** The parts of a line between its gaps. Of rows on one pixel, only what can be seen of them is left: the first, the lowest, the highest and the last. */
export function stretches({ first, end }: TimeRows, xOf: (row: number) => number, yOf: (row: number) => number): Stretch[] {
  const all: Stretch[] = [];
  let stretch: Stretch | null = null;
  let [x, low, high, last] = [NaN, NaN, NaN, NaN];
  const finish = (): void => {
    if (stretch !== null && low !== high) stretch.push(x, low, x, high, x, last);
  };
  for (let row = first; row < end; row++) {
    const y = yOf(row);
    if (Number.isNaN(y)) {
      finish();
      stretch = null;
      continue;
    }
    const at = xOf(row);
    if (stretch !== null && Math.floor(at) === Math.floor(x)) {
      low = Math.min(low, y);
      high = Math.max(high, y);
      last = y;
      continue;
    }
    finish();
    if (stretch === null) all.push((stretch = []));
    stretch.push(at, y);
    [x, low, high, last] = [at, y, y, y];
  }
  finish();
  return all;
}

/** The place of a plot on its canvas, in CSS pixels. */
export interface PlotPlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xOf: (time: number) => number;
  /** The pixels of values of a unit. */
  readonly yOf: (unit: string) => (value: number) => number;
}

interface LinesPicture {
  readonly graph: Graph;
  readonly kind: string;
  readonly range: TimeRange;
  readonly hidden: ReadonlySet<string>;
  /** A colour for each column, and the same for areas. */
  readonly colors: readonly string[];
  readonly soft: (color: string, alpha: number) => string;
}

/** Draws the columns of a graph as lines, or as areas down to zero, and the band between percentiles. A library makes an object of each point, which takes fifty times as long. */
export function drawLines(
  context: CanvasRenderingContext2D,
  { graph, kind, range, hidden, colors, soft }: LinesPicture,
  place: PlotPlace,
): void {
  const rows = shownRows(graph, range);
  const known = dataRows(graph);
  const xOf = (row: number): number => place.xOf(rowTime(graph, row) + graph.rowMs / 2);
  const lines = graph.columns.map((column) => {
    const yOf = place.yOf(column.unit);
    return hidden.has(column.name) ? [] : stretches(rows, xOf, (row) => yOf(valueIn(column, row, known)));
  });
  context.save();
  context.beginPath();
  context.rect(place.left, place.top, place.right - place.left, place.bottom - place.top);
  context.clip();
  const band = kind === 'line' ? bandOf(graph) : null;
  for (const [i, line] of lines.entries()) {
    const color = colors[i] ?? '';
    context.fillStyle = soft(color, AREA_ALPHA);
    if (kind === 'area') for (const stretch of line) fill(context, stretch, (x) => [x, place.yOf(graph.columns[i]?.unit ?? '')(0)]);
    if (i === band?.high) fillBetween(context, line, lines[band.low] ?? []);
    context.fillStyle = context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.lineJoin = 'bevel';
    context.beginPath();
    for (const stretch of line) trace(context, stretch);
    context.stroke();
    for (const [x = 0, y = 0, ...more] of line) {
      if (more.length > 0) continue;
      context.beginPath();
      context.arc(x, y, DOT, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.restore();
}

function trace(context: CanvasRenderingContext2D, stretch: Stretch): void {
  context.moveTo(stretch[0] as number, stretch[1] as number);
  for (let i = 2; i < stretch.length; i += 2) context.lineTo(stretch[i] as number, stretch[i + 1] as number);
}

function fill(context: CanvasRenderingContext2D, stretch: Stretch, foot: (x: number) => [number, number]): void {
  context.beginPath();
  trace(context, stretch);
  context.lineTo(...foot(stretch.at(-2) as number));
  context.lineTo(...foot(stretch[0] as number));
  context.fill();
}

/** Fills between the parts of two lines that have their gaps at the same rows. */
function fillBetween(context: CanvasRenderingContext2D, upper: readonly Stretch[], lower: readonly Stretch[]): void {
  for (const stretch of upper) {
    const below = lower.find(([x]) => x === stretch[0]);
    if (below === undefined) continue;
    context.beginPath();
    trace(context, stretch);
    for (let i = below.length - 2; i >= 0; i -= 2) context.lineTo(below[i] as number, below[i + 1] as number);
    context.fill();
  }
}
