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
    ],
    queries: EVIL.map((text) => ({ name: text, sql: text, columns: [text], rows: [[text]], more: true, problem: null })),
    columns: EVIL,
    records: EVIL.map((text, i) => ({ ...recordOf(text, i), source: text, values: EVIL })),
  });
