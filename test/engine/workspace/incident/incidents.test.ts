import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportInfo, IncidentChart, IncidentExport } from '../../../../engine/api/types.ts';
import { Engine } from '../engine-fixture.ts';

/** All that tells of somebody in the log, one of each kind. */
const ORIGINALS = {
  address: '203.0.113.77',
  address6: '2001:db8::77:1',
  host: 'shop-db-07',
  domain: 'intra.acmecorp.example',
  user: 'waldemar',
  mail: 'eva.braun-meier@acmecorp.example',
  token: 'sk_live_a1B2c3D4e5F6g7H8',
  home: '/home/guenther/',
  uuid: '5f0c2a9e-1b7d-4c3e-9f00-a1b2c3d4e5f6',
};
const { address, address6, host, domain, user, mail, token, home, uuid } = ORIGINALS;
const NAMES = [address, address6, host, domain, 'acmecorp', user, mail, 'braun-meier', token, 'a1B2c3D4', 'guenther', uuid];

const lineOf = (i: number): string =>
  `${i % 2 ? address : '198.51.100.9'} - ${user} [20/Nov/2026:10:00:${String(i % 60).padStart(2, '0')} +0000] "GET /a${i}?token=${token}&m=${mail} HTTP/1.1" ${i % 3 ? 200 : 500} 12 "https://${domain}/x" "curl host=${host} ${address6} in ${home}bin ${uuid}"\n`;
const ALL = Object.values(ORIGINALS).join(' ');
/** As many of them as have room. */
const some = (most: number): string =>
  Object.values(ORIGINALS)
    .reduce((all, one) => (all.length + one.length < most ? `${all} ${one}` : all), '')
    .trim();
const LINES = Array.from({ length: 60 }, (_, i) => lineOf(i)).join('');

const CHART: IncidentChart = {
  title: `Records of ${host}`,
  about: `user ${user}`,
  unit: 'count',
  by: ['Fields[remote_user]'],
  form: 'bars',
  from: Date.UTC(2026, 10, 20, 10),
  rowMs: 1000,
  series: [{ name: user, values: [1, 2, 3] }],
};

/** Charts of each form, with originals in all of their texts. */
const CHARTS: IncidentChart[] = (['bars', 'lines', 'heat', 'list', 'none'] as const).map((form) => ({
  ...{
    title: `${form} of ${ALL}`,
    about: `records with ${ALL}`,
    unit: user,
    by: ['Fields[remote_user]', 'Fields[host]'],
    form,
    from: 0,
    rowMs: 1000,
  },
  series: [...Object.values(ORIGINALS).map((name) => ({ name, values: [1, 2] })), { name: `${user} · ${host}`, values: [3] }],
}));
const KEPT = { kind: 'text', text: ALL, label: `label ${ALL}`, caseSensitive: false, out: false, enabled: true } as const;

let engine: Engine;
let target: string;

beforeEach(async () => {
  engine = new Engine();
  target = join(mkdtempSync(join(tmpdir(), 'sluicebox-incident-')), 'out');
  const log = engine.file(`${host}.access.log`, LINES);
  await engine.settled(await engine.open(log));
  const { rows } = await engine.rows();
  for (const at of [10, 40]) await engine.ask('mark.set', { record: rows[at]?.id ?? -1, on: true });
  const [mark] = await engine.ask('mark.list', {});
  await engine.ask('mark.note', { key: mark?.key ?? -1, note: `asked ${user} about ${host}` });
  await engine.ask('query.save', { name: `of ${user}`, sql: `SELECT '${host}' AS host, '${address}' AS ip` });
  await engine.ask('incident.set', {
    incident: {
      title: `${host} is slow`,
      summary: `Seen by ${mail} from ${address6}.`,
      from: null,
      to: null,
      difference: { title: 'Before and after', sentences: [`remote_addr ${address}: 0.1 % of A, 8 % of B`] },
    },
  });
});
afterEach(() => engine.workspace.stop());

async function write(request: Partial<IncidentExport>): Promise<ExportInfo> {
  await engine.grant(target);
  const { id } = await engine.ask('incident.export', {
    path: target,
    form: 'html',
    anonymise: false,
    around: 3,
    columns: ['status', 'remote_addr'],
    charts: [CHART],
    ask: false,
    words: [],
    zone: 'utc',
    window: { session: { files: [host] } },
    ...request,
  });
  const ended = (): ExportInfo | undefined =>
    engine.events
      .flatMap(({ name, data }) => (name === 'export' ? [data as ExportInfo] : []))
      .findLast((info) => info.id === id && info.state !== 'running');
  await expect.poll(ended, { interval: 10 }).toMatchObject({ state: 'done', problem: null });
  return ended() as ExportInfo;
}

const foundIn = (text: string): string[] => NAMES.filter((name) => text.toLowerCase().includes(name.toLowerCase()));

