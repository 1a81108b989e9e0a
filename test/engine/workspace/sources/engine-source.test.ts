import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mergeReports, type PipelineReport } from '../../../../engine/pipeline/plugin-report.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';

let engine: Engine | null = null;
afterEach(() => engine?.workspace.stop());

const LINE = '203.0.113.9 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 2326 "-" "curl/8"\n';

/** A workspace with a filter of the user's own. */
async function started(script: string): Promise<Engine> {
  const first = new Engine();
  await first.workspace.stop();
  writeFileSync(join(first.folder, 'own.js'), script);
  const section = `[own]\ntype = "SandboxFilter"\nfilename = ${JSON.stringify(join(first.folder, 'own.js'))}\nmessage_matcher = "Fields[status] != NIL"\n`;
  writeFileSync(join(first.folder, 'workspace.toml'), section);
  return (engine = new Engine(first.folder, startSandboxes()));
}

describe('the engine as a source', () => {
  it('brings what it says of itself as records, and the ends of filters', async () => {
    const window = await started(`function process_message() { throw new Error('no more'); }`);
    const { id } = await window.ask('engine.watch', {});
    expect((await window.ask('engine.watch', {})).id).toBe(id);
    await expect
      .poll(async () => (await window.rows({ sources: [id] })).rows.map(({ type }) => type).sort())
      .toEqual(expect.arrayContaining(['svc.all-report', 'svc.memstat']));
    expect(await window.source(id)).toMatchObject({ kind: 'engine', label: 'This engine', state: 'listening', decoder: null });

    const log = await window.open(window.file('access.log', LINE.repeat(3)));
    await window.settled(log);
    const ends = async () => (await window.rows({ sources: [id], matcher: "Type == 'svc.sandbox-terminated'" }, ['plugin'])).rows;
    await expect.poll(async () => (await ends()).length).toBe(1);
    const [end] = await ends();
    expect(end).toMatchObject({ logger: 'svcd', values: ['own (access.log)'], text: expect.stringContaining('no more') as string });

    const reported = async (): Promise<string> =>
      (await window.rows({ sources: [id], matcher: "Type == 'svc.all-report'" })).rows.at(-1)?.text ?? '';
    await expect.poll(reported).toMatch(/"Name":"nginx_access \(access\.log\)"/);
    // The filters that watch it, and no others.
    const { plugins } = await window.ask('engine.state', {});
    const names = plugins.filter(({ source }) => source === id).map(({ name, state }) => `${name} ${state}`);
    expect(names).toEqual([
      expect.stringMatching(/^engine_memory /),
      expect.stringMatching(/^engine_failures /),
      expect.stringMatching(/^own/),
    ]);
    await expect
      .poll(async () => (await window.ask('graph.list', {})).map(({ title }) => title))
      .toContainEqual(expect.stringMatching(/./));
    const graph = (await window.ask('graph.list', {})).find(({ plugin }) => plugin === 'engine_memory');
    expect(graph).toMatchObject({ source: id });
    expect(graph?.columns.map(({ name }) => name)).toContain('HeapSys');

    await window.ask('source.close', { id });
    expect(await window.source(id)).toBeUndefined();
    const again = await window.ask('engine.watch', {});
    await expect.poll(async () => (await window.rows({ sources: [again.id] })).total).toBeGreaterThan(0);
  });
});

it('adds up the global figures of several pipelines and lists their plugins', () => {
  const count = (value: number) => ({ value, representation: 'count' });
  const report = (name: string, value: number): PipelineReport => ({
    globals: [{ name: 'Router', fields: { ProcessMessageCount: count(value) } }],
    ...{ inputs: [{ name, fields: {} }], splitters: [], decoders: [], filters: [], outputs: [], encoders: [] },
  });
  expect(mergeReports([report('a', 1), report('b', 2)])).toEqual({
    globals: [{ name: 'Router', fields: { ProcessMessageCount: count(3) } }],
    inputs: [
      { name: 'a', fields: {} },
      { name: 'b', fields: {} },
    ],
    ...{ splitters: [], decoders: [], filters: [], outputs: [], encoders: [] },
  });
});
