import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PluginInfo } from '../../../../engine/api/types.ts';
import { Engine } from '../engine-fixture.ts';

const line = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n';
const within = { interval: 20 };

let engine: Engine;
let log: string;
let id: number;

beforeEach(async () => {
  engine = new Engine();
  log = engine.file('access.log', line.repeat(7));
  await open();
});
afterEach(() => engine.workspace.stop());

async function open(): Promise<void> {
  id = await engine.open(log);
  await engine.settled(id);
}

async function restart(): Promise<void> {
  await engine.workspace.stop();
  engine = new Engine(engine.folder);
  await open();
}

const text = (): string => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8');
const write = (change: (before: string) => string): void => writeFileSync(join(engine.folder, 'workspace.toml'), change(text()));
const status = (): string => `filter/${id}/http_status`;
const state = async (): Promise<PluginInfo['state'] | undefined> =>
  (await engine.ask('engine.state', {})).plugins.find((plugin) => plugin.id === status())?.state;
const counted = async (): Promise<number | undefined> => (await engine.ask('graph.list', {}))[0]?.columns[0]?.values[0];
const listed = (): string => `stopped_for = ["file:${log}"]`;

it('stay stopped at the next start, and read everything when they are started then', async () => {
  await expect.poll(counted, within).toBe(7);
  await engine.ask('plugin.stop', { id: status() });
  await expect.poll(text, within).toContain(listed());
  await restart();
  expect(await state()).toBe('stopped');
  expect(await counted()).toBeUndefined();
  await engine.ask('plugin.start', { id: status() });
  await expect.poll(text, within).not.toContain('stopped_for');
  await expect.poll(counted, within).toBe(7);
  await restart();
  await expect.poll(counted, within).toBe(7);
});

it('are stopped and started by who edits the file', async () => {
  await expect.poll(counted, within).toBe(7);
  await expect.poll(text, within).toContain('file:');
  write((before) => before.replace('[http_status]\n', `[http_status]\n${listed()}\n`));
  await expect.poll(state, within).toBe('stopped');
  write((before) => before.replace(`${listed()}\n`, ''));
  await expect.poll(state, within).toBe('running');
  expect(await counted()).toBe(7);
});

it('stop for one source alone', async () => {
  const other = await engine.open(engine.file('other.log', line.repeat(3)));
  await engine.settled(other);
  await engine.ask('filter.wake', {});
  await engine.ask('plugin.stop', { id: status() });
  await expect.poll(text, within).toContain(listed());
  const states = async (): Promise<unknown> =>
    (await engine.ask('engine.state', {})).plugins
      .filter(({ section }) => section === 'http_status')
      .map(({ source, state }) => [source, state]);
  await expect.poll(states, within).toEqual([
    [id, 'stopped'],
    [other, 'running'],
  ]);
});

it('are not written down for the engine, which has no section', async () => {
  const watched = (await engine.ask('engine.watch', {})).id;
  const own = async (): Promise<PluginInfo | undefined> =>
    (await engine.ask('engine.state', {})).plugins.find(({ source, kind }) => source === watched && kind === 'filter');
  await expect.poll(own, within).toBeDefined();
  await engine.ask('plugin.stop', { id: (await own())?.id as string });
  expect((await own())?.state).toBe('stopped');
  expect(text()).not.toContain('stopped_for');
});
