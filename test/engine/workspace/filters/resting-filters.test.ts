import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PluginInfo } from '../../../../engine/api/types.ts';
import { DEFAULT_TEMPLATES, isDefault, type FilterTemplate } from '../../../../engine/workspace/file/templates.ts';
import { Engine } from '../engine-fixture.ts';
import { FakeSandboxes } from '../fake-sandboxes.ts';
import { until } from '../../../until.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n';

let engine: Engine;
let sandboxes: FakeSandboxes;

beforeEach(() => {
  sandboxes = new FakeSandboxes();
  engine = new Engine(undefined, sandboxes);
});
afterEach(() => engine.workspace.stop());

const filter = (name: string): PluginInfo | undefined => engine.workspace.filters.infos().find((info) => info.name === name);
const started = (name: string): boolean => sandboxes.started.some(({ spec }) => spec.name === name);
const counted = async (): Promise<string> => JSON.stringify(await engine.ask('graph.list', {}));

/** Opens a file; nobody is told that it was read to its end. */
async function openUntold(): Promise<number> {
  const wake = vi.spyOn(engine.workspace.filters, 'wake').mockImplementation(() => undefined);
  const id = await engine.open(engine.file('access.log', LINE.repeat(7)));
  await engine.settled(id);
  wake.mockRestore();
  return id;
}

it('default filters of a file rest while nobody looks at what they make, and then read what is stored', async () => {
  await openUntold();
  expect(filter('http_status')).toMatchObject({ state: 'waiting', progress: null, processed: 0 });
  expect(started('http_status')).toBe(false);
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
  expect(sandboxes.started.filter(({ spec }) => spec.name === 'http_status')).toHaveLength(1);
});

it('default filters take part in what flows while someone looks at graphs or lists', async () => {
  void engine.ask('graph.changes', { since: engine.workspace.book.revision('graph') }).catch(() => undefined);
  await openUntold();
  await until(() => started('http_status'), 'the filter');
});

it('a default filter that rests can be stopped, and reads everything when it is started', async () => {
  const id = await openUntold();
  const status = `filter/${id}/http_status`;
  await engine.ask('plugin.stop', { id: status });
  expect(filter('http_status')?.state).toBe('stopped');
  await engine.ask('plugin.start', { id: status });
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
});

it('default filters read their file once it was read to its end', async () => {
  const id = await engine.open(engine.file('access.log', LINE.repeat(7)));
  await engine.settled(id);
  await until(() => started('http_status') && started('frequent_clients'), 'the filters');
});

it('a filter that was changed is no default filter any more: it may raise alerts', () => {
  const [status] = DEFAULT_TEMPLATES as readonly [FilterTemplate];
  expect(isDefault({ ...status, limits: {} })).toBe(true);
  expect(isDefault({ ...status, config: { rows: 10 } })).toBe(false);
  expect(isDefault({ ...status, name: 'mine' })).toBe(false);
});
