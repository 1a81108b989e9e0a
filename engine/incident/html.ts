import { createHash } from 'node:crypto';
import type { Incident, IncidentQuery } from '../api/incident-types.ts';
import { visibleText } from '../api/printable.ts';
import { SEVERITY_NAMES } from '../api/severities.ts';
import { formatTime } from '../api/time/time.ts';
import { chartHtml } from './chart-svg.ts';
import { escaped, jsonInHtml } from './escape.ts';
import { cutTo, fitted, roomBeside, withRoom, type Fitted } from './fit.ts';
import { SCRIPT, STYLE } from './page.ts';
import { headOf, plural, toldOf } from './words.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** Nothing is loaded, and no script runs but that of the page. */
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'`;

/** Bytes of the text of a mark, and of a cell of a query. */
const [MOST_MARK, MOST_CELL] = [4000, 1000];

const shown = (text: string): string => escaped(visibleText(text));

/** An incident as one page that needs nothing else: no network, no other file. */
export function incidentHtml(incident: Incident): string {
  const { title, summary, difference, zone } = incident;
  const marks = withRoom(
    'marks',
    incident.marks.map((mark) => markHtml(mark, zone)),
  );
  const charts = withRoom(
    'charts',
    incident.charts.map((chart) => chartHtml(chart, zone)),
  );
  const queries = withRoom('queries', incident.queries.map(queryHtml));
  const fit = fitted(incident, roomBeside(marks.bytes + charts.bytes + queries.bytes));
  const left = { mark: marks.left, chart: charts.left, query: queries.left };
  const parts = [
    `<h1>${shown(title)}</h1>`,
    ...headOf(incident).map((line) => `<p class="mute">${shown(line)}</p>`),
    summary === '' ? '' : `<p class="pre">${shown(summary)}</p>`,
    ...toldOf(incident, fit, left).map((line) => `<p class="told">${shown(line)}</p>`),
    section('Marks', marks.kept, (items) => `<ol class="marks">${items}</ol>`),
    section(
      visibleText(difference?.title ?? ''),
      difference?.sentences.map((sentence) => `<li>${shown(sentence)}</li>`) ?? [],
      (items) => `<ul>${items}</ul>`,
    ),
    section('Charts and counts', charts.kept),
    section('Queries', queries.kept),
    section(`Records around the marks`, fit.records.length === 0 ? [] : [tableHtml(fit, incident)]),
  ];
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${shown(title)}</title>`,
    `<style>${STYLE}</style>`,
  ];
  const script = fit.records.length === 0 ? '' : `<script>${SCRIPT}</script>`;
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n<main>\n${parts.filter((part) => part !== '').join('\n')}\n</main>\n${script}\n</body>\n</html>\n`;
}

function markHtml({ time, source, text, note }: Incident['marks'][number], zone: Incident['zone']): string {
  const words = note === '' ? '' : `<p class="note pre">${shown(note)}</p>`;
  return `<li><p><span class="mute">${formatTime(time, zone)} · ${shown(source)}</span></p>${words}<pre tabindex="0">${escaped(cutTo(visibleText(text.slice(0, MOST_MARK + 1)), MOST_MARK))}</pre></li>`;
}

function section(title: string, items: readonly string[], wrapped = (content: string): string => content): string {
  return items.length === 0 ? '' : `<section><h2>${escaped(title)}</h2>${wrapped(items.join('\n'))}</section>`;
}

function queryHtml({ name, sql, columns, rows, more, problem }: IncidentQuery): string {
  const head = `<h3>${shown(name)}</h3><pre tabindex="0">${shown(sql)}</pre>`;
  if (problem !== null) return `${head}<p class="bad">${shown(problem)}</p>`;
  if (columns.length === 0) return head;
  const line = (cells: readonly string[], open: string, close: string): string =>
    `<tr>${cells.map((cell) => `${open}${escaped(cutTo(visibleText(cell.slice(0, MOST_CELL + 1)), MOST_CELL))}${close}`).join('')}</tr>`;
  const body = rows.map((row) => line(row, '<td>', '</td>')).join('');
  const table = `<table><thead>${line(columns, '<th scope="col">', '</th>')}</thead><tbody>${body}</tbody></table>`;
  const rest = more ? `<p class="mute">The first ${plural(rows.length, 'row')} of more.</p>` : '';
  return `${head}<div class="scroll log" tabindex="0" role="region" aria-label="${shown(name)}">${table}</div>${rest}`;
}

function tableHtml({ records, columns }: Fitted, { zone }: Incident): string {
  const sources = [...new Set(records.map(({ source }) => source))];
  const places = new Map(sources.map((source, i) => [source, i]));
  const levels = SEVERITY_NAMES.map(([short]) => short);
  const rows = records.map(({ time, source, severity, marked, values, text }) => [
    formatTime(time, zone),
    places.get(source),
    severity ?? -1,
    marked ? 1 : 0,
    ...values,
    text,
  ]);
  const heads = ['Time', 'Source', 'Level', ...columns, 'Text'].map(
    (name, i) => `<th scope="col"${i === 0 ? ' aria-sort="ascending"' : ''}><button type="button">${shown(name)}</button></th>`,
  );
  const choices = sources.map((source, i) => `<option value="${i}">${shown(source)}</option>`);
  return [
    '<noscript><p class="told">The table of the records needs the script of this page, which is switched off.</p></noscript>',
    '<div class="tools"><label>Filter <input id="search" type="search" autocomplete="off" spellcheck="false"></label>',
    `<label>Source <select id="source"><option value="">all</option>${choices.join('')}</select></label>`,
    '<label><input id="marked" type="checkbox"> Only marked</label><span id="count" class="mute" role="status"></span></div>',
    '<div class="scroll" tabindex="0" role="region" aria-label="Table of the records">',
    `<table id="log" class="log"><thead><tr>${heads.join('')}</tr></thead><tbody id="rows"></tbody></table></div>`,
    '<p><button id="more" class="more" type="button" hidden>Show more</button></p>',
    `<script id="data" type="application/json">${jsonInHtml({ sources, levels, rows })}</script>`,
  ].join('\n');
}
