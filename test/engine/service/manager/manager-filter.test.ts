import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { FakeSandbox, message } from '../../pipeline/fakes.ts';
import { control, loading, managerBench, modeOf, text } from './manager-bench.ts';

const { setUp, at, files } = managerBench();

describe('a manager that is told to load a filter', () => {
  it('starts it, keeps its files for itself, and gives it messages', async () => {
    const { load, running, started, pipeline, log } = await setUp();
    await load('Counter');
    expect(running()).toEqual(['mgr-Counter']);
    expect(await files()).toEqual(['mgr-Counter.js', 'mgr-Counter.toml']);
    expect([modeOf(at('sbxmgrs')), modeOf(at('sbxmgrs/mgr-Counter.js')), modeOf(at('sbxmgrs/mgr-Counter.toml'))]).toEqual([
      '700',
      '600',
      '600',
    ]);
    expect(readFileSync(at('sbxmgrs/mgr-Counter.js'), 'utf8')).toBe('good');
    expect(readFileSync(at('sbxmgrs/mgr-Counter.toml'), 'utf8')).toMatch(/^\[Counter\]\n/);
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    expect(started[0]?.calls).toEqual(['x']);
    expect(log).toEqual(['info: [mgr] mgr-Counter was loaded']);
  });

  it('has set what the configuration of the filter cannot', async () => {
    const parameters =
      'max_filters = 1\nmemory_limit = 100000\ninstruction_limit = 200\noutput_limit = 300\nmodule_directory = "/a/mods;mods"';
    const { load, started, fatal, pipeline } = await setUp(parameters);
    const toml = [
      'filename = "/etc/passwd"\nmodule_directory = "/elsewhere"\nmemory_limit = 0\ninstruction_limit = 0\noutput_limit = 0',
      'can_exit = false\npreserve_data = true\nticker_interval = 7\n[Greedy.config]\nkey = "%ENV[HOME]"',
    ].join('\n');
    await load('Greedy', 'dies', { toml });
    const [sandbox] = started;
    expect(sandbox?.spec).toMatchObject({
      name: 'mgr-Greedy',
      script: at('sbxmgrs/mgr-Greedy.js'),
      limits: { memory: 100_000, instructions: 200, output: 300 },
      preservation: at('sandbox_preservation/mgr_Greedy.data'),
      config: { key: '%ENV[HOME]' },
    });
    expect(sandbox?.spec.modules.slice(0, 2)).toEqual(['/a/mods', at('mods')]);
    expect(sandbox?.spec.modules).not.toContain('/elsewhere');
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    expect(sandbox?.state).toBe('terminated');
    expect(fatal).toEqual([]);
  });

  it('gives it the defaults that its script declares', async () => {
    const { load, started } = await setUp();
    const script = `export const meta = { name: 'x', kind: 'filter', summary: '', parameters: {
      rows: { type: 'uint', summary: '', default: 5 }, width: { type: 'uint', summary: '', default: 3, maximum: 9 } } };`;
    await load('Declared', script, { toml: '[Declared.config]\nrows = 7' });
    expect(started[0]?.spec.config).toEqual({ rows: 7, width: 3 });
  });

  it('reads no constants of other files for what its script declares', async () => {
    const { load, running, log } = await setUp();
    await mkdir(at('sbxmgrs'), { recursive: true });
    await writeFile(at('sbxmgrs/key.js'), "export const KEY = 'secret';");
    const script = `import { KEY } from './key.js';
export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { key: { type: 'string', summary: '', default: KEY } } };`;
    await load('Curious', script);
    expect(running()).toEqual([]);
    expect(log).toEqual([
      expect.stringMatching(
        /^error: .*mgr-Curious\.js:1: KEY is imported from '\.\/key\.js', .* is read without other files: write the constant into/,
      ),
    ]);
  });

  it('gives a filter with a buffer on disk each message once', async () => {
    const { load, started, pipeline } = await setUp();
    await pipeline.start();
    await load('Buffered', 'good', { toml: 'use_buffering = true' });
    for (const payload of ['x', 'y']) await (await pipeline.router.accept(batchOf([message(payload, 0, { type: 'in' })]))).delivered;
    await expect.poll(() => started[0]?.calls.length).toBe(2);
    await pipeline.stop();
    expect(started[0]?.calls).toEqual(['x', 'y']);
  });

  it.each([
    ['a-b.c/../d', '"a-b.c/../d"', 'mgr-a_b_c____d'],
    ['ümlaut', '"ümlaut"', 'mgr-_mlaut'],
  ])('names the filter %s so that it is a file', async (_what, section, name) => {
    const { load, running } = await setUp();
    await load(section);
    expect(running()).toEqual([name]);
    expect(await files()).toEqual([`${name}.js`, `${name}.toml`]);
  });

  it('obeys only what its signer signed', async () => {
    const { load, running, manager } = await setUp('max_filters = 3\nmessage_signer = "ops"');
    await load('A');
    await load('B', 'good', {}, 'somebody');
    expect(running()).toEqual([]);
    await load('C', 'good', {}, 'ops');
    expect(running()).toEqual(['mgr-C']);
    expect((await manager.report(8)).fields).toMatchObject({ RunningFilters: { value: 1 }, ProcessMessageCount: { value: 1 } });
  });

  it.each([
    [-5.1, 'skewed by 5 seconds'],
    [5.1, 'skewed by -5 seconds'],
    [-3600, 'skewed by 3600 seconds'],
    [-4, null],
    [4, null],
  ])('looks at a message that is %d seconds off', async (seconds, problem) => {
    const { load, running, log, ends, manager } = await setUp();
    const timestamp = BigInt(Date.now()) * 1_000_000n + BigInt(Math.round(seconds * 1000)) * 1_000_000n;
    await load('A', 'good', { message: { timestamp } });
    expect(running()).toEqual(problem === null ? ['mgr-A'] : []);
    if (problem !== null) expect(log).toEqual([`warning: [mgr] a control message is ${problem} and was discarded`]);
    expect(ends()).toEqual([]);
    expect((await manager.report(8)).fields.ProcessMessageCount).toEqual({ value: 1, representation: 'count' });
  });

  it('loads no more than max_filters, and again when one has ended', async () => {
    const { load, unload, running, log, ends, manager, pipeline } = await setUp('max_filters = 2');
    await load('A');
    await load('B', 'dies');
    await load('C');
    expect(running()).toEqual(['mgr-A', 'mgr-B']);
    expect(log.at(-1)).toBe('warning: [mgr] a filter was not loaded: there are no more than max_filters of 2');
    expect(await files()).toHaveLength(4);
    expect(ends()).toEqual([]);
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    expect(running()).toEqual(['mgr-A']);
    await load('C');
    expect(running()).toEqual(['mgr-A', 'mgr-C']);
    await unload('C');
    await load('D');
    expect(running()).toEqual(['mgr-A', 'mgr-D']);
    expect((await manager.report(8)).fields).toMatchObject({
      RunningFilters: { value: 2, representation: 'count' },
      ProcessMessageCount: { value: 6, representation: 'count' },
      InChanCapacity: { value: 8 },
    });
  });

  it('loads nothing by default', async () => {
    const { load, running, log } = await setUp('');
    await load('A');
    expect(running()).toEqual([]);
    expect(log).toHaveLength(1);
    expect(await files()).toEqual([]);
  });

  it('uses the first of several sections', async () => {
    const { load, running, started } = await setUp();
    await load('A', 'good', { toml: '[B]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"' });
    expect(running()).toEqual(['mgr-A']);
    expect(started).toHaveLength(1);
  });

  it('takes the name of a section for its type, and a section that is called like the one of the service', async () => {
    const { send, running } = await setUp();
    for (const config of ['[SandboxFilter]\nmessage_matcher = "TRUE"', '[svcd]\ntype = "SandboxFilter"\nmessage_matcher = "FALSE"'])
      await send(control({ action: 'load', config }, { payload: 'good' }));
    expect(running()).toEqual(['mgr-SandboxFilter', 'mgr-svcd']);
  });

  it('runs a bundled script by its name', async () => {
    const { load, running, started, ends } = await setUp();
    await load('Status', '', { toml: 'plugin = "http_status"' });
    expect(running()).toEqual(['mgr-Status']);
    expect(started[0]?.spec.script).toMatch(/http_status\.ts$/);
    await load('Both', 'good', { toml: 'plugin = "http_status"' });
    expect(ends()).toMatchObject([{ payload: expect.stringContaining('names a plugin, and the message has a script as well') as string }]);
  });

  it.each<readonly [what: string, config: string, payload: string, problem: string]>([
    ['is not TOML', '[A\n', 'good', 'Fields[config]:1: is not valid TOML'],
    ['has no section', 'a = 1', 'good', 'Fields[config]: there is no section'],
    ['is another plugin', '[A]\ntype = "SandboxEncoder"', 'good', '[A] must be a SandboxFilter, not SandboxEncoder'],
    ['is another manager', '[A]\ntype = "SandboxManagerFilter"', 'good', '[A] must be a SandboxFilter, not SandboxManagerFilter'],
    ['has no type', '[A]\nmessage_matcher = "TRUE"', 'good', '[A] must be a SandboxFilter, not A'],
    ['has no matcher', '[A]\ntype = "SandboxFilter"', 'good', '[A] message_matcher: is required'],
    ['has a wrong matcher', '[A]\ntype = "SandboxFilter"\nmessage_matcher = "Type =="', 'good', '[A] message_matcher: is not a matcher'],
    ['has an unknown parameter', '[A]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nfoo = 1', 'good', '[A] foo: '],
    ['has another script type', '[A]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nscript_type = "../x"', 'good', '[A] script_type: '],
    ['names no plugin', '[A]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nplugin = "none"', '', 'there is no bundled filter "none"'],
    [
      'has a broken script',
      '[A]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"',
      'broken',
      'mgr-A was not loaded: broken.js:1 SyntaxError',
    ],
    ['tampers with prototypes', '[__proto__]\ntype = "SandboxFilter"', 'good', 'Fields[config]'],
  ])('says that a filter %s and removes its files', async (_what, config, payload, problem) => {
    const { send, ends, running, log, manager } = await setUp();
    await send(control({ action: 'load', config }, { payload }));
    expect(running()).toEqual([]);
    expect(await files()).toEqual([]);
    expect(ends()).toMatchObject([{ type: 'svc.sandbox-terminated', logger: 'svcd', hostname: 'box7', pid: process.pid }]);
    expect(ends()[0]?.payload).toContain(problem);
    expect(ends()[0]?.fields).toEqual([text('plugin', 'mgr')]);
    expect(log).toEqual([`error: [mgr] ${ends()[0]?.payload?.replace(/^mgr: /, '')}`]);
    expect((await manager.report(8)).fields.RunningFilters).toEqual({ value: 0, representation: 'count' });
  });

  it('does not load a filter whose name is taken, and leaves the other one alone', async () => {
    const { load, running, ends, started } = await setUp();
    await load('a-b');
    await load('"a.b"', 'other');
    expect(running()).toEqual(['mgr-a_b']);
    expect(started).toHaveLength(1);
    expect(readFileSync(at('sbxmgrs/mgr-a_b.js'), 'utf8')).toBe('good');
    expect(ends()[0]?.payload).toBe('mgr: mgr-a_b is already running: unload it before it is loaded again');
  });

  it('keeps quiet about a failure when its own matcher would select that', async () => {
    const { load, ends, log } = await setUp('max_filters = 1\nmessage_matcher = "TRUE"');
    await load('A', 'broken');
    expect(ends()).toEqual([]);
    expect(log).toHaveLength(1);
  });

  it.each([
    [{}, 'no Fields[action] that is known: none'],
    [{ action: 'reload' }, 'no Fields[action] that is known: reload'],
    [{ action: 'load' }, 'no Fields[config]'],
    [{ action: 'unload' }, 'no Fields[name]'],
  ])('says what is missing in %o', async (fields, problem) => {
    const { send, log, ends } = await setUp();
    await send(control(fields));
    expect(log).toEqual([expect.stringContaining(problem)]);
    expect(ends()).toEqual([]);
  });

  it('keeps the order of messages that come together', async () => {
    const { pipeline, running, started } = await setUp('max_filters = 1');
    const unload = control({ action: 'unload', name: 'A' });
    await (
      await pipeline.router.accept(batchOf([loading('A', 'one', {}), unload, loading('A', 'two', {}), unload, loading('B', 'three', {})]))
    ).delivered;
    expect(running()).toEqual(['mgr-B']);
    expect(started.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'running']);
  });
});

