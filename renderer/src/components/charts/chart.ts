import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type Scale,
  type ChartConfiguration,
  type ChartDataset,
} from 'chart.js';
import annotationPlugin, { type AnnotationOptions } from 'chartjs-plugin-annotation';
import zoomPlugin from 'chartjs-plugin-zoom';
import type { Graph } from '../../../../engine/api/types.ts';
import { formatValue } from '../../../../engine/api/quantities.ts';
import { withAlpha } from '../../lib/theme.ts';
import { formatTick, ticksBetween, type TimeZone } from '../../../../engine/api/time/time.ts';
import {
  dataRows,
  isStackable,
  isTotal,
  points,
  rowsIn,
  unitName,
  unitsOf,
  type GraphKind,
  type Point,
  type TimeRange,
} from './graph-data.ts';
import { drawLines, extentsOf } from './lines.ts';

Chart.register(
  LineController,
  LineElement,
  PointElement,
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  Filler,
  annotationPlugin,
  zoomPlugin,
);

/** Usual width of the axis of values, so that the time axes of all cards are in line. */
const AXIS_WIDTH = 64;
const TICK_PIXELS = 96;

export interface GraphColors {
  readonly series: readonly string[];
  readonly line: string;
  readonly text: string;
  readonly background: string;
  readonly mark: string;
  readonly font: string;
}

/** The data and settings of a card's chart. */
export interface GraphPicture {
  readonly graph: Graph;
  readonly kind: GraphKind;
  readonly range: TimeRange;
  readonly hidden: ReadonlySet<string>;
  readonly colors: GraphColors;
  readonly zone: TimeZone;
}

export interface GraphEvents {
  /** The user zoomed or moved the axis. */
  readonly ranged: (range: TimeRange) => void;
  /** The pointer came onto an annotation (its number), or left it. */
  readonly annotation: (index: number | null) => void;
  /** The position of the axes may have changed. */
  readonly laidOut: () => void;
}

export type TimeChart = Chart<'line' | 'bar', Point[]>;

/** The pictures that the charts show now. */
const PICTURES = new WeakMap<HTMLCanvasElement, GraphPicture>();

/** Makes the chart of a card on its canvas. */
export function createChart(canvas: HTMLCanvasElement, picture: GraphPicture, events: GraphEvents): TimeChart {
  PICTURES.set(canvas, picture);
  return new Chart<'line' | 'bar', Point[]>(canvas, configuration(picture, events));
}

/** Brings the chart up to date without any motion. */
export function updateChart(chart: TimeChart, picture: GraphPicture, events: GraphEvents): void {
  PICTURES.set(chart.canvas, picture);
  const { data, options } = configuration(picture, events);
  chart.data = data;
  if (options !== undefined) chart.options = options;
  chart.update('none');
}

/** Whether values stand upon each other. */
const isStacked = ({ graph, kind }: GraphPicture): boolean => isStackable(graph) && kind !== 'line';
/** Whether its columns are lines of our own: bars and stacks are those of the library, as their rows are added up before until they are few. */
const hasOwnLines = (picture: GraphPicture): boolean => picture.kind !== 'bar' && !isStacked(picture);

/** Draws the lines of a chart into its axes. */
function drawOwn({ canvas, ctx, chartArea, scales }: Chart): void {
  const picture = PICTURES.get(canvas);
  const x = scales['x'];
  if (picture === undefined || x === undefined || !hasOwnLines(picture)) return;
  const axes = new Map(unitsOf(picture.graph).map((unit, index) => [unit, pixelsOf(scales[axisOf(index)])]));
  drawLines(
    ctx,
    { ...picture, colors: picture.colors.series, soft: withAlpha },
    { ...chartArea, xOf: pixelsOf(x), yOf: (unit) => axes.get(unit) ?? pixelsOf(undefined) },
  );
}

/** The pixels of values: that of an axis, without what it looks up for each. */
function pixelsOf(axis: Scale | undefined): (value: number) => number {
  if (axis === undefined) return () => NaN;
  const start = axis.getPixelForValue(axis.min);
  const each = (axis.getPixelForValue(axis.max) - start) / (axis.max - axis.min);
  return (value) => start + (value - axis.min) * each;
}

function configuration(picture: GraphPicture, events: GraphEvents): ChartConfiguration<'line' | 'bar', Point[]> {
  const { colors, range: time } = picture;
  const stacked = isStacked(picture);
  const extents = hasOwnLines(picture) ? extentsOf(picture.graph, time, picture.hidden) : null;
  return {
    type: 'line',
    data: { datasets: extents === null ? datasets(picture, stacked) : [] },
    options: {
      animation: false,
      normalized: true,
      parsing: false,
      responsive: true,
      maintainAspectRatio: false,
      events: ['mousemove', 'mouseout'],
      font: { family: colors.font, size: 11 },
      color: colors.text,
      layout: { padding: { top: 6, right: 16 } },
      scales: {
        x: timeAxis(picture, stacked),
        ...Object.fromEntries(
          unitsOf(picture.graph).map((unit, index, { length }) => [
            axisOf(index),
            valueAxis(picture, unit, { stacked, index, of: length, extent: extents?.get(unit) }),
          ]),
        ),
      },
      plugins: {
        legend: { display: false },
        tooltip: { enabled: false },
        annotation: { annotations: marks(picture, events) },
        zoom: {
          limits: { x: { minRange: 4 * picture.graph.rowMs } },
          zoom: {
            mode: 'x',
            drag: { enabled: true, threshold: 4, backgroundColor: withAlpha(colors.mark, 0.2) },
            wheel: { enabled: true, modifierKey: 'ctrl' },
            onZoomComplete: ({ chart }) => events.ranged(shownRange(chart, time)),
          },
          pan: { enabled: true, mode: 'x', modifierKey: 'shift', onPanComplete: ({ chart }) => events.ranged(shownRange(chart, time)) },
        },
      },
    },
    plugins: [{ id: 'lines', afterLayout: () => events.laidOut(), beforeDatasetsDraw: (chart) => drawOwn(chart) }],
  };
}

