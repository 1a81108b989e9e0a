/** A store that is opened in the window: its tables are sources, whose records were decoded when they were imported. */
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Lake } from '../../../../engine/catalogue/lake.ts';
import { LocalFiles } from '../../../../engine/catalogue/local-files.ts';
import { compact } from '../../../../engine/catalogue/maintain.ts';
import { until } from '../../../until.ts';
import { add, fileOf } from '../../catalogue/lake-fixtures.ts';
import { sluicebox } from '../../cli/run-cli.ts';
import { Engine } from '../engine-fixture.ts';

const access = (second: number, status: number): string =>
  `192.0.2.${second} - - [20/Nov/2026:10:00:${String(second).padStart(2, '0')} +0000] "GET /a?b=1 HTTP/1.1" ${status} 12 "-" "a \\"b\\" c"\n`;
const syslog = (second: number): string => `<34>1 2026-11-20T10:01:0${second}Z web1 app 7 - - said ${second}\n`;

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-stored-'));
const whole = join(folder, 'whole');
const store = join(folder, 'store');
let engine: Engine;

beforeAll(async () => {
  writeFileSync(join(folder, 'access.log'), access(1, 200) + access(3, 500));
  writeFileSync(join(folder, 'access.log.1'), access(2, 404));
  writeFileSync(join(folder, 'app.log'), syslog(1) + syslog(2));
  await imported('--raw', 'access.log', 'access.log.1');
  await imported('app.log');
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  cpSync(whole, store, { recursive: true });
  engine = new Engine();
});
afterEach(async () => {
  await engine.workspace.stop();
  rmSync(store, { recursive: true });
});