describe('a manager that is told to unload a filter', () => {
  it('takes it out, tells everybody, removes its files and keeps its state', async () => {
    const { load, unload, running, started, ends, log } = await setUp();
    await load('A', 'good', { toml: 'preserve_data = true' });
    await mkdir(at('sandbox_preservation'));
    await writeFile(at('sandbox_preservation/mgr_A.data'), 'state');
    await unload('A');
    expect(running()).toEqual([]);
    expect(started[0]?.state).toBe('stopped');
    expect(await files()).toEqual([]);
    expect(existsSync(at('sandbox_preservation/mgr_A.data'))).toBe(true);
    expect(ends()).toMatchObject([
      { type: 'svc.terminated', logger: 'svcd', payload: 'mgr-A (type SandboxFilter) terminated. Error: the filter was unloaded' },
    ]);
    expect(ends()[0]?.fields).toEqual([text('plugin', 'mgr-A')]);
    expect(log.at(-1)).toBe('info: [mgr] mgr-A was unloaded');
  });

  it('says that a name is unknown, also that of a filter that it did not load', async () => {
    const { unload, pipeline, log, ends } = await setUp();
    pipeline.addFilter({
      name: 'mgr-A',
      tickerInterval: 0,
      matcher: { select: () => new Uint32Array(0) },
      sandbox: new FakeSandbox('mgr-A', {}),
    });
    await unload('A');
    await unload('B');
    expect(pipeline.router.filters).toHaveLength(2);
    expect(log).toEqual(
      ['mgr-A', 'mgr-B'].map((name) => `warning: [mgr] ${name} was not unloaded, for there is none of that name: no filter is loaded`),
    );
    expect(ends()).toEqual([]);
  });
});

