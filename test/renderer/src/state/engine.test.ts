import { expect, test } from 'vitest';
import type { Notice } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { Engine } from '../../../../renderer/src/state/engine.svelte.ts';
import { Toasts } from '../../../../renderer/src/state/toasts.svelte.ts';

const MINUTE = 60_000;

const notice = (id: number, level: Notice['level'], ago = 0): Notice => ({
  id,
  at: Date.now() - ago,
  level,
  code: 'store.failed',
  text: `notice ${id}`,
  details: null,
  about: null,
});

/** An engine of a process that has said some notices, which `say` follows. */
function bench(notices: Notice[], pid = 1) {
  const asked: unknown[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const process = { pid, notices };
  const answers: Record<string, () => unknown> = {
    'engine.state': () => ({ pid: process.pid, sources: [], plugins: [] }),
    'notice.list': () => process.notices,
  };
  const client = {
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    request: (name: string, input: unknown) => {
      asked.push([name, input]);
      return Promise.resolve(answers[name]?.());
    },
  } as unknown as Client;
  const toasts = new Toasts();
  const engine = new Engine(client, toasts);
  return {
    engine,
    asked,
    toasts,
    process,
    texts: () => toasts.list.map(({ text }) => text),
    told: (changed: unknown[], ids: number[] | null) =>
      listeners.get('state')?.({ pid: process.pid, sources: { changed, ids }, plugins: { changed: [], ids: null } }),
    ended: (reason: string) => listeners.get('engine')?.({ state: 'restarting', reason }),
    say: (one: Notice) => {
      process.notices.push(one);
      listeners.get('notice')?.(one);
    },
  };
}

test('what was said before the window listened is told once, if it is news and not just information', async () => {
  const { engine, texts, say } = bench([notice(1, 'error', 2 * MINUTE), notice(2, 'error', 2_000), notice(3, 'info')]);
  engine.start(() => undefined);
  await engine.refresh();
  say({ ...notice(4, 'warning'), code: 'alert' });
  await engine.refresh();
  expect(texts()).toEqual(['notice 2', 'notice 4']);
  // Of alerts alone: problems of the program are told elsewhere.
  expect(engine.unseen).toBe(1);
  expect(engine.notices.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test('another process numbers its notices anew', async () => {
  const { engine, process, texts } = bench([notice(1, 'error')]);
  await engine.refresh();
  process.pid = 2;
  process.notices = [{ ...notice(1, 'error'), text: 'of the other' }];
  await engine.refresh();
  expect(texts()).toEqual(['notice 1', 'of the other']);
});

test('a crash promises nothing: what is missing is counted when all is read again', () => {
  const { engine, texts, ended } = bench([]);
  engine.start(() => undefined);
  ended('signal SIGKILL');
  expect(texts()).toEqual([
    'The engine stopped and is restarted. Files and what was received are read again from disk. If records are missing then, their number is said. (signal SIGKILL)',
  ]);
});

test('a folder with more logs offers them', () => {
  const { engine, asked, toasts, say } = bench([]);
  engine.start(() => undefined);
  say({
    ...notice(1, 'warning'),
    about: { source: null, plugin: null, time: null, end: null, shows: null, rest: { path: '/logs', logs: 100 } },
  });
  expect(toasts.list.map(({ action }) => action?.label)).toEqual(['Open 100 more']);
  toasts.list[0]?.action?.run();
  expect(asked).toContainEqual(['source.open', { paths: ['/logs'] }]);
});

test('takes changes of the process that has answered, and no others: they are in its answer', async () => {
  const { engine, process, told } = bench([]);
  engine.start(() => undefined);
  told([{ id: 1, records: 1 }], [1]);
  expect(engine.state).toBeNull();
  await engine.refresh();
  told(
    [
      { id: 1, records: 1 },
      { id: 2, records: 1 },
    ],
    [1, 2],
  );
  const [still, reading] = engine.state?.sources ?? [];
  told([{ id: 2, records: 2 }], null);
  expect(engine.state?.sources).toEqual([still, { ...reading, records: 2 }]);
  // Its row is not drawn anew.
  expect(engine.state?.sources[0]).toBe(still);
  process.pid = 2;
  told([{ id: 1, records: 9 }], [1]);
  expect(engine.state?.sources).toHaveLength(2);
  await engine.refresh();
  expect(engine.state?.sources).toEqual([]);
});
