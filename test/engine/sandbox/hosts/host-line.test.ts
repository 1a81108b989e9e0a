import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { DEFAULT_LIMITS } from '../../../../engine/sandbox/contract/types.ts';
import { message } from '../../pipeline/fakes.ts';
import { until } from '../../../until.ts';
import { SandboxBench } from '../harness.ts';

/** A bench for each test: the pool waits longer after each host that was killed. */
let bench: SandboxBench;
beforeEach(() => {
  bench = new SandboxBench();
});
afterEach(() => bench.close());

/** Hundredths of a second that a host works before it is killed: less than any call with `LONG` takes, on any machine. */
const WORK = 5;

/** Kills the hosts when they have worked since they had used `idle`. */
async function killAtWork(idle: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  await until(() => ticks() > idle + WORK, 'work of the host');
  for (const pid of bench.pool.hostPids) process.kill(pid, signal);
}

/** Processor time of the hosts in hundredths of a second, by proc(5); elapsed time on systems other than Linux. */
function ticks(): number {
  if (process.platform !== 'linux') return performance.now() / 10;
  return bench.pool.hostPids.reduce((sum, pid) => {
    const [user, system] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ').slice(11, 13).map(Number);
    return sum + (user ?? 0) + (system ?? 0);
  }, 0);
}
/** A function of scripts that works for millions of rounds: processor time, however little of it the machine gives. */
const WORKING = `function work(millions) {
  let sum = 0;
  for (let i = 0; i < millions * 1e6; i++) sum = (sum * 31 + i) | 0;
  return sum;
}`;
/** A script that works with each message for the millions of rounds in its Pid. */
const BUSY = `${WORKING}
function process_message() {
  if (work(read_message('Pid')) === 0.5) return -1;
  inject_message({ Payload: read_message('Payload') });
  return 0;
}`;
const work = (payload: string, pid: number) => message(payload, 0, { pid });
/** Millions of rounds for most messages, and for the one during which the host is killed. */
const [SHORT, LONG] = [1, 30];
const ENDLESS = 1e6;
/** Hundredths of a second of processor time that the start of a host does not take. */
const START = 150;

