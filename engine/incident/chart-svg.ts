import type { IncidentChart, IncidentSeries } from '../api/incident-types.ts';
import { visibleText } from '../api/printable.ts';
import { formatValue } from '../api/quantities.ts';
import { formatTick, ticksBetween, type TimeZone } from '../api/time/time.ts';
import { escaped } from './escape.ts';

const [WIDTH, HEIGHT] = [960, 200];
const AREA = { left: 64, right: 952, top: 8, bottom: 176 };
/** Colours of the style; further series begin with the first again. */
const COLORS = 8;
const TICKS = 6;
const LINES = 4;

/** A chart as a picture with its key, or a list as a table. */
export function chartHtml(chart: IncidentChart, zone: TimeZone): string {
  const head = `<h3>${shown(chart.title)}</h3><p class="mute">${shown(chart.about)}</p>`;
  return `<figure>${head}${chart.form === 'list' ? list(chart) : picture(chart, zone)}</figure>`;
}

const shown = (text: string): string => escaped(visibleText(text));
const numberOf = (value: number, unit: string): string => escaped(visibleText(formatValue(value, unit)));

function list({ title, series, unit }: IncidentChart): string {
  const rows = series.map(
    ({ name, values: [value = null] }) => `<tr><td>${shown(name)}</td><td>${value === null ? '–' : numberOf(value, unit)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${shown(title)}"><table><thead><tr><th scope="col">Value</th><th scope="col">Number</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function picture(chart: IncidentChart, zone: TimeZone): string {
  const { title, form, series, unit, from, rowMs } = chart;
  const rows = Math.max(1, ...series.map(({ values }) => values.length));
  const top = topOf(chart, rows);
  const x = (row: number): number => round(AREA.left + ((AREA.right - AREA.left) * row) / rows);
  const y = (value: number): number => round(AREA.bottom - ((AREA.bottom - AREA.top) * value) / top);
  const grid = Array.from({ length: LINES + 1 }, (_, i) => (top * i) / LINES).map(
    (value) =>
      `<path class="axis" d="M${AREA.left} ${y(value)}H${AREA.right}"/><text x="${AREA.left - 6}" y="${y(value) + 4}" text-anchor="end">${numberOf(value, unit)}</text>`,
  );
  const to = from + rows * rowMs;
  const times = ticksBetween(from, to, TICKS, zone).map((time) => {
    const at = round(AREA.left + ((AREA.right - AREA.left) * (time - from)) / (to - from));
    return `<text x="${at}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(formatTick(time, to - from, zone))}</text>`;
  });
  const drawn = form === 'bars' ? bars(series, rows, x, y) : series.map(({ values }, i) => line(values, i, x, y));
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${shown(title)}">${grid.join('')}${times.join('')}${drawn.join('')}</svg>${key(chart)}`;
}

type Scale = (value: number) => number;

function line(values: IncidentSeries['values'], index: number, x: Scale, y: Scale): string {
  let path = '';
  let down = false;
  for (const [row, value] of values.entries()) {
    if (value !== null) path += `${down ? 'L' : 'M'}${x(row + 0.5)} ${y(Math.max(0, value))}${down ? '' : 'h.1'}`;
    down = value !== null;
  }
  return `<path class="l${index % COLORS}" d="${path}"/>`;
}

/** Bars that stand on each other: one path for each series. */
function bars(series: readonly IncidentSeries[], rows: number, x: Scale, y: Scale): string[] {
  const below = new Float64Array(rows);
  return series.map(({ values }, index) => {
    let path = '';
    for (const [row, value] of values.entries()) {
      if (value === null || value <= 0) continue;
      const bottom = below[row] as number;
      below[row] = bottom + value;
      path += `M${x(row)} ${y(bottom)}V${y(bottom + value)}H${round(x(row + 1) - 0.5)}V${y(bottom)}z`;
    }
    return `<path class="f${index % COLORS}" d="${path}"/>`;
  });
}

function topOf({ form, series }: IncidentChart, rows: number): number {
  let top = 0;
  for (let row = 0; row < rows; row++) {
    const values = series.map(({ values: all }) => Math.max(0, all[row] ?? 0));
    top = Math.max(top, form === 'bars' ? values.reduce((a, b) => a + b, 0) : Math.max(...values));
  }
  if (!(top > 0) || !Number.isFinite(top)) return 1;
  const step = 10 ** Math.floor(Math.log10(top / LINES));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * step * LINES >= top) ?? 10) * step * LINES;
}

function key({ series, unit }: IncidentChart): string {
  const entries = series.map(({ name, values }, i) => {
    const known = values.filter((value) => value !== null);
    const range =
      known.length === 0 ? '' : ` <span class="mute">${numberOf(Math.min(...known), unit)} – ${numberOf(Math.max(...known), unit)}</span>`;
    return `<li><svg viewBox="0 0 10 10" aria-hidden="true"><path class="f${i % COLORS}" d="M0 0H10V10H0z"/></svg>${shown(name)}${range}</li>`;
  });
  return `<ul class="key">${entries.join('')}</ul>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
