import type { IncidentChart, IncidentSeries } from '../api/incident-types.ts';
import { visibleText } from '../api/printable.ts';
import { formatValue } from '../api/quantities.ts';
import { formatTick, ticksBetween, type TimeZone } from '../api/time/time.ts';
import { SHADES, shadeOf } from '../api/shades.ts';
import { escaped } from './escape.ts';

const [WIDTH, HEIGHT] = [960, 200];
const AREA = { left: 64, right: 952, top: 8, bottom: 176 };
/** Colours of the style; further lines have them again, dashed and then dotted, and further bars are one series of all others. */
const COLORS = 8;
const DASHES = ['', ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"'];
const MOST_LINES = COLORS * DASHES.length;
const TICKS = 6;
const HALF_LETTER = 3.3;
const LINES = 4;

/** A chart as a picture with its key, or a list as a table. */
export function chartHtml(whole: IncidentChart, zone: TimeZone): string {
  const chart = told(whole);
  const head = `<h3>${shown(chart.title)}</h3><p class="mute">${shown(chart.about)}</p>`;
  return `<figure>${head}${chart.form === 'none' ? '' : chart.form === 'list' ? list(chart) : picture(chart, zone)}</figure>`;
}

/** The chart with no more series than can be told apart. */
function told(chart: IncidentChart): IncidentChart {
  const { form, series } = chart;
  if (form === 'lines' && series.length > MOST_LINES) {
    const left = series.slice(MOST_LINES).map(({ name }) => name);
    return {
      ...chart,
      about: `${chart.about}; ${left.length} more are not drawn: ${left.join(', ')}.`,
      series: series.slice(0, MOST_LINES),
    };
  }
  if (form !== 'bars' || series.length <= COLORS) return chart;
  const [kept, others] = [series.slice(0, COLORS - 1), series.slice(COLORS - 1)];
  const rows = Math.max(0, ...others.map(({ values }) => values.length));
  const values = Array.from({ length: rows }, (_, row) => {
    const known = others.flatMap(({ values: all }) => all[row] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + Math.max(0, value), 0);
  });
  return { ...chart, series: [...kept, { name: `${others.length} others (${others.map(({ name }) => name).join(', ')})`, values }] };
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
  if (form === 'heat') grid.splice(0, grid.length, ...heatEdges(series));
  const times = ticksBetween(from, to, TICKS, zone).map((time) => {
    const at = round(AREA.left + ((AREA.right - AREA.left) * (time - from)) / (to - from));
    const text = escaped(formatTick(time, to - from, zone));
    // One that would go over the edge ends there.
    const anchor = at + text.length * HALF_LETTER > WIDTH ? 'end' : 'middle';
    return `<text x="${anchor === 'end' ? WIDTH : at}" y="${HEIGHT - 6}" text-anchor="${anchor}">${text}</text>`;
  });
  const drawn =
    form === 'heat' ? cells(series, x) : form === 'bars' ? bars(series, rows, x, y) : series.map(({ values }, i) => line(values, i, x, y));
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
  return `<path class="l${index % COLORS}"${DASHES[Math.floor(index / COLORS)]} d="${path}"/>`;
}

/** Names of some rows of a heat map, at their lower borders. */
function heatEdges(series: readonly IncidentSeries[]): string[] {
  const step = Math.ceil(series.length / LINES) || 1;
  return series.flatMap(({ name }, i) => {
    const at = round(AREA.bottom - ((AREA.bottom - AREA.top) * i) / series.length);
    const text = `<text x="${AREA.left - 6}" y="${at}" text-anchor="end">${shown(name.split(' – ')[0] ?? '')}</text>`;
    return i % step === 0 ? [`<path class="axis" d="M${AREA.left} ${at}H${AREA.right}"/>${text}`] : [];
  });
}

/** The cells of a heat map: one path for each shade. */
function cells(series: readonly IncidentSeries[], x: Scale): string[] {
  const most = mostOf(series);
  const paths = Array.from({ length: SHADES + 1 }, () => '');
  const height = (AREA.bottom - AREA.top) / Math.max(1, series.length);
  for (const [i, { values }] of series.entries()) {
    const [bottom, top] = [round(AREA.bottom - i * height), round(AREA.bottom - (i + 1) * height)];
    for (const [row, value] of values.entries())
      if (value !== null && value > 0) paths[shadeOf(value, most)] += `M${x(row)} ${bottom}V${top}H${x(row + 1)}V${bottom}z`;
  }
  return paths.flatMap((path, shade) => (path === '' ? [] : [`<path class="s${shade}" d="${path}"/>`]));
}

const mostOf = (series: readonly IncidentSeries[]): number =>
  series.reduce((most, { values }) => values.reduce<number>((a, b) => Math.max(a, b ?? 0), most), 0);

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

function key({ series, unit, form }: IncidentChart): string {
  if (form === 'heat') {
    const shades = Array.from({ length: SHADES }, (_, i) => `<path class="s${i + 1}" d="M${i * 10} 0h10V10h-10z"/>`);
    const most = numberOf(mostOf(series), 'count');
    return `<p class="key mute">1 <svg class="shades" viewBox="0 0 ${SHADES * 10} 10" aria-hidden="true">${shades.join('')}</svg> ${most} records in a cell</p>`;
  }
  const entries = series.map(({ name, values }, i) => {
    const known = values.filter((value) => value !== null);
    const range =
      known.length === 0 ? '' : ` <span class="mute">${numberOf(Math.min(...known), unit)} – ${numberOf(Math.max(...known), unit)}</span>`;
    const sign = form === 'lines' ? `l${i % COLORS}"${DASHES[Math.floor(i / COLORS)]} d="M0 5H24"` : `f${i % COLORS}" d="M0 0H10V10H0z"`;
    const size = form === 'lines' ? 'class="dash" viewBox="0 0 24 10"' : 'viewBox="0 0 10 10"';
    return `<li><svg ${size} aria-hidden="true"><path class="${sign}/></svg>${shown(name)}${range}</li>`;
  });
  return `<ul class="key">${entries.join('')}</ul>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
