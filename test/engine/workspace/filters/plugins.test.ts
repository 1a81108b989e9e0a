import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../../resources/samples/access.log');

const SCRIPTS: Record<string, string> = {
  broken: 'function process_message( {',
  endless: 'function process_message() { for (;;); }',
  greedy: 'const a = []; function process_message() { for (;;) a.push("x".repeat(1e5) + a.length); }',
  thrower: 'function process_message() { throw new Error("deliberately"); }',
  good: `let n = 0; function process_message() { n++; return 0; } function timer_event() { inject_payload('txt', 'count', n); }`,
};

describe('a workspace with the bundled scripts and some bad ones', () => {
  let engine: Engine;
  let id: number;

  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    const { folder } = engine;
    await engine.workspace.stop();
    for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, `${name}.js`), text);
    const section = (name: string): string =>
      `[${name}]\ntype = "SandboxFilter"\nfilename = "${join(folder, `${name}.js`)}"\nmessage_matcher = "Fields[status] != NIL"\nticker_interval = 60\n`;
    const own = Object.keys(SCRIPTS).map(section).join('');
    const bundled = ['http_status', 'message_schema']
      .map((name) => `[${name}]\ntype = "SandboxFilter"\nplugin = "${name}"\nmessage_matcher = "Type !~ /^svc/"\nticker_interval = 3600\n`)
      .join('');
    writeFileSync(join(folder, 'workspace.toml'), bundled + own);
    engine = new Engine(folder, startSandboxes());
    const log = join(folder, 'access.log');
    copyFileSync(SAMPLE, log);
    id = await engine.open(log);
    await until(async () => (await engine.source(id))?.state === 'following', 'the end of the file');
  });
  afterAll(() => engine.workspace.stop());

  it('decodes the log and shows what is malformed', async () => {
    const source = await engine.source(id);
    expect(source).toMatchObject({ decoder: { name: 'nginx_access' }, problem: null, records: 10_000 });
    expect(source?.failures).toBeGreaterThan(0);
    const failed = await engine.rows({ matcher: 'Fields[decode_failure] == TRUE' });
    expect(failed.total).toBe(source?.failures);
    const errors = await engine.rows({ matcher: 'Fields[status] >= 500' }, ['status']);
    expect(errors.rows.every(({ values }) => Number(values[0]) >= 500)).toBe(true);
  });

  it('shows the graph, whose counts are those of the records', async () => {
    await expect.poll(async () => (await engine.ask('graph.list', {})).length).toBe(1);
    const [graph] = await engine.ask('graph.list', {});
    const sum = async (column: number): Promise<number> => {
      const [now] = await engine.ask('graph.list', {});
      return [...(now?.columns[column]?.values ?? [])].reduce((total, value) => total + (Number.isNaN(value) ? 0 : value), 0);
    };
    const { total } = await engine.rows({ matcher: 'Fields[status] >= 500 && Fields[status] < 600' });
    expect(graph?.columns[4]?.name).toBe('HTTP_500');
    await expect.poll(() => sum(4)).toBe(total);
  });

  it('shows the schema with samples', async () => {
    const [logger] = (await engine.ask('schema.changes', { since: 0 })).loggers;
    const status = logger?.types[0]?.versions[0]?.fields.find(({ name }) => name === 'status');
    expect(status).toMatchObject({ type: 'number', optional: false });
    expect(status?.samples.length).toBeGreaterThan(0);
  });

  it.each([
    ['broken', /broken\.js:1/],
    ['endless', /instruction|time limit/],
    ['greedy', /memory|instruction|time limit/],
    ['thrower', /deliberately/],
  ])('says why %s ended', async (name, reason) => {
    const find = async () => (await engine.ask('engine.state', {})).plugins.find((plugin) => plugin.name === name);
    await expect.poll(async () => (await find())?.state).toBe('terminated');
    expect((await find())?.reason).toMatch(reason);
    const notices = await engine.ask('notice.list', {});
    expect(notices.some(({ code, text }) => code === 'plugin.terminated' && text.startsWith(`${name} was terminated`))).toBe(true);
  });

  it('lets the good one go on', async () => {
    const find = async () => (await engine.ask('engine.state', {})).plugins.find(({ name }) => name === 'good');
    await expect.poll(async () => (await find())?.processed).toBeGreaterThan(9_900);
    expect((await find())?.state).toBe('running');
  });
});
