import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import { formatCompact } from '../../../../engine/api/quantities.ts';
import type { ChartData, ChartKind } from './chart-data.ts';

Chart.register(LineController, LineElement, PointElement, BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export interface ChartLook {
  readonly series: readonly string[];
  readonly line: string;
  readonly text: string;
  readonly background: string;
  readonly strong: string;
  readonly font: string;
}

export type ResultChart = Chart<ChartKind, (number | null)[], string>;

/** Draws a result, or draws another one in its place. */
export function drawChart(
  canvas: HTMLCanvasElement,
  before: ResultChart | undefined,
  data: ChartData,
  kind: ChartKind,
  look: ChartLook,
): ResultChart {
  before?.destroy();
  return new Chart<ChartKind, (number | null)[], string>(canvas, configuration(data, kind, look));
}

function configuration(data: ChartData, kind: ChartKind, look: ChartLook): ChartConfiguration<ChartKind, (number | null)[], string> {
  const font = { family: look.font, size: 11 };
  return {
    type: kind,
    data: {
      labels: [...data.labels],
      datasets: data.series.map(({ name, values }, i) => {
        const color = look.series[i % look.series.length] ?? look.text;
        return {
          label: name,
          data: [...values],
          borderColor: color,
          backgroundColor: color,
          borderWidth: kind === 'line' ? 1.5 : 0,
          // A value between two gaps has no line.
          pointRadius: ({ dataIndex: at }) =>
            values.length <= 120 || ((values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null) ? 2 : 0,
          maxBarThickness: 40,
        };
      }),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      layout: { padding: { top: 8, right: 16, bottom: 4, left: 4 } },
      scales: {
        x: {
          border: { color: look.line },
          grid: { display: false },
          ticks: {
            color: look.text,
            font,
            maxRotation: 50,
            autoSkipPadding: 12,
            callback(value) {
              const label = this.getLabelForValue(Number(value));
              return label.length > 24 ? `${label.slice(0, 23)}…` : label;
            },
          },
        },
        y: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: look.line, drawTicks: false },
          ticks: { color: look.text, font, maxTicksLimit: 8, padding: 6, callback: (value) => formatCompact(Number(value)) },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: {
          animation: false,
          backgroundColor: look.background,
          borderColor: look.line,
          borderWidth: 1,
          titleColor: look.strong,
          bodyColor: look.strong,
          titleFont: font,
          bodyFont: font,
          cornerRadius: 4,
        },
      },
    },
  };
}
