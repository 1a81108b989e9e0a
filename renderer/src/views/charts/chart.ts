import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Decimation,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type ChartConfiguration,
  type ChartDataset,
} from 'chart.js';
import annotationPlugin, { type AnnotationOptions } from 'chartjs-plugin-annotation';
import zoomPlugin from 'chartjs-plugin-zoom';
import type { Graph } from '../../../../engine/api/types.ts';
import { formatValue } from '../../../../engine/api/quantities.ts';
import { withAlpha } from '../../lib/theme.ts';
import { formatTick, ticksBetween, type TimeZone } from '../../lib/time/time.ts';
import {
  bandOf,
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

Chart.register(
  LineController,
  LineElement,
  PointElement,
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  Filler,
  Decimation,
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

/** Makes the chart of a card on its canvas. */
export function createChart(canvas: HTMLCanvasElement, picture: GraphPicture, events: GraphEvents): TimeChart {
  return new Chart<'line' | 'bar', Point[]>(canvas, configuration(picture, events));
}

/** Brings the chart up to date without any motion. */
export function updateChart(chart: TimeChart, picture: GraphPicture, events: GraphEvents): void {
  const { data, options } = configuration(picture, events);
  chart.data = data;
  if (options !== undefined) chart.options = options;
  chart.update('none');
}

function configuration(picture: GraphPicture, events: GraphEvents): ChartConfiguration<'line' | 'bar', Point[]> {
  const { colors, range: time } = picture;
  const stacked = isStackable(picture.graph) && picture.kind !== 'line';
  return {
    type: 'line',
    data: { datasets: datasets(picture, stacked) },
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
            valueAxis(picture, unit, { stacked, index, of: length }),
          ]),
        ),
      },
      plugins: {
        legend: { display: false },
        tooltip: { enabled: false },
        // Points of a stack have to stay together: their rows are added up before.
        decimation: { enabled: !stacked, algorithm: 'min-max' },
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
    plugins: [{ id: 'laid-out', afterLayout: () => events.laidOut() }],
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

/** The axis of the values of a unit: the first one at the left, another at the right, then both with their units as titles. */
function valueAxis({ colors }: GraphPicture, unit: string, axis: { stacked: boolean; index: number; of: number }): ValueAxis {
  const { stacked, index, of } = axis;
  const font = { family: colors.font, size: 11 };
  return {
    type: 'linear',
    // Without a column that is shown it says nothing.
    display: index === 0 ? true : 'auto',
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
  // A row on each side, so that lines run to the edges.
  const { first, end } = rowsIn(graph, { from: time.from - graph.rowMs, to: time.to + graph.rowMs });
  const units = unitsOf(graph);
  const known = dataRows(graph);
  const band = kind === 'line' ? bandOf(graph) : null;
  const lowest = graph.columns.findIndex((column) => !isTotal(graph, column));
  return graph.columns.map((column, index): Dataset => {
    const color = colors.series[index] ?? colors.text;
    const total = stacked && isTotal(graph, column);
    const data = points(graph, column, { first, end }, known);
    const yAxisID = axisOf(units.indexOf(column.unit));
    const shared = { label: column.name, data, yAxisID, hidden: hidden.has(column.name), spanGaps: false };
    if (kind === 'bar' && !total)
      return { ...shared, type: 'bar', backgroundColor: color, categoryPercentage: 1, barPercentage: 0.9, maxBarThickness: 24 };
    return {
      ...shared,
      type: 'line',
      borderColor: color,
      borderWidth: stacked && !total ? 0 : 1.5,
      // A rule is asked for each point, which takes most of the time of a large plot.
      pointRadius: data.some((_point, at) => isAlone(data, at))
        ? ({ dataIndex, dataset }) => (isAlone(dataset.data as Point[], dataIndex) ? 2 : 0)
        : 0,
      pointBackgroundColor: color,
      pointHitRadius: 0,
      stepped: stacked ? 'middle' : false,
      stack: total ? 'total' : 'parts',
      fill: index === band?.high ? band.low : kind !== 'area' || total ? false : stacked && index !== lowest ? '-1' : 'origin',
      backgroundColor: withAlpha(color, stacked ? 0.85 : 0.25),
    };
  });
}

/** A single value between gaps makes no line: a point is drawn there. */
function isAlone(data: readonly Point[], at: number): boolean {
  return !Number.isNaN(data[at]?.y ?? NaN) && Number.isNaN(data[at - 1]?.y ?? NaN) && Number.isNaN(data[at + 1]?.y ?? NaN);
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