describe('a manager that starts again', () => {
  const kept = async (...names: string[]): Promise<void> => {
    await mkdir(at('sbxmgrs'), { recursive: true });
    for (const name of names) {
      await writeFile(at(`sbxmgrs/${name}.toml`), `[x]\ntype = "SandboxFilter"\nmessage_matcher = "Type == 'in'"\n`);
      await writeFile(at(`sbxmgrs/${name}.js`), 'good');
    }
  };

  it('loads what is kept for it, also what has ended by itself', async () => {
    const first = await setUp();
    await first.load('A');
    await first.load('B', 'dies');
    await (
      await first.pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    expect(first.running()).toEqual(['mgr-A']);
    expect(await files()).toHaveLength(4);
    await first.pipeline.stop();
    const second = await setUp('max_filters = 0');
    expect(second.running()).toEqual(['mgr-A', 'mgr-B']);
    expect((await second.manager.report(8)).fields.RunningFilters?.value).toBe(2);
    await kept('other-C', 'mgr2-D', 'mgr-E');
    const third = await setUp();
    expect(third.running()).toEqual(['mgr-A', 'mgr-B', 'mgr-E']);
  });

  it('forgets a filter that has ended by itself when it is unloaded', async () => {
    const { load, unload, pipeline, ends } = await setUp();
    await load('B', 'dies');
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    await unload('B');
    expect(await files()).toEqual([]);
    expect(ends().map(({ type }) => type)).toEqual(['svc.sandbox-terminated']);
  });

  it('passes over what is not a configuration, and deletes what cannot be made of one', async () => {
    await kept('mgr-A', 'mgr-B', 'mgr-C', 'mgr-D', 'mgr-E');
    await writeFile(at('sbxmgrs/mgr-A.toml'), '[A');
    await writeFile(at('sbxmgrs/mgr-B.js'), 'broken');
    await rm(at('sbxmgrs/mgr-C.js'));
    await writeFile(at('sbxmgrs/mgr-D.js'), 'no host');
    const { running, log, ends } = await setUp();
    expect(running()).toEqual(['mgr-E']);
    expect(await files()).toEqual(['mgr-A.js', 'mgr-A.toml', 'mgr-D.js', 'mgr-D.toml', 'mgr-E.js', 'mgr-E.toml']);
    expect(log.filter((line) => line.startsWith('error')).map((line) => line.replace(/was not loaded again: .*/, '…'))).toEqual(
      ['A', 'B', 'C', 'D'].map((name) => `error: [mgr] mgr-${name} …`),
    );
    expect(ends()).toEqual([]);
  });
});

it('keeps its files where working_directory says', async () => {
  const { load } = await setUp('max_filters = 1\nworking_directory = "here/and there"');
  await load('A');
  expect((await readdir(at('here/and there'))).sort()).toEqual(['mgr-A.js', 'mgr-A.toml']);
  expect(modeOf(at('here/and there'))).toBe('700');
});

it('waits at its end for what it is doing, and does nothing more', async () => {
  const { pipeline, load, running, started } = await setUp();
  const first = load('A');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, pipeline.stop()]);
  expect(started.map(({ state }) => state)).toEqual(['stopped']);
  await load('B');
  expect(running()).toEqual(['mgr-A']);
});
