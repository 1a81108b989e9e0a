import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PluginInfo } from '../../../../engine/api/types.ts';
import { DEFAULT_TEMPLATES, defaultOutput, type FilterTemplate } from '../../../../engine/workspace/file/templates.ts';
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

/** Opens a file and waits until it is read to its end. */
async function openRead(): Promise<number> {
  const id = await engine.open(engine.file('access.log', LINE.repeat(7)));
  await engine.settled(id);
  return id;
}

it('default filters of a file rest while nobody looks at what they make, and then read what is stored', async () => {
  await openRead();
  expect(filter('http_status')).toMatchObject({ state: 'waiting', progress: null, processed: 0 });
  expect(started('http_status')).toBe(false);
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
  expect(sandboxes.started.filter(({ spec }) => spec.name === 'http_status')).toHaveLength(1);
});

it('default filters take part in what flows while someone looks at graphs or lists', async () => {
  void engine.ask('graph.changes', { since: engine.workspace.payloads.revision('graph') }).catch(() => undefined);
  await openRead();
  await until(() => started('http_status'), 'the filter');
});

it('a default filter that rests can be stopped, and reads everything when it is started', async () => {
  const id = await openRead();
  const status = `filter/${id}/http_status`;
  await engine.ask('plugin.stop', { id: status });
  expect(filter('http_status')?.state).toBe('stopped');
  await engine.ask('plugin.start', { id: status });
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
});

it('a look at lists starts no filter that makes graphs, and the other way round', async () => {
  await openRead();
  await engine.ask('items.list', {});
  await until(() => started('frequent_clients') && started('frequent_requests'), 'the lists');
  expect(started('http_status')).toBe(false);
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
});

it('all default filters start when someone looks at the filters', async () => {
  await openRead();
  await engine.ask('filter.wake', {});
  await until(() => started('http_status') && started('frequent_clients'), 'the filters');
  await until(() => filter('http_status')?.progress === null, 'the records');
});

it('a default filter that has begun takes part in what comes', async () => {
  const path = engine.file('access.log', LINE.repeat(7));
  await engine.settled(await engine.open(path));
  await until(async () => (await counted()).includes('7'), 'the counts of all records');
  appendFileSync(path, LINE.repeat(5));
  await until(async () => (await counted()).includes('12'), 'the new records');
});

it('a filter that was changed is not a default filter any more: it may raise alerts', () => {
  const [status] = DEFAULT_TEMPLATES as readonly [FilterTemplate];
  expect(defaultOutput({ ...status, limits: {} })).toBe('graph');
  expect(defaultOutput({ ...status, config: { rows: 10 } })).toBeNull();
  expect(defaultOutput({ ...status, name: 'mine' })).toBeNull();
});

const OWN: FilterTemplate = {
  ...(DEFAULT_TEMPLATES[0] as FilterTemplate),
  name: 'own',
  matcher: "Type == 'svc.sandbox-output'",
  builtIn: false,
};

it('default filters do not rest beside a filter that may select what they make', async () => {
  const { filters } = engine.workspace;
  await openRead();
  expect(filter('http_status')?.state).toBe('waiting');
  await filters.setTemplates([...DEFAULT_TEMPLATES, OWN], () => ({ keepState: true }));
  await until(() => started('http_status'), 'the filter of the file that is open');
  await until(() => filter('http_status')?.progress === null, 'the records');
  const id = await engine.open(engine.file('other.log', LINE.repeat(3)));
  await engine.settled(id);
  const status = (): PluginInfo | undefined => filters.infos().find(({ source, name }) => source === id && name.startsWith('http_status'));
  await expect.poll(() => status()?.state).toMatch(/starting|running/);
});
