import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { incidentHtml } from '../../../engine/incident/html.ts';
import { evilIncident, EVIL, incidentOf, recordOf } from './fixtures.ts';

/** The text of each element of a name. */
const contents = (html: string, name: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^]*?)</${name}>`, 'g')), ([, text = '']) => text);

describe('the page of an incident', () => {
  it('allows nothing but its own script and style', () => {
    const html = incidentHtml(incidentOf());
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    const hashOf = (text = ''): string => createHash('sha256').update(text).digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hashOf(contents(html, 'script').at(-1))}'`);
    expect(policy).toContain(`style-src 'sha256-${hashOf(contents(html, 'style')[0])}'`);
    expect(html).not.toMatch(/ style=| on\w+=|https?:\/\/|<link|<iframe|<a /);
  });

  it('has every text of a record as text, and shows what it would obey', () => {
    const html = incidentHtml(evilIncident());
    // As many as there are in a page of harmless texts.
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<img|<svg onload|<b>|<!-- /);
    expect(html).not.toMatch(/ on(?:error|load|mouseover)=[^&\\]*>/);
    expect(html).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\u200b]/u);
    expect(html).toContain('\\u202egnp.exe');
    const [data = ''] = contents(html, 'script');
    const { rows, sources } = JSON.parse(data) as { rows: unknown[][]; sources: string[] };
    expect(sources[1]).toBe(EVIL[1]);
    expect(rows[1]?.at(-1)).toBe(EVIL[1]);
  });

  it('draws bars, lines and lists', () => {
    const chart = { title: 'Records', about: 'all records', by: [], unit: 'count', from: Date.UTC(2026, 10, 30), rowMs: 60_000 };
    const series = [
      { name: 'ok', values: [1, 2, null, 4] },
      { name: 'bad', values: [0, 3] },
    ];
    const html = incidentHtml(incidentOf({ charts: (['bars', 'lines', 'list'] as const).map((form) => ({ ...chart, form, series })) }));
    expect(html.match(/<figure>/g)).toHaveLength(3);
    expect(html.match(/role="img" aria-label="Records"/g)).toHaveLength(2);
    expect(html).toContain('<td>bad</td><td>0</td>');
    expect(html.match(/NaN/g)?.length).toBe(incidentHtml(incidentOf()).match(/NaN/g)?.length);
  });

  it.each([
    ['10,000 short ones', 10_000, 180],
    ['10,000 long ones', 10_000, 1200],
    ['10,000 that have to be escaped', 10_000, 300, '<"&\u0001é'],
    ['a few very long ones', 10, 1_000_000],
  ])('stays below 3 MB: %s', (_, count, length, sign = 'x') => {
    const text = sign.repeat(length / sign.length);
    const html = incidentHtml(incidentOf({ records: Array.from({ length: count }, (_unused, i) => recordOf(`${i} ${text}`, i)) }));
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
    const [data = ''] = contents(html, 'script');
    expect((JSON.parse(data) as { rows: unknown[] }).rows).toHaveLength(count);
    if (length > 1000) expect(html).toMatch(/Texts longer than \d+ bytes are cut/);
  });

  it('stays below 3 MB with all that an export may bring, and says what has no room', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000);
    const chart = { title: 'x'.repeat(500), about: 'y'.repeat(2000), by: [], unit: 'ms', from: 0, rowMs: 1000 };
    const forms = ['bars', 'lines', 'heat', 'list'] as const;
    const html = incidentHtml(
      incidentOf({
        summary: '<'.repeat(20_000),
        marks: Array.from({ length: 2000 }, (_, time) => ({ time, source: 's', text: '<&'.repeat(50_000), note: 'n'.repeat(1000) })),
        charts: Array.from({ length: 24 }, (_, i) => ({
          ...chart,
          form: forms[i % 4] as (typeof forms)[number],
          series: Array.from({ length: 12 }, (_unused, at) => ({ name: `s${at}`, values })),
        })),
        queries: Array.from({ length: 20 }, (_, i) => ({
          ...{ name: `q${i}`, sql: 'SELECT 1', columns: ['a', 'b'], more: true, problem: null },
          rows: Array.from({ length: 50 }, () => ['<'.repeat(10_000), 'b']),
        })),
        records: Array.from({ length: 10_000 }, (_unused, i) => recordOf(`${i} ${'<é'.repeat(400)}`, i)),
      }),
    );
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
    for (const told of [
      /[\d,]+ marks had no room here/,
      /\d+ charts had no room here/,
      /\d+ queries had no room here/,
      /records within 5 of a mark had no room/,
    ])
      expect(html).toMatch(told);
    expect(html).toContain('<section><h2>Records around the marks</h2>');
  });

  it('says what is missing', () => {
    const html = incidentHtml(incidentOf({ left: 1204, anonymised: true, zone: 'local', records: [] }));
    expect(html).toContain('1,204 records within 5 of a mark had no room here.');
    expect(html).toContain('Anonymised: ');
    expect(html).toContain('(local time)');
    expect(html).not.toContain('<script');
  });
});