describe('a sandbox whose host is killed from outside while it runs', () => {
  test('goes on with what it had not answered, however often it happens', async () => {
    const sandbox = await bench.start(BUSY, { kind: 'decoder', limits: { instructions: 0, callMs: 0 } });
    const idle = ticks();
    const texts = Array.from({ length: 20 }, (_, i) => [`${i}`, `${i}b`]);
    const results = texts.map(([a = '', b = ''], i) => sandbox.process(batchOf([work(a, SHORT), work(b, i === 1 ? LONG : SHORT)]), null));
    await results[0];
    await killAtWork(idle);
    const answered = await Promise.all(results);
    const payloads = answered.flatMap(({ injected, terminated }) => {
      expect(terminated).toBeNull();
      return Array.from({ length: injected?.length ?? 0 }, (_, row) => injected?.message(row).payload);
    });
    expect(payloads).toEqual(texts.flat());
    for (let times = 0; times < 5; times++) {
      const before = ticks();
      const again = sandbox.process(batchOf([work('again', SHORT), work('and long', LONG)]), null);
      await killAtWork(before);
      expect((await again).terminated).toBeNull();
    }
    expect(sandbox.state).toBe('running');
  });

  test('is not blamed for a signal that no script can send', async () => {
    const sandbox = await bench.start(BUSY, { kind: 'decoder', limits: { instructions: 0, callMs: 0 } });
    for (const signal of ['SIGQUIT', 'SIGALRM', 'SIGKILL'] as const) {
      const idle = ticks();
      const result = sandbox.process(batchOf([work('a', LONG)]), null);
      await killAtWork(idle, signal);
      expect((await result).terminated).toBeNull();
    }
  });

  test('is to blame for a crash only when the same call brings its next host down, too', async () => {
    const sandbox = await bench.start(BUSY, { kind: 'decoder', limits: { instructions: 0, callMs: 0 } });
    for (const signal of ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGSEGV'] as const) {
      const idle = ticks();
      const result = sandbox.process(batchOf([work('a', LONG)]), null);
      await killAtWork(idle, signal);
      expect((await result).terminated).toBeNull();
    }
    const idle = ticks();
    let isOver = false;
    const last = sandbox.process(batchOf([work('a', ENDLESS)]), null).finally(() => (isOver = true));
    const known = new Set(bench.pool.hostPids);
    await killAtWork(idle, 'SIGSEGV');
    // A host that was not at work yet is no crash of the call.
    while (!isOver) {
      await until(() => isOver || bench.pool.hostPids.some((pid) => !known.has(pid)), 'another host');
      for (const pid of bench.pool.hostPids) known.add(pid);
      if (!isOver) await killAtWork(START, 'SIGSEGV');
    }
    expect((await last).terminated?.reason).toMatch(/brought its host down \(SIGSEGV\)/);
  });

  test.each(['decoder', 'filter', 'encoder', 'output'] as const)(
    'goes on as a %s, whose host is killed while it starts and while it works',
    async (kind) => {
      let kills = 4;
      const signals: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGKILL'];
      const killing = new SandboxBench({ hosts: 1, onHostCrash: () => void (kills > 0 && setImmediate(killAll)) });
      const killAll = (): void => {
        const [pid] = killing.pool.hostPids;
        if (pid !== undefined) process.kill(pid, signals[--kills]);
      };
      const started = killing.start(
        `var n = 0;\nfunction process_message() { n++; return n === read_message('Pid') ? 0 : [-1, String(n)]; }`,
        { kind },
      );
      await until(() => killing.pool.hostPids.length > 0, 'the host');
      killAll();
      const sandbox = await started;
      for (const [i, signal] of signals.entries()) {
        expect(await sandbox.process(batchOf([work('a', i + 1)]), null)).toMatchObject({ terminated: null, failures: [] });
        const [pid] = killing.pool.hostPids;
        if (pid !== undefined) process.kill(pid, signal);
      }
      expect(await sandbox.process(batchOf([work('a', signals.length + 1)]), null)).toMatchObject({ terminated: null, failures: [] });
      expect(sandbox.state).toBe('running');
      await killing.close();
    },
  );

  test('begins its call anew as an input, from the state that was kept', async () => {
    const script = bench.file(
      'killed-input.js',
      `${WORKING}
var n = 0;
function process_message() { inject_message({ Pid: ++n }); return n === 2 && work(${LONG}) === 0.5 ? -1 : 0; }`,
    );
    const sandbox = await bench.pool.createInput({
      ...{ name: 'source', kind: 'input', script, modules: [], config: {}, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
    });
    const pids: (number | undefined)[] = [];
    const run = () =>
      sandbox.run(async (batch) => {
        for (let row = 0; row < batch.length; row++) pids.push(batch.message(row).pid);
      });
    await run();
    sandbox.checkpoint();
    const idle = ticks();
    const second = run();
    await killAtWork(idle);
    expect(await second).toEqual({ code: 0, text: '' });
    await run();
    expect(pids).toEqual([1, 2, 3]);
    await sandbox.stop();
  });
});

test('an input whose host is killed again and again starts all the same, and leaves the hosts of the others alone', async () => {
  let kills = 8;
  const killing = new SandboxBench({ onHostCrash: () => kills-- > 0 && setTimeout(killThatOfTheInput, 100) });
  const filter = await killing.start('function process_message() { return 0; }');
  const before = killing.pool.hostPids;
  const killThatOfTheInput = (): void => {
    for (const pid of killing.pool.hostPids) if (!before.includes(pid)) process.kill(pid, 'SIGKILL');
  };
  const script = killing.file('doomed.js', 'function process_message() { return 0; }');
  const input = killing.pool.createInput({
    ...{ name: 'doomed', kind: 'input', script, modules: [], config: {}, limits: DEFAULT_LIMITS, hostname: 'box1', pid: 42 },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(killing.pool.hostPids).toHaveLength(before.length + 1);
  killThatOfTheInput();
  expect(await (await input).run(() => Promise.resolve())).toEqual({ code: 0, text: '' });
  expect((await filter.process(batchOf([work('a', 0)]), null)).terminated).toBeNull();
  await killing.close();
  expect(killing.pool.hostPids).toEqual([]);
});

test('a pool is closed while it waits to start a host again', async () => {
  const killing = new SandboxBench({ graceMs: 200 });
  const sandbox = await killing.start('function process_message() { return 0; }');
  for (const pid of killing.pool.hostPids) process.kill(pid, 'SIGKILL');
  await until(() => killing.pool.hostPids.length === 0, 'the end of the hosts');
  const call = sandbox.process(batchOf([work('a', 0)]), null);
  await Promise.all([killing.close(), call.catch(() => undefined)]);
  expect(killing.pool.hostPids).toEqual([]);
});

test('a sandbox whose state was kept while calls were open has none of them twice when its host is killed', async () => {
  const sandbox = await bench.start(`
    var count = 0;
    function process_message() { count++; return 0; }
    function timer_event() { inject_message({ Payload: String(count) }); }`);
  const batch = batchOf([message('x')]);
  const counted = async (): Promise<string | undefined> => (await sandbox.timer(1n)).injected?.message(0).payload;
  // So many that all calls from the start on are no longer kept.
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, () => sandbox.process(batch, null)));
  expect(await counted()).toBe('1000');
  for (const pid of bench.pool.hostPids) process.kill(pid, 'SIGKILL');
  expect(await counted()).toBe('1000');
});