function shownRange(chart: Chart, otherwise: TimeRange): TimeRange {
  const axis = chart.scales['x'];
  return axis === undefined ? otherwise : { from: axis.min, to: axis.max };
}

type XAxis = NonNullable<NonNullable<ChartConfiguration<'line' | 'bar', Point[]>['options']>['scales']>['x'];

/** The time axis that all cards share: a linear one in milliseconds, with ticks at round times of the zone that is shown. */
function timeAxis({ range: time, colors, zone }: GraphPicture, stacked: boolean): XAxis {
  return {
    type: 'linear',
    stacked,
    offset: false,
    min: time.from,
    max: time.to,
    border: { color: colors.line },
    grid: { color: colors.line, drawTicks: true, tickLength: 4, offset: false },
    afterBuildTicks: (axis) => {
      axis.ticks = ticksBetween(axis.min, axis.max, Math.max(2, axis.width / TICK_PIXELS), zone).map((value) => ({ value }));
    },
    ticks: {
      color: colors.text,
      font: { family: colors.font, size: 11 },
      maxRotation: 0,
      autoSkip: false,
      callback: (value) => formatTick(Number(value), time.to - time.from, zone),
    },
  };
}

type ValueAxis = NonNullable<NonNullable<ChartConfiguration<'line' | 'bar', Point[]>['options']>['scales']>['y'];

interface AxisPlace {
  readonly stacked: boolean;
  readonly index: number;
  readonly of: number;
  /** The least and the greatest value of our own lines. */
  readonly extent: readonly [number, number] | undefined;
}

/** The axis of the values of a unit: the first one at the left, another at the right, then both with their units as titles. */
function valueAxis({ colors, graph, hidden }: GraphPicture, unit: string, { stacked, index, of, extent }: AxisPlace): ValueAxis {
  const font = { family: colors.font, size: 11 };
  return {
    type: 'linear',
    // Without a column that is shown it says nothing.
    display: index === 0 || graph.columns.some((column) => column.unit === unit && !hidden.has(column.name)),
    suggestedMin: extent?.[0],
    suggestedMax: extent?.[1],
    position: index === 0 ? 'left' : 'right',
    stacked,
    beginAtZero: true,
    border: { display: false },
    grid: { color: colors.line, drawTicks: false, drawOnChartArea: index === 0 },
    title: { display: of > 1, text: unitName(unit), color: colors.text, font, padding: 0 },
    afterFit: (scale) => void (scale.width = Math.max(AXIS_WIDTH, scale.width)),
    ticks: { color: colors.text, font, maxTicksLimit: 6, padding: 6, callback: (value) => formatValue(Number(value), unit) },
  };
}

const axisOf = (index: number): string => (index === 0 ? 'y' : `y${index}`);

type Dataset = ChartDataset<'line' | 'bar', Point[]>;

function datasets(picture: GraphPicture, stacked: boolean): Dataset[] {
  const { graph, kind, range: time, hidden, colors } = picture;
  // A row on each side, so that areas run to the edges.
  const rows = rowsIn(graph, { from: time.from - graph.rowMs, to: time.to + graph.rowMs });
  const units = unitsOf(graph);
  const known = dataRows(graph);
  const lowest = graph.columns.findIndex((column) => !isTotal(graph, column));
  return graph.columns.map((column, index): Dataset => {
    const color = colors.series[index] ?? colors.text;
    const total = stacked && isTotal(graph, column);
    const data = points(graph, column, rows, known);
    const yAxisID = axisOf(units.indexOf(column.unit));
    const shared = { label: column.name, data, yAxisID, hidden: hidden.has(column.name), spanGaps: false };
    if (kind === 'bar' && !total)
      return { ...shared, type: 'bar', backgroundColor: color, categoryPercentage: 1, barPercentage: 0.9, maxBarThickness: 24 };
    return {
      ...shared,
      type: 'line',
      borderColor: color,
      borderWidth: total ? 1.5 : 0,
      pointRadius: 0,
      pointHitRadius: 0,
      stepped: 'middle',
      stack: total ? 'total' : 'parts',
      fill: kind !== 'area' || total ? false : index === lowest ? 'origin' : '-1',
      backgroundColor: withAlpha(color, 0.85),
    };
  });
}

function marks({ graph, colors }: GraphPicture, events: GraphEvents): AnnotationOptions[] {
  return graph.annotations.map((annotation, index): AnnotationOptions => {
    return {
      type: 'line',
      xMin: annotation.time,
      xMax: annotation.time,
      borderColor: colors.mark,
      borderWidth: 1,
      borderDash: [3, 3],
      label: {
        display: true,
        content: annotation.short,
        position: 'start',
        backgroundColor: colors.mark,
        color: colors.background,
        font: { family: colors.font, size: 10 },
        padding: { x: 4, y: 1 },
        borderRadius: 3,
      },
      enter: () => events.annotation(index),
      leave: () => events.annotation(null),
    };
  });
}
