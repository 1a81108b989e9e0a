import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const LINES = 40_000;
const line = (number: number): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /${number} HTTP/1.1" 200 12 "-" "curl"\n`;
const text = Array.from({ length: LINES }, (_, number) => line(number)).join('');

let engine: Engine;
let path: string;
let id: number;

beforeEach(() => {
  engine = new Engine();
  path = engine.file('access.log', text);
});
afterEach(() => engine.stop());

const state = async (): Promise<string | undefined> => (await engine.source(id))?.state;
const records = async (): Promise<number> => (await engine.source(id))?.records ?? 0;

/** Opens the file and stops reading it. @returns how many records were read */
async function stopped(): Promise<number> {
  id = await engine.open(path);
  await engine.ask('source.pause', { id });
  expect(await state()).toBe('paused');
  await until(() => engine.workspace.source(id).queued === 0, 'what was read to be stored');
  return records();
}

async function lastText(): Promise<string | undefined> {
  const { view } = await engine.ask('view.open', { query: {} });
  await until(() => engine.workspace.views.get(view).complete, 'the view');
  const { total } = await engine.ask('view.rows', { view, start: 0, count: 0, columns: [] });
  const { rows } = await engine.ask('view.rows', { view, start: total - 1, count: 1, columns: ['request'] });
  return rows[0]?.values[0] ?? undefined;
}

it('a file whose reading was stopped keeps what was read, and goes on from there', async () => {
  const read = await stopped();
  expect(read).toBeLessThan(LINES);
  await engine.ask('source.resume', { id });
  await engine.settled(id);
  expect(await records()).toBe(LINES);
  expect(await lastText()).toBe(`GET /${LINES - 1} HTTP/1.1`);
});

it('what is appended meanwhile is read afterwards', async () => {
  await stopped();
  appendFileSync(path, line(LINES));
  await engine.ask('source.resume', { id });
  await until(async () => (await records()) === LINES + 1, 'the appended line');
  expect(await lastText()).toBe(`GET /${LINES} HTTP/1.1`);
});

it('graphs of what was read are made while it is stopped, and hold everything in the end', async () => {
  await stopped();
  const counted = async (): Promise<number> => {
    const [graph] = await engine.ask('graph.list', {});
    return graph?.columns[0]?.values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0) ?? 0;
  };
  const read = await records();
  if (read > 0) await until(async () => (await counted()) === read, 'the graph of what was read');
  await engine.ask('source.resume', { id });
  await engine.settled(id);
  await until(async () => (await counted()) === LINES, 'the graph of everything');
});

it('stop and continue can be asked for at any time, and as often as anyone likes', async () => {
  await stopped();
  await engine.ask('source.pause', { id });
  for (let turn = 0; turn < 5; turn++) {
    await engine.ask('source.resume', { id });
    await engine.ask('source.pause', { id });
  }
  await engine.ask('source.resume', { id });
  await engine.ask('source.resume', { id });
  await engine.settled(id);
  expect(await records()).toBe(LINES);
  await engine.ask('source.pause', { id });
  expect(await state()).toBe('following');
});

it('a file that is stopped can be closed, and decoded anew from its beginning', async () => {
  await stopped();
  await engine.ask('source.decoder', { id, decoder: null });
  await engine.settled(id);
  expect(await records()).toBe(LINES);
  await engine.ask('source.close', { id });
  await stopped();
  await engine.ask('source.close', { id });
  expect(await engine.source(id)).toBeUndefined();
});

it.each([
  ['a line', 1, ['following']],
  ['megabytes', LINES, ['reading', 'following']],
])('a file that was read and then grows by %s is %s', async (_, lines, states) => {
  id = await engine.open(path);
  await engine.settled(id);
  const source = engine.workspace.source(id);
  const seen = new Set<string>();
  const watch = setInterval(() => seen.add(source.info().state), 1);
  appendFileSync(path, text.slice(0, line(0).length * lines));
  await until(async () => source.info().state === 'following' && (await records()) > LINES, 'the new records');
  clearInterval(watch);
  expect([...seen].toSorted()).toEqual(states.toSorted());
});