describe('an incident', () => {
  it('is kept with the workspace', async () => {
    await engine.workspace.stop();
    const again = new Engine(engine.folder);
    expect((await again.ask('incident.get', {})).title).toBe(`${host} is slow`);
    await again.workspace.stop();
  });

  it('is written as a page with the records around its marks', async () => {
    const { written } = await write({});
    expect(written).toBe(14);
    const html = readFileSync(target, 'utf8');
    expect(foundIn(html)).toEqual(NAMES);
    expect(html).toContain(`<h1>${host} is slow</h1>`);
    for (const at of [7, 13, 37, 43]) expect(html).toContain(`GET /a${at}?`);
    for (const at of [6, 14, 36, 44]) expect(html).not.toContain(`GET /a${at}?`);
  });

  /** Puts originals into each part that a workspace keeps. */
  async function fillAll(): Promise<void> {
    const marks = await engine.ask('mark.list', {});
    for (const { key } of marks) await engine.ask('mark.note', { key, note: `note of ${ALL}` });
    await engine.ask('query.save', {
      name: some(100),
      sql: `SELECT '${ALL}' AS "${host} of ${user}", remote_user, http_user_agent, '${mail}' FROM records`,
    });
    await engine.ask('query.save', { name: 'broken', sql: `SELECT ${user} FROM "${host}"` });
    const incident = await engine.ask('incident.get', {});
    const difference = { title: `A: ${ALL}`, sentences: [`remote_user ${user}, host ${host}: 0.1 % of A`, ALL] };
    await engine.ask('incident.set', { incident: { ...incident, title: some(200), summary: `Seen:\n\n${ALL}`, difference } });
    const highlighter = {
      name: ALL,
      kind: 'field',
      text: user,
      field: user,
      caseSensitive: false,
      word: false,
      color: 1,
      enabled: true,
    } as const;
    await engine.ask('highlighter.set', { highlighters: [{ ...highlighter, name: some(100) }] });
    await engine.ask('filterSet.set', { sets: [{ name: some(100), any: false, filters: [KEPT] }] });
    const graph = {
      measure: 'count',
      of: null,
      by: [`Fields[${user}]`],
      display: 'bars',
      unit: user,
      any: false,
      filters: [KEPT],
    } as const;
    await engine.ask('recordGraph.set', { graphs: [{ ...graph, id: 1, title: some(200) }] });
  }

  it.each(['html', 'markdown', 'bundle'] as const)('has none of the originals in any part when it is anonymised, as %s', async (form) => {
    await fillAll();
    await write({ form, anonymise: true, charts: CHARTS, ask: form !== 'bundle', columns: ['remote_addr', 'remote_user', user, host] });
    const bytes = readFileSync(target);
    const text = form === 'bundle' ? zstdDecompressSync(bytes).toString() : bytes.toString();
    expect(foundIn(text)).toEqual([]);
    if (form === 'bundle') return;
    expect(text).toContain('Catalog Error');
    expect(text.match(/user-[a-z]{8}/g)?.length).toBeGreaterThan(20);
  });

  it.each(['html', 'markdown'] as const)('has pseudonyms of the same networks when it is anonymised, as %s', async (form) => {
    await write({ form, anonymise: true });
    const text = readFileSync(target, 'utf8');
    expect(foundIn(text)).toEqual([]);
    expect(text).toContain('Anonymised');
    const users = new Set(text.match(/user-[a-z]{8}/g));
    expect(users.size).toBeGreaterThan(0);
    expect(text).toMatch(/203\.\d+\.\d+\.\d+/);
  });

  it('is written as a bundle that opens with its marks and records alone', async () => {
    await write({ form: 'bundle' });
    const other = new Engine();
    await other.grant(target, 'workspace');
    await other.ask('workspace.open', { path: target, places: [], window: {} });
    await expect.poll(async () => (await other.ask('engine.state', {})).records).toBe(14);
    const marks = await other.ask('mark.list', {});
    expect(marks.map(({ text, note }) => [/\/a\d+/.exec(text)?.[0], note])).toEqual([
      ['/a10', `asked ${user} about ${host}`],
      ['/a40', ''],
    ]);
    expect(marks.every(({ record }) => record !== null)).toBe(true);
    expect(other.workspace.notices.list().map(({ code, text }) => `${code}: ${text}`)).toContain(
      'workspace.part: out has the records around 2 marks of an incident alone: 46 other records of its sources were left out when it was written.',
    );
    expect((await other.ask('incident.get', {})).title).toBe(`${host} is slow`);
    expect(await other.ask('query.saved', {})).toHaveLength(1);
    await other.workspace.stop();
  });

  it('has none of the originals when it is anonymised, as a bundle, and opens', async () => {
    await write({ form: 'bundle', anonymise: true });
    expect(foundIn(zstdDecompressSync(readFileSync(target)).toString())).toEqual([]);
    const other = new Engine();
    await other.grant(target, 'workspace');
    await other.ask('workspace.open', { path: target, places: [], window: {} });
    await expect.poll(async () => (await other.ask('engine.state', {})).records).toBe(14);
    const marks = await other.ask('mark.list', {});
    expect(marks.map(({ record }) => record !== null)).toEqual([true, true]);
    const { rows } = await other.rows({ matcher: 'Fields[status] == 500' }, ['status']);
    expect(rows.length).toBeGreaterThan(0);
    await other.workspace.stop();
  });

  it.each([
    ['a far too long summary', { summary: 'x'.repeat(20_001) }],
    ['eleven sentences', { difference: { title: '', sentences: Array.from({ length: 11 }, () => 'x') } }],
  ])('refuses %s', async (_, part) => {
    const incident = { ...(await engine.ask('incident.get', {})), ...part };
    await expect(engine.ask('incident.set', { incident })).rejects.toMatchObject({ code: 'request.invalid' });
  });
});
