import { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as EngineScript from '../../../engine/base/product/engine-script.ts';
import type * as Paths from '../../../electron/main/paths.ts';
import { patienceMs } from '../../patience.ts';

const place = vi.hoisted(() => ({ folder: '', quit: (): void => undefined }));
vi.mock('electron', () => ({ app: { quit: () => place.quit() } }));
vi.mock('../../../electron/main/paths.ts', (): Partial<typeof Paths> => ({
  dataFolder: () => place.folder,
  productRoot: () => place.folder,
  nodeRuntime: () => process.execPath,
}));
vi.mock('../../../engine/base/product/engine-script.ts', (): typeof EngineScript => ({
  engineScript: () => join(place.folder, 'engine.cjs'),
}));
const { EngineSupervisor } = await import('../../../electron/main/engine.ts');

/** Answers a request, tells news behind it, and says in a file that it has done both. */
const ENGINE = (done: string): string => `
const none = { changed: [], ids: null };
process.send({ kind: 'ready', pid: process.pid });
process.on('message', ({ kind, id }) => {
  if (kind === 'stop') process.exit(0);
  if (kind !== 'request') return;
  process.send({ kind: 'reply', id, ok: true, value: { sources: [] } });
  process.send({ kind: 'event', name: 'state', data: { sources: none, plugins: none } }, () => require('node:fs').writeFileSync(${JSON.stringify(done)}, ''));
});
`;

beforeEach(() => (place.folder = mkdtempSync(join(tmpdir(), 'sluicebox-supervisor-'))));
afterEach(() => rmSync(place.folder, { recursive: true, force: true }));

it('tells an answer before the news that came behind it, also when it hears both at once', async () => {
  const done = join(place.folder, 'done');
  writeFileSync(join(place.folder, 'engine.cjs'), ENGINE(done));
  const engine = new EngineSupervisor(() => Promise.resolve([]));
  const running = new Promise((ready) => engine.on('lifecycle', ({ state }) => state === 'running' && ready(state)));
  engine.start();
  await running;
  const told: string[] = [];
  const news = new Promise((heard) => engine.on('event', () => heard(told.push('news'))));
  const answer = engine.request('engine.state', {}).then(() => told.push('answer'));
  // The request is under way.
  await new Promise((sent) => setImmediate(sent));
  const late = performance.now() + patienceMs();
  // This process is busy until both have come.
  while (!existsSync(done) && performance.now() < late);
  await Promise.all([answer, news]);
  expect(told).toEqual(['answer', 'news']);
  const stopped = new Promise<void>((gone) => (place.quit = gone));
  engine.stopBefore({ preventDefault: () => undefined } as Parameters<typeof engine.stopBefore>[0]);
  await stopped;
});

it('quits when the engine has left it, which may take long to end', async () => {
  const leaves = `process.on('message', ({ kind }) => kind === 'stop' && process.disconnect());`;
  const file = join(place.folder, 'engine.cjs');
  writeFileSync(file, `process.send({ kind: 'ready', pid: process.pid });\n${leaves}\nsetInterval(() => undefined, 1000);`);
  const engine = new EngineSupervisor(() => Promise.resolve([]));
  const running = new Promise((ready) => engine.on('lifecycle', ({ state }) => state === 'running' && ready(state)));
  const leave = vi.spyOn(ChildProcess.prototype, 'off');
  engine.start();
  await running;
  const stopped = new Promise<void>((gone) => (place.quit = gone));
  engine.stopBefore({ preventDefault: () => undefined } as Parameters<typeof engine.stopBefore>[0]);
  await stopped;
  const child = leave.mock.contexts.at(-1) as ChildProcess;
  leave.mockRestore();
  expect([child.exitCode, child.signalCode, child.connected]).toEqual([null, null, false]);
  child.kill('SIGKILL');
});

it('quits although the engine takes long to end', async () => {
  writeFileSync(
    join(place.folder, 'engine.cjs'),
    `process.send({ kind: 'ready', pid: process.pid });\nprocess.on('message', () => undefined);`,
  );
  const engine = new EngineSupervisor(() => Promise.resolve([]));
  const running = new Promise((ready) => engine.on('lifecycle', ({ state }) => state === 'running' && ready(state)));
  engine.start();
  await running;
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let quits = 0;
    place.quit = () => quits++;
    engine.stopBefore({ preventDefault: () => undefined } as Parameters<typeof engine.stopBefore>[0]);
    vi.advanceTimersByTime(2900);
    expect(quits).toBe(0);
    vi.advanceTimersByTime(200);
    expect([quits, kill.mock.lastCall]).toEqual([1, ['SIGKILL']]);
  } finally {
    const child = kill.mock.contexts[0] as ChildProcess;
    vi.useRealTimers();
    kill.mockRestore();
    child.kill('SIGKILL');
  }
});

it('answers also what was asked of an engine that ended before it was ready', async () => {
  const [done, started] = [join(place.folder, 'done'), join(place.folder, 'started')];
  const firstEnds = `
const { existsSync, writeFileSync } = require('node:fs');
if (!existsSync(${JSON.stringify(started)})) {
  writeFileSync(${JSON.stringify(started)}, '');
  process.exit(1);
}`;
  writeFileSync(join(place.folder, 'engine.cjs'), `${firstEnds}\n${ENGINE(done)}`);
  const engine = new EngineSupervisor(() => Promise.resolve([]));
  engine.start();
  expect(await engine.request('engine.state', {})).toEqual({ sources: [] });
  const stopped = new Promise<void>((gone) => (place.quit = gone));
  engine.stopBefore({ preventDefault: () => undefined } as Parameters<typeof engine.stopBefore>[0]);
  await stopped;
});
