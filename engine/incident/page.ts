/** The colours of light, which paper has, too. */
const LIGHT =
  '--bg: #ffffff; --pane: #f6f7f9; --line: #dfe3e8; --edge: #8a929c; --text: #1a1d22; --mute: #59616c; --accent: #0a5fc4; --mark: #fff0a8; --bad: #b33a00; --warn: #855600; --c0: #0072b2; --c1: #e69f00; --c2: #009e73; --c3: #cc79a7; --c4: #d55e00; --c5: #56b4e9; --c6: #7a6a00; --c7: #59616c';

/** The style of an incident's page: that of the window, light or dark as the system is. */
export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { --bg: #16181d; --pane: #1b1e24; --line: #2e343d; --edge: #6e7885; --text: #e3e6ea; --mute: #98a1ad; --accent: #6cb1ff; --mark: #3d3200; --bad: #ff8f5c; --warn: #f0b849; --c0: #56a9e0; --c1: #e6ab3c; --c2: #2fb58a; --c3: #d98cb8; --c4: #ee7d45; --c5: #8fd0f5; --c6: #d8cf4a; --c7: #98a1ad } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1280px; padding: 24px 16px 48px; background: var(--bg); color: var(--text); font: 13px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif }
h1 { margin: 0 0 4px; font-size: 22px; overflow-wrap: anywhere }
h2 { margin: 32px 0 8px; padding-bottom: 4px; border-bottom: 1px solid var(--line); font-size: 15px }
h3 { margin: 0 0 4px; font-size: 13px; overflow-wrap: anywhere }
p { margin: 4px 0; max-width: 90ch; overflow-wrap: anywhere }
.pre { white-space: pre-wrap }
.mute, figcaption { color: var(--mute) }
.told { padding: 6px 10px; border-left: 3px solid var(--warn); background: var(--pane) }
code, pre, .log td { font: 12px/1.45 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace; font-variant-numeric: tabular-nums }
pre { overflow: auto; margin: 4px 0; padding: 6px 10px; max-height: 320px; border: 1px solid var(--line); border-radius: 4px; background: var(--pane); white-space: pre-wrap; overflow-wrap: anywhere }
ol.marks { margin: 0; padding: 0; list-style: none }
ol.marks li { margin: 0 0 12px; padding-left: 10px; border-left: 3px solid var(--accent) }
.note { font-weight: 600 }
figure { margin: 0 0 20px }
svg { display: block; width: 100%; height: auto; max-width: 960px }
svg text { fill: var(--mute); font: 11px system-ui, sans-serif }
.axis { stroke: var(--line); stroke-width: 1 }
.key .shades { width: 70px; margin: 0 4px; vertical-align: middle }
.key .dash { width: 24px }
.key { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 4px 0 0; padding: 0; list-style: none }
.key svg { display: inline-block; width: 10px; height: 10px; margin-right: 5px }
${[1, 2, 3, 4, 5, 6, 7].map((i) => `.s${i} { fill: var(--c0); fill-opacity: ${(0.1 + 0.9 * ((i - 1) / 6)).toFixed(2)} }`).join('\n')}
${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `.l${i} { fill: none; stroke: var(--c${i}); stroke-width: 1.5 } .f${i} { fill: var(--c${i}) }`).join('\n')}
.scroll { overflow: auto; max-width: 100%; border: 1px solid var(--line); border-radius: 4px }
table { border-collapse: collapse; width: 100% }
th, td { padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { position: sticky; top: 0; background: var(--pane); font-weight: 600; white-space: nowrap }
th button { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer }
th button:hover { text-decoration: underline }
.log td { white-space: nowrap }
.log td.text { min-width: 420px; white-space: pre-wrap; overflow-wrap: anywhere }
.log tr.marked td { background: var(--mark) }
.bad { color: var(--bad) }
.warn { color: var(--warn) }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin: 8px 0 }
input[type=search], select, .more { height: 28px; padding: 0 8px; border: 1px solid var(--edge); border-radius: 4px; background: var(--bg); color: var(--text); font: inherit }
.tools label { display: flex; align-items: center; gap: 6px; max-width: 100% }
input[type=search] { flex: 1; width: 320px; min-width: 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
@page { margin: 14mm }
@media print { :root { color-scheme: light; ${LIGHT}; --pane: #fff } * { print-color-adjust: exact; -webkit-print-color-adjust: exact } body { max-width: none; padding: 0; font-size: 11px } .tools label, .more { display: none } pre { max-height: none; overflow: visible } .scroll { overflow: visible; border: 0 } th { position: static; white-space: normal; overflow-wrap: anywhere } th, td { padding: 2px 5px } code, pre, .log td { font-size: 10px } .log td, .log td.text { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere } #log td:first-child { min-width: 12ch } #log td:nth-child(3) { white-space: nowrap } h2, h3 { break-after: avoid } tr, svg, .key, ol.marks li { break-inside: avoid } }
`;

/** The script of the page's table. Texts of records go into text nodes alone. */
export const SCRIPT = `
'use strict';
const { sources, levels, rows } = JSON.parse(document.getElementById('data').textContent);
const PAGE = 200;
const [search, source, marked, body, count, more] = ['search', 'source', 'marked', 'rows', 'count', 'more'].map((id) => document.getElementById(id));
const heads = [...document.querySelectorAll('#log th')];
const cellsOf = ([time, from, level, , ...texts]) => [time, sources[from], level < 0 ? '' : levels[level], ...texts];
const haystacks = rows.map((row) => cellsOf(row).join('\\n').toLowerCase());
let shown = [];
let drawn = 0;
let order = { column: 0, down: false };

function compare(one, other) {
  const [a, b] = [one, other].map((at) => cellsOf(rows[at])[order.column]);
  const [x, y] = [a, b].map(Number);
  const by = a !== '' && b !== '' && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a < b ? -1 : a > b ? 1 : 0;
  return (order.down ? -by : by) || one - other;
}

function drawMore() {
  const part = document.createDocumentFragment();
  for (const at of shown.slice(drawn, drawn + PAGE)) {
    const row = rows[at];
    const line = document.createElement('tr');
    if (row[3]) line.className = 'marked';
    cellsOf(row).forEach((text, i, cells) => {
      const cell = document.createElement('td');
      cell.textContent = i === 0 && row[3] ? text + ' ★' : text;
      if (i === cells.length - 1) cell.className = 'text';
      if (i === 2 && row[2] >= 0) cell.className = row[2] <= 3 ? 'bad' : row[2] === 4 ? 'warn' : '';
      line.append(cell);
    });
    part.append(line);
  }
  body.append(part);
  drawn = Math.min(shown.length, drawn + PAGE);
  more.hidden = drawn >= shown.length;
  more.textContent = 'Show ' + Math.min(PAGE, shown.length - drawn) + ' more';
  const all = shown.length.toLocaleString('en-US') + ' of ' + rows.length.toLocaleString('en-US') + ' records';
  count.textContent = drawn < shown.length ? all + ', the first ' + drawn.toLocaleString('en-US') + ' shown' : all;
}

function draw() {
  const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const from = source.value === '' ? -1 : Number(source.value);
  shown = [];
  for (let at = 0; at < rows.length; at++) {
    if ((from >= 0 && rows[at][1] !== from) || (marked.checked && !rows[at][3])) continue;
    if (words.every((word) => haystacks[at].includes(word))) shown.push(at);
  }
  if (order.column !== 0) shown.sort(compare);
  else if (order.down) shown.reverse();
  body.replaceChildren();
  drawn = 0;
  drawMore();
}

heads.forEach((head, column) => {
  head.querySelector('button').addEventListener('click', () => {
    order = { column, down: order.column === column && !order.down };
    heads.forEach((other, i) => (i === column ? other.setAttribute('aria-sort', order.down ? 'descending' : 'ascending') : other.removeAttribute('aria-sort')));
    draw();
  });
});
for (const control of [search, source, marked]) control.addEventListener('input', draw);
more.addEventListener('click', drawMore);
draw();
`;