async function imported(...args: readonly string[]): Promise<void> {
  const paths = args.map((arg) => (arg.startsWith('-') ? arg : join(folder, arg)));
  const { code, err } = await sluicebox(['import', '-q', '--store', whole, ...paths]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
}

/** Opens the store, and waits until its tables were read. */
async function openStore(): Promise<number[]> {
  await engine.grant(store, 'open');
  const { opened } = await engine.ask('source.open', { paths: [store] });
  for (const id of opened) await engine.settled(id);
  return opened;
}

describe('a store', () => {
  it('has a source for each table, with the records of all its logs by their times', async () => {
    const [first = 0, second = 0] = await openStore();
    expect(await engine.source(first)).toMatchObject({
      ...{ label: 'access', location: join(store, 'access'), kind: 'file', state: 'following', stored: true, records: 3, failures: 0 },
      decoder: { name: expect.stringMatching(/access/) as string },
    });
    expect((await engine.source(first))?.columns).toContain('status');
    expect(await engine.source(second)).toMatchObject({ label: 'app', records: 2, problem: null });
    const { rows } = await engine.rows({ sources: [first] }, ['status']);
    expect(rows.map(({ values }) => values[0])).toEqual(['200', '404', '500']);
    expect(new Date(rows[0]?.time ?? 0).toISOString()).toBe('2026-11-20T10:00:01.000Z');
  });

  it('shows the lines that were kept, and what is known of the others', async () => {
    const [first = 0, second = 0] = await openStore();
    const raw = async (source: number, row: number): Promise<string | null> => {
      const { rows } = await engine.rows({ sources: [source] });
      return (await engine.ask('record.get', { id: rows[row]?.id ?? -1 })).raw;
    };
    expect(`${await raw(first, 1)}\n`).toBe(access(2, 404));
    const known = await raw(second, 0);
    expect(known).toContain('host=web1');
    expect(known).toMatch(/said 1$/);
    expect((await engine.rows({ sources: [second] })).rows[0]?.text).toBe('said 1');
    // A text is found in the lines, in payloads, and in fields of which no line was kept.
    expect((await engine.rows({ text: 'b=1 HTTP/1.1" 404' })).total).toBe(1);
  });

  it('is found again, in the last session and in a saved workspace', async () => {
    await openStore();
    const places = [join(store, 'access'), join(store, 'app')];
    await engine.workspace.stop();
    engine = new Engine(engine.folder);
    const { files } = await engine.ask('source.whereabouts', { paths: [...places, join(store, 'none')], places: [] });
    expect(files.map(({ state }) => state)).toEqual(['here', 'here', 'missing']);
    const { opened } = await engine.ask('source.open', { paths: places });
    const path = join(engine.folder, 'case.sluicebox');
    await engine.grant(path);
    await engine.ask('workspace.save', { path, records: false, window: {} });
    await expect.poll(() => existsSync(path)).toBe(true);
    for (const id of opened) await engine.ask('source.close', { id });
    await engine.grant(path, 'workspace');
    const reply = await engine.ask('workspace.open', { path, places: [], window: {} });
    expect(reply.files.map(({ place }) => place)).toEqual(places);
    expect((await engine.ask('engine.state', {})).sources.map(({ stored }) => stored)).toEqual([true, true]);
  });

  it('is asked in SQL, from whose results records are shown', async () => {
    const [first = 0] = await openStore();
    const reply = await engine.ask('query.run', { sql: 'SELECT status, count(*) FROM access GROUP BY 1 ORDER BY 1' });
    expect(reply).toMatchObject({
      rows: [
        [200, 1],
        [404, 1],
        [500, 1],
      ],
      records: { sources: [first], whole: true },
    });
  });

  it('is opened once, also table by table, and is known at the next start', async () => {
    const opened = await openStore();
    const place = join(store, 'access');
    await engine.grant(place, 'open');
    expect(await engine.ask('source.open', { paths: [place] })).toEqual({ opened: [opened[0]] });
    expect((await engine.ask('open.look', { text: place })) as unknown).toMatchObject({
      plans: [{ path: place, label: 'access', preview: null }],
    });
    await engine.workspace.stop();
    engine = new Engine(engine.folder);
    const { opened: again } = await engine.ask('source.open', { paths: [place] });
    await engine.settled(again[0] ?? 0);
    expect(await engine.source(again[0] ?? 0)).toMatchObject({ label: 'access', records: 3, stored: true });
  });

  it('is not decoded by another decoder, and has no text to look at', async () => {
    const [first = 0] = await openStore();
    await expect(engine.ask('source.decoder', { id: first, decoder: 'generic' })).rejects.toMatchObject({ code: 'source.stored' });
    expect(await engine.ask('source.raw', { id: first, at: 0, before: 0, count: 10 })).toBeNull();
    expect((await engine.ask('source.head', { id: first })).lines[0]).toBe(access(1, 200).trimEnd());
  });

  it('shifts the times of its records', async () => {
    const [first = 0] = await openStore();
    await engine.ask('source.shift', { id: first, seconds: 3600 });
    await until(async () => {
      const { rows } = await engine.rows({ sources: [first] });
      return rows.length === 3 && new Date(rows[0]?.time ?? 0).toISOString() === '2026-11-20T11:00:01.000Z';
    }, 'records with other times');
  });
});

describe('a store with faults', () => {
  it('names a damaged file, and shows the rest', async () => {
    const files = join(store, 'files');
    const ofApp = readdirSync(files).find((name) => readFileSync(join(files, name), 'latin1').includes('said 1')) ?? '';
    truncateSync(join(files, ofApp), 100);
    const [first = 0, second = 0] = await openStore();
    expect(await engine.source(first)).toMatchObject({ records: 3 });
    expect(await engine.source(second)).toMatchObject({ records: 0 });
    const notices = await engine.ask('notice.list', {});
    expect(notices.map(({ text }) => text).join('\n')).toMatch(new RegExp(`${ofApp} is damaged .* 2 records of app are missing`));
  });

  it('is refused when its list is damaged', async () => {
    appendFileSync(join(store, 'manifest.sqlite'), 'x');
    await engine.grant(store, 'open');
    await expect(engine.ask('source.open', { paths: [store] })).rejects.toMatchObject({ code: 'store.unreadable' });
  });

  it('is not a table that it does not have', async () => {
    const id = await engine.open(join(store, 'other'));
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({ records: 0 });
    expect((await engine.source(id))?.stored).toBeUndefined();
  });
});

describe('a lake', () => {
  it('has a source for each type of messages, as it is when it is opened', async () => {
    const lake = new Lake(new LocalFiles(join(store, 'lake')));
    await add(lake, fileOf(['second'], { time: 2_000_000n }));
    await add(lake, fileOf(['first'], { time: 1_000_000n }));
    await compact(lake, true);
    await engine.grant(join(store, 'lake'), 'open');
    const { opened } = await engine.ask('source.open', { paths: [join(store, 'lake')] });
    for (const id of opened) await engine.settled(id);
    const [id = 0, ...others] = opened;
    expect(others).toEqual([]);
    expect(await engine.source(id)).toMatchObject({
      label: 'a',
      location: join(store, 'lake', 'a'),
      stored: true,
      records: 2,
      problem: null,
    });
  });
});
