import { createSocket } from 'node:dgram';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilterSection, PluginInfo } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const within = { interval: 20 };
const line = (status = 200): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" ${status} 12 "-" "curl"\n`;

/** Keeps its count on globalThis, and injects it as a graph of one cell at each tick. */
const COUNTER = `globalThis.n = 0;
function process_message() { n++; return 0; }
function timer_event() {
  inject_payload('cbuf', 'count', '{"time":0,"rows":1,"columns":1,"seconds_per_row":60,"column_info":[{"name":"N","unit":"count","aggregation":"sum"}]}\\n' + n + '\\n');
}
`;

const filterOf = (name: string, more: Partial<FilterSection> = {}): FilterSection => ({
  ...{ name, script: 'message_schema', bundled: true, matcher: 'Type !~ /^svc/', ticker: 1, config: {}, inputs: null },
  limits: { memory: 8_388_608, instructions: 1_000_000, output: 64_512 },
  ...more,
});

describe('filters that are changed from the window', () => {
  let engine: Engine;
  let file: string;
  let log: string;
  let script: string;
  let id: number;

  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes({ hosts: 1 }));
    file = join(engine.folder, 'workspace.toml');
    log = engine.file('access.log', line().repeat(30) + line(500).repeat(10) + 'no log line\n');
    id = await engine.open(log);
    await until(async () => (await engine.source(id))?.state === 'following', 'the end of the file');
    const saved = await engine.ask('script.save', { name: 'counter.js', path: null, text: COUNTER, apply: false, keepState: true });
    script = saved.path;
  });
  afterAll(() => engine.workspace.stop());

  const plugin = async (section: string, source = id): Promise<PluginInfo | undefined> =>
    (await engine.ask('engine.state', {})).plugins.find((info) => info.section === section && info.source === source);
  const count = async (name = 'counted'): Promise<number | undefined> =>
    (await engine.ask('graph.list', {})).find(({ plugin: of }) => of === name)?.columns[0]?.values[0];
  const counter = (more: Partial<FilterSection> = {}): FilterSection => filterOf('counted', { script, bundled: false, ...more });
  const text = (): string => readFileSync(file, 'utf8');

  it('lie in the folder of the workspace', () => {
    expect(script).toBe(join(engine.folder, 'scripts', 'counter.js'));
    expect(readFileSync(script, 'utf8')).toBe(COUNTER);
  });

  it('see all decoded records of a file, and are in the readable file', async () => {
    await engine.ask('filter.set', { filter: counter({ matcher: 'Fields[status] == 500' }), keepState: true });
    await expect.poll(() => count(), within).toBe(10);
    expect(text()).toContain(
      '[counted]\ntype = "SandboxFilter"\nfilename = "scripts/counter.js"\nmessage_matcher = "Fields[status] == 500"\nticker_interval = 1\n',
    );
    expect(await plugin('counted')).toMatchObject({ id: `filter/${id}/counted`, bundled: false, progress: null, reason: null });
    appendFileSync(log, line(500));
    await expect.poll(() => count(), within).toBe(11);
  });

  it('go on with their state when they are changed', async () => {
    await engine.ask('filter.set', { filter: counter({ matcher: 'Fields[status] == 200' }), was: 'counted', keepState: true });
    appendFileSync(log, line());
    await expect.poll(() => count(), within).toBe(12);
  });

  it('begin anew with all records when that is wanted', async () => {
    await engine.ask('plugin.reload', { id: `filter/${id}/counted`, keepState: false });
    await expect.poll(() => count(), within).toBe(31);
  });

  it('keep their state while they are stopped, and miss what comes', async () => {
    const { id: plug } = (await plugin('counted')) as PluginInfo;
    await engine.ask('plugin.stop', { id: plug });
    expect(await plugin('counted')).toMatchObject({ state: 'stopped', rate: 0 });
    appendFileSync(log, line());
    await expect.poll(async () => (await engine.source(id))?.records, within).toBe(44);
    await engine.ask('plugin.start', { id: plug });
    appendFileSync(log, line());
    await expect.poll(() => count(), within).toBe(32);
  });

  it('take over another script live, with their state', async () => {
    const better = COUNTER.replace('n++', 'n += 100');
    const { replaced } = await engine.ask('script.save', { name: 'counter.js', path: script, text: better, apply: true, keepState: true });
    expect(replaced).toBe(1);
    appendFileSync(log, line());
    await expect.poll(() => count(), within).toBe(132);
    expect(await engine.ask('filter.undo', {})).toEqual({ undone: `Changing ${script}` });
    expect(readFileSync(script, 'utf8')).toBe(COUNTER);
    appendFileSync(log, line());
    await expect.poll(() => count(), within).toBe(133);
  });

  it('go on as they are when the new script does not load', async () => {
    const broken = engine.ask('script.save', { name: 'counter.js', path: script, text: 'function (', apply: true, keepState: true });
    await expect(broken).rejects.toMatchObject({ code: 'plugin.load', message: expect.stringMatching(/counter\.js:1:/) });
    expect(readFileSync(script, 'utf8')).toBe(COUNTER);
    expect((await plugin('counted'))?.reason).toBeNull();
  });

  it('begin anew, and say so, when the state does not fit', async () => {
    const other = COUNTER.replace('globalThis.n = 0;', 'globalThis.n = 1000; globalThis._PRESERVATION_VERSION = 7;');
    await engine.ask('script.save', { name: 'counter.js', path: script, text: other, apply: true, keepState: true });
    appendFileSync(log, line());
    await expect.poll(() => count(), within).toBe(1001);
    await engine.ask('filter.undo', {});
  });

  it('are removed, and come back by undo with what was written by hand', async () => {
    writeFileSync(file, text().replace('[counted]\n', '# mine\n[counted]\n'));
    await engine.ask('filter.remove', { name: 'counted' });
    expect(text()).not.toContain('counted');
    await expect.poll(() => plugin('counted'), within).toBeUndefined();
    expect(await count()).toBeUndefined();
    expect(await engine.ask('filter.undo', {})).toEqual({ undone: 'Removing the filter script counted' });
    expect(text()).toContain('# mine\n[counted]\ntype = "SandboxFilter"\n');
    await expect.poll(() => count(), within).toBeGreaterThan(30);
  });

  it('are there once, also when the file is read again meanwhile', async () => {
    const changes = ['a', 'b', 'c'].map((name) => engine.ask('filter.set', { filter: filterOf(`twice_${name}`), keepState: true }));
    await Promise.all(changes);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const ids = (await engine.ask('engine.state', {})).plugins.map((info) => info.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((one) => one.includes('twice_'))).toHaveLength(3);
    for (const name of ['a', 'b', 'c']) await engine.ask('filter.remove', { name: `twice_${name}` });
    expect(await plugin('twice_a')).toBeUndefined();
  });

  it('are taken back by the number of their change, unless there were others since', async () => {
    const { step } = await engine.ask('filter.set', { filter: filterOf('first'), keepState: true });
    const { step: later } = await engine.ask('filter.set', { filter: filterOf('second'), keepState: true });
    await expect(engine.ask('filter.undo', { step })).rejects.toMatchObject({ code: 'filter.undo' });
    expect(await engine.ask('filter.undo', { step: later })).toEqual({ undone: 'Adding the filter script second' });
    expect(await engine.ask('filter.undo', { step })).toEqual({ undone: 'Adding the filter script first' });
    expect(text()).not.toContain('first');
  });

  it('are taken back only when the file has no problem, later too', async () => {
    await engine.ask('filter.set', { filter: filterOf('first'), keepState: true });
    const whole = text();
    writeFileSync(file, whole.replace('[counted]\n', '[counted]\nticker = 1\n'));
    await expect(engine.ask('filter.undo', {})).rejects.toMatchObject({ code: 'workspace.invalid' });
    expect(await plugin('counted')).toBeDefined();
    writeFileSync(file, whole);
    expect(await engine.ask('filter.undo', {})).toEqual({ undone: 'Adding the filter script first' });
    expect(await plugin('counted')).toBeDefined();
  });

  it('read all records when they are mended, although they were to keep their state', async () => {
    const broken = COUNTER.replace('n++;', "if (++n === 20) throw new Error('twenty');");
    const { path } = await engine.ask('script.save', { name: 'broken.js', path: null, text: broken, apply: false, keepState: true });
    await engine.ask('filter.set', { filter: counter({ name: 'mended', script: path }), keepState: true });
    await expect.poll(async () => (await plugin('mended'))?.reason, within).toContain('twenty');
    await engine.ask('script.save', { name: 'broken.js', path, text: COUNTER, apply: true, keepState: true });
    expect((await plugin('mended'))?.reason).toBeNull();
    const all = (await engine.source(id))?.records ?? 0;
    await expect.poll(() => count('mended'), within).toBe(all - 1);
    await engine.ask('filter.remove', { name: 'mended' });
  });

  it('run only for the sources that they name', async () => {
    const other = await engine.open(engine.file('other.log', line().repeat(5)));
    await expect.poll(async () => (await engine.source(other))?.state, within).toBe('following');
    const inputs = await engine.ask('filter.inputs', {});
    const [input] = inputs.flatMap(({ source, input: name }) => (source === other ? [name] : []));
    expect(input).toBe(`file:${join(engine.folder, 'other.log')}`);
    await engine.ask('filter.set', { filter: filterOf('only', { inputs: [input as string] }), keepState: true });
    expect(await plugin('only', other)).toBeDefined();
    expect(await plugin('only', id)).toBeUndefined();
    expect(text()).toMatch(/inputs = \["file:.*other\.log"\]/);
    await engine.ask('source.close', { id: other });
  });

  it('that have ended say why, and start anew', async () => {
    const poison = 'function process_message() { null.x; }';
    const { path } = await engine.ask('script.save', { name: 'poison.js', path: null, text: poison, apply: false, keepState: true });
    await engine.ask('filter.set', { filter: filterOf('poison', { script: path, bundled: false, ticker: 0 }), keepState: true });
    await expect.poll(async () => (await plugin('poison'))?.state, within).toBe('terminated');
    expect((await plugin('poison'))?.reason).toMatch(/poison\.js:1:\d+: TypeError/);
    const notice = (await engine.ask('notice.list', {})).find(({ text: said }) => said.startsWith('poison was terminated'));
    expect(notice?.about).toMatchObject({ source: id, plugin: 'poison' });
    // Nothing is routed to it any more.
    const report = await engine.workspace.source(id).report();
    expect(report?.filters.map(({ name }) => name)).not.toContain('poison');
    await engine.ask('script.save', {
      name: 'poison.js',
      path,
      text: 'function process_message() { return 0; }',
      apply: false,
      keepState: true,
    });
    await engine.ask('plugin.start', { id: `filter/${id}/poison` });
    await expect.poll(async () => (await plugin('poison'))?.processed, within).toBeGreaterThan(40);
  });

  it('keep counting on a live source when they are replaced', async () => {
    const port = 21_000 + (process.pid % 20_000);
    const { id: live } = await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
    const name = 'counted (udp:' + port + ')';
    const socket = createSocket('udp4');
    const send = (): void => void socket.send('<13>Nov 20 10:00:00 host app: hello', port, '127.0.0.1');
    await engine.ask('filter.set', { filter: counter(), was: 'counted', keepState: true });
    send();
    await expect.poll(() => count(name), within).toBe(1);
    await engine.ask('filter.set', { filter: counter({ matcher: 'Type !~ /^svc/ && Severity >= 0' }), was: 'counted', keepState: true });
    send();
    await expect.poll(() => count(name), within).toBe(2);
    socket.close();
    await engine.ask('source.close', { id: live });
  });

  it.each([
    ['a name that is taken', filterOf('http_status'), 'filter.name'],
    ['a wrong matcher', filterOf('x', { matcher: 'Type ==' }), 'filter.matcher'],
    ['an unknown bundled script', filterOf('x', { script: 'nothing_such' }), 'plugin.unknown'],
    ['a parameter that there is not', filterOf('x', { config: { a: 1 } }), 'plugin.parameter'],
    ['a script that nobody chose', filterOf('x', { bundled: false, script: '/etc/foreign.js' }), 'script.foreign'],
    ['a file that is not a script', filterOf('x', { bundled: false, script: '/etc/passwd' }), 'script.foreign'],
  ])('are refused with %s', async (_what, filter, code) => {
    const before = text();
    await expect(engine.ask('filter.set', { filter, keepState: true })).rejects.toMatchObject({ code });
    expect(text()).toBe(before);
  });

  it('may not write or read outside of their folder', async () => {
    const save = (name: string, path: string | null) => engine.ask('script.save', { name, path, text: '', apply: false, keepState: true });
    await expect(save('../x.js', null)).rejects.toMatchObject({ code: 'script.name' });
    await expect(save('x.js', join(engine.folder, 'x.js'))).rejects.toMatchObject({ code: 'script.foreign' });
    await expect(save('x.js', join(engine.folder, 'scripts', '..', 'x.js'))).rejects.toMatchObject({ code: 'script.foreign' });
    await expect(save('counter.js', null)).rejects.toMatchObject({ code: 'script.exists' });
    await expect(engine.ask('script.read', { kind: 'filter', script: '/etc/passwd' })).rejects.toMatchObject({ code: 'script.foreign' });
    expect(existsSync(join(engine.folder, 'x.js'))).toBe(false);
  });

  it('are copied from bundled ones so that they run from anywhere', async () => {
    for (const { script: name } of await engine.ask('filter.list', {})) {
      const copy = await engine.ask('script.read', { kind: 'filter', script: name });
      expect(copy).toMatchObject({ path: null, name: `my_${name}.ts` });
      expect(copy.text).not.toContain("'../");
    }
    const { text: source } = await engine.ask('script.read', { kind: 'filter', script: 'http_status' });
    const { path } = await engine.ask('script.save', {
      name: 'my_http_status.ts',
      path: null,
      text: source,
      apply: false,
      keepState: true,
    });
    await engine.ask('filter.set', { filter: filterOf('mine', { script: path, bundled: false }), keepState: true });
    await expect.poll(async () => (await plugin('mine'))?.processed, within).toBeGreaterThan(30);
    expect((await plugin('mine'))?.reason).toBeNull();
  });
});
