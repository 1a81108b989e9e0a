import type { Incident, IncidentRecord } from '../../../engine/api/incident-types.ts';

/** Texts that try to leave their place. */
export const EVIL: readonly string[] = [
  '</script><script>window.evil = 1</script>',
  '<img src=x onerror="window.evil = 2">',
  '"><svg onload=alert(1)>',
  "' onmouseover='x",
  '<!-- <script> ',
  ']]> &lt;b&gt; &amp;',
  '```\n# heading\n````sh',
  '| a | b |\n|---|',
  '[x](javascript:alert(1)) ![y](http://x/y.png) <http://z>',
  '\u202egnp.exe \u2066x\u2069 \u200b zero',
  '\u001b[31mred\u0007 \u009b1m \0',
  'half \ud800 pair \udc00',
  'line \u2028 and \u2029 paragraph',
];

export const recordOf = (text: string, at = 0, marked = false): IncidentRecord => ({
  time: Date.UTC(2026, 10, 30, 10, 0, 0) + at * 1000,
  source: 'access.log',
  severity: at % 8,
  text,
  marked,
  values: [String(at)],
});

export function incidentOf(parts: Partial<Incident> = {}): Incident {
  return {
    title: 'Checkout is down',
    summary: 'It began with a deploy.\n\nThen all was well.',
    range: { from: Date.UTC(2026, 10, 30, 10), to: Date.UTC(2026, 10, 30, 11) },
    zone: 'utc',
    difference: null,
    marks: [{ time: Date.UTC(2026, 10, 30, 10, 1), source: 'access.log', text: 'GET /checkout 504', note: 'the first one' }],
    charts: [],
    queries: [],
    columns: ['status'],
    records: [recordOf('GET /checkout 504', 1, true)],
    left: 0,
    around: 5,
    anonymised: false,
    madeAt: Date.UTC(2026, 10, 30, 12),
    ...parts,
  };
}

/** An incident with each of the texts in each of its places. */
export const evilIncident = (): Incident =>
  incidentOf({
    title: EVIL.join(' '),
    summary: EVIL.join('\n\n'),
    difference: { title: EVIL.join(' '), sentences: EVIL },
    marks: EVIL.map((text, i) => ({ time: i, source: text, text, note: text })),
    charts: [
      {
        title: EVIL[0] as string,
        about: EVIL.join(),
        by: [],
        unit: EVIL[1] as string,
        form: 'bars',
        from: 0,
        rowMs: 1000,
        series: EVIL.map((name, i) => ({ name, values: [i, null, 2] })),
      },
      {
        title: EVIL[2] as string,
        about: '',
        by: [],
        unit: '',
        form: 'lines',
        from: 0,
        rowMs: 1000,
        series: EVIL.map((name, i) => ({ name, values: [null, i] })),
      },
      {
        title: EVIL[3] as string,
        about: '',
        by: [],
        unit: 'ms',
        form: 'list',
        from: 0,
        rowMs: 1,
        series: EVIL.map((name, i) => ({ name, values: [i] })),
      },
      ...(['heat', 'none'] as const).map((form) => ({
        ...{ title: EVIL[4] as string, about: EVIL.join(), by: [], unit: EVIL[0] as string, form, from: 0, rowMs: 1 },
        series: EVIL.map((name, i) => ({ name, values: [i] })),
      })),
    ],
    queries: EVIL.map((text) => ({ name: text, sql: text, columns: [text], rows: [[text]], more: true, problem: null })),
    columns: EVIL,
    records: EVIL.map((text, i) => ({ ...recordOf(text, i), source: text, values: EVIL })),
  });

/** An incident with each part that a page can have, and 10,000 records. */
export function fullIncident(): Incident {
  const from = Date.UTC(2026, 10, 30, 10);
  const head = { about: 'records with status ≥ 500', by: [], unit: 'ms', from, rowMs: 60_000 };
  const series = Array.from({ length: 12 }, (_, at) => ({
    name: `web-${at}.example.com`,
    values: Array.from({ length: 60 }, (_unused, i) => (i % 17 === 3 && at % 3 === 0 ? null : Math.round(40 + 30 * Math.sin(i / 7 + at)))),
  }));
  const charts = (['bars', 'lines', 'heat', 'list', 'none'] as const).map((form) => ({
    ...head,
    title: `A chart as ${form}`,
    form,
    series,
  }));
  const query = {
    name: 'Wide',
    sql: 'SELECT *\nFROM access',
    columns: Array.from({ length: 20 }, (_, i) => `column_${i}`),
    more: true,
    problem: null,
  };
  const cells = Array.from({ length: 5 }, () => query.columns.map((name) => `value of ${name}`));
  return incidentOf({
    difference: { title: 'A: before, B: after', sentences: ['status 504: 0.1 % of A, 31 % of B'] },
    marks: Array.from({ length: 8 }, (_, i) => ({
      time: from + i,
      source: 'access.log',
      text: `GET /${'x'.repeat(i * 100)}`,
      note: i % 2 ? 'a note\nin lines' : '',
    })),
    charts,
    queries: [
      { ...query, rows: cells },
      { ...query, name: 'Broken', columns: [], rows: [], problem: 'Catalog Error: no such table' },
    ],
    columns: ['status'],
    records: Array.from({ length: 10_000 }, (_, i) => ({ ...recordOf(`GET /checkout/${i} HTTP/1.1`, i, i % 1000 === 0), values: ['504'] })),
    left: 1204,
  });
}
