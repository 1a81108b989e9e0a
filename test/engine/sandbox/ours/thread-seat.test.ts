/** A decoder in a thread: whatever its script or its thread does, each batch is answered once, in order, as from a sandbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { PreparedText } from '../../../../engine/base/product/prepared.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import type { Session } from '../../../../engine/sandbox/calls/session.ts';
import { HereSeat } from '../../../../engine/sandbox/ours/here-seat.ts';
import { shippedCode } from '../../../../engine/sandbox/ours/script-code.ts';
import { ThreadPool } from '../../../../engine/sandbox/ours/thread-pool.ts';
import { ThreadSeat } from '../../../../engine/sandbox/ours/thread-seat.ts';
import { ownSession, startSeated } from '../../../../engine/sandbox/ours/seated.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxResult, type SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { testMs } from '../../../patience.ts';
import { batchOf, line, messagesOf, SandboxBench, trusted } from '../harness.ts';

const bench = new SandboxBench();
const pools: ThreadPool[] = [];
afterAll(async () => {
  for (const pool of pools) pool.close();
  await bench.close();
});

function newPool(): ThreadPool {
  const pool = new ThreadPool(1);
  pools.push(pool);
  return pool;
}

/** A script that passes each text on, but for 'bad'. */
const scriptOf = (bad: string): string =>
  `export function process_message() { const text = read_message('Payload'); if (text === 'bad') { ${bad} } inject_message({ Payload: text }); return 0; }`;

function specOf(script: string, parts: Partial<SandboxSpec> = {}): SandboxSpec {
  const path = bench.file(`${randomUUID()}.ts`, script);
  return { ...bench.specOf(path, { kind: 'decoder', stateless: true }), ...parts };
}

/** Starts a script in a thread, which only our own may be, to see what becomes of one that misbehaves. `left` are the batches that went to a sandbox. */
async function startIn(pool: ThreadPool, spec: SandboxSpec): Promise<{ sandbox: Session; left: MessageBatch[] }> {
  const left: MessageBatch[] = [];
  const sandbox = ownSession(spec, (session) => {
    left.push(...session.calls.open.flatMap((call) => (call.kind === 'process' ? [call.batch] : [])));
    return bench.pool.createSandbox(spec, session);
  });
  const seat = await ThreadSeat.start(sandbox, { pool, code: trusted(spec.script) });
  if (seat === null) throw new Error('it does not load in a thread');
  sandbox.sit(seat);
  return { sandbox, left };
}

const BATCHES = [['one'], ['two', 'bad', 'three'], ['four', 'five']] as const;
const batches = (): MessageBatch[] => BATCHES.map((texts) => batchOf(texts.map(line)));

/** What comes of batches that are all under way at once; an error is what it says. */
const outcomes = (sandbox: Sandbox, all: readonly MessageBatch[]): Promise<unknown[]> =>
  Promise.all(
    all.map((batch) =>
      sandbox.process(batch, null).then(
        (result) => ({ failures: result.failures, terminated: result.terminated, texts: payloads(result) }),
        (error: Error) => error.message,
      ),
    ),
  );

/** Where a loop was when its time was over is known in some cases. */
const withoutPlaces = (all: readonly unknown[]): unknown =>
  JSON.parse(
    JSON.stringify(all, (name, value: unknown) => (name === 'place' ? undefined : value)).replace(/ in process_message, [^"]*/g, ''),
  );

const payloads = (result: SandboxResult): unknown[] => messagesOf(result).map(({ payload }) => payload);

describe('a decoder in a thread', { timeout: 3 * testMs() }, () => {
  it.each([
    ['throws', "throw new Error('no');"],
    ['ends itself', 'return 1;'],
    ['returns nothing', 'return;'],
    ['wants a module', "require('json');"],
    ['never comes to an end', 'for (;;);'],
    ['wants what takes long here, but not there', "/^(a+)+$/.test('a'.repeat(60) + 'b');"],
  ])('ends as in a sandbox when it %s', async (_, bad) => {
    // No counter tells of it in either way: the limit of time does.
    const limits = { ...DEFAULT_LIMITS, instructions: 0, callMs: 1000 };
    const spec = specOf(scriptOf(bad), { limits });
    const { sandbox, left } = await startIn(newPool(), spec);
    const apart = await bench.pool.createSandbox(spec);
    expect(withoutPlaces(await outcomes(sandbox, batches()))).toEqual(withoutPlaces(await outcomes(apart, batches())));
    expect(left[0]?.length).toBe(BATCHES[1].length);
    expect(sandbox.state).toBe(apart.state);
    const [own, other] = await Promise.all([sandbox.report(), apart.report()]);
    const { processed, injected, failures } = other;
    expect(own).toMatchObject({ processed, injected, failures });
  });

  it('goes on in another thread when that of both has ended by another script', async () => {
    const pool = newPool();
    const limits = { ...DEFAULT_LIMITS, instructions: 0, callMs: 1000 };
    const { sandbox: bad } = await startIn(pool, specOf(scriptOf('for (;;);'), { limits }));
    const { sandbox: good, left } = await startIn(pool, specOf(scriptOf("return [-1, 'refused'];")));
    const ended = outcomes(bad, batches());
    const results = await Promise.all(Array.from({ length: 20 }, () => outcomes(good, batches())));
    expect(await ended).toContainEqual(expect.objectContaining({ terminated: expect.objectContaining({ code: 'limit.time' }) as unknown }));
    for (const result of results) {
      expect(result).toMatchObject([
        { texts: ['one'] },
        { texts: ['two', 'three'], failures: [{ row: 1, reason: 'refused' }] },
        { texts: ['four', 'five'] },
      ]);
    }
    expect(left).toEqual([]);
    expect(await good.report()).toMatchObject({ state: 'running', processed: 120, failures: 20, injected: 100 });
  });

  it('gets variables that it reads only now and then', async () => {
    const { sandbox, left } = await startIn(
      newPool(),
      specOf(
        scriptOf("inject_message({ Payload: read_message('Type') + read_message('Fields[n]') + read_message('Fields[none]') }); return 0;"),
      ),
    );
    const rows = ['good', 'bad', 'good', 'bad'].map((payload, i) => ({
      ...line(payload),
      type: `t${i}`,
      fields: [{ name: 'n', valueType: 3 as const, values: [i] }],
    }));
    for (let time = 0; time < 2; time++) {
      expect(payloads(await sandbox.process(batchOf(rows), null))).toEqual(['good', 't11null', 'good', 't33null']);
      expect(payloads(await sandbox.process(batchOf(rows), Uint32Array.of(1, 2)))).toEqual(['t11null', 'good']);
    }
    expect(left).toEqual([]);
  });

  it('leaves very long records to a sandbox', async () => {
    const { sandbox, left } = await startIn(newPool(), specOf(scriptOf('')));
    const long = 'x'.repeat(5_000_000);
    expect(payloads(await sandbox.process(batchOf([line('short')]), null))).toEqual(['short']);
    expect(left).toEqual([]);
    await sandbox.process(batchOf([line(long)]), null);
    expect(left).toHaveLength(1);
  });

  it('is ended at once, and its calls with it', async () => {
    const { sandbox } = await startIn(newPool(), specOf(scriptOf('for (;;);')));
    const calls = outcomes(sandbox, [batchOf([line('bad')]), batchOf([line('one')])]);
    sandbox.terminate({ code: 'sandbox.stopped', reason: 'enough' });
    expect(await calls).toMatchObject([{ terminated: { reason: 'enough', row: -1 } }, 'sandbox test has ended: enough']);
    expect(sandbox.state).toBe('terminated');
    await expect(sandbox.process(batchOf([line('a')]), null)).rejects.toThrow('has ended: enough');
  });

  it('stops after the calls that are open', async () => {
    const { sandbox } = await startIn(newPool(), specOf(scriptOf('')));
    const calls = outcomes(sandbox, batches());
    await sandbox.stop();
    expect(await calls).toMatchObject([{ texts: ['one'] }, { texts: ['two', 'bad', 'three'] }, { texts: ['four', 'five'] }]);
    expect(sandbox.state).toBe('stopped');
    await expect(sandbox.process(batchOf([line('a')]), null)).rejects.toThrow('was stopped');
  });

  it('tells what it holds, and what it took', async () => {
    const spec = sandboxSpec('decoder', findPlugin('decoder', 'rfc3164'));
    const { sandbox } = await startIn(newPool(), spec);
    const record = line('<34>Jan  2 03:04:05 host app[12]: text');
    await sandbox.process(batchOf(Array.from({ length: 500 }, () => record)), null);
    const { averageNs, memory, isolateMemory = 0, times, ...report } = await sandbox.report();
    expect(report).toMatchObject({ state: 'running', processed: 500, failures: 0, injected: 500 });
    expect(averageNs).toBeGreaterThan(0);
    expect(times).toEqual({ samples: 500, averageNs });
    expect(memory.current).toBeGreaterThan(0);
    expect(memory).toEqual({ current: memory.current, maximum: memory.current, limit: DEFAULT_LIMITS.memory });
    expect(isolateMemory).toBeGreaterThan(memory.current);
    expect(sandbox.workMs).toBeGreaterThan(0);
  });

  it('measures seldom, and when a script has come', async () => {
    const pool = newPool();
    const { sandbox } = await startIn(
      pool,
      specOf(`const held = []; ${scriptOf('').replace('{', '{ for (let i = 0; i < 200_000; i++) held.push({ i });')}`),
    );
    const measured = async (): Promise<number> => (await sandbox.report()).isolateMemory ?? 0;
    const before = await measured();
    await sandbox.process(batchOf([line('a')]), null);
    expect(await measured()).toBe(before);
    await startIn(pool, specOf(scriptOf('')));
    expect(await measured()).toBeGreaterThan(before + 1e6);
  });
});

describe('what does not run in a thread', () => {
  const stub = { state: 'running' } as unknown as Sandbox;
  const spec = sandboxSpec('decoder', findPlugin('decoder', 'rfc3164'));
  const pool = newPool();
  const start = (own: SandboxSpec, threads: ThreadPool): Promise<Sandbox> => startSeated(own, { threads }, () => Promise.resolve(stub));

  it('is none of ours that keeps nothing', async () => {
    const sandbox = await start(spec, pool);
    expect((sandbox as Session).seat).toBeInstanceOf(ThreadSeat);
    await sandbox.stop();
  });

  it.each([
    ['a script of a user', { ...spec, script: bench.file('own.ts', scriptOf('')) }],
    ['a draft', { ...spec, text: scriptOf('') }],
    ['a limit of somebody', { ...spec, limits: { ...DEFAULT_LIMITS, memory: 5 } }],
    ['one that keeps something of earlier records', { ...spec, stateless: false }],
    ['a filter', sandboxSpec('filter', findPlugin('filter', 'http_status'))],
    [
      'one that does not load',
      {
        ...sandboxSpec('decoder', findPlugin('decoder', 'nginx_access'), { config: { log_format: 'combined' } }),
        config: { log_format: '' },
      },
    ],
  ])('is %s', async (_, own) => expect(await start(own, pool)).toBe(stub));

  it('is anything, where there is no thread to spare', async () => expect(await start(spec, new ThreadPool(0))).toBe(stub));
});

describe('a decoder with much to read', { timeout: 2 * testMs() }, () => {
  it('goes on in a thread, and each record is decoded once, in order', async () => {
    const spec = sandboxSpec('decoder', findPlugin('decoder', 'rfc3164'));
    const pool = newPool();
    const started: ThreadSeat[] = [];
    const none = (): never => {
      throw new Error('it went to a sandbox');
    };
    const code = (): PreparedText => shippedCode(spec.script);
    const onward = async (session: Session): Promise<ThreadSeat | null> => {
      const seat = await ThreadSeat.start(session, { pool, code });
      if (seat !== null) started.push(seat);
      return seat;
    };
    const direct = ownSession(spec, none);
    direct.sit(new HereSeat(direct, { code: code(), interruptible: false, onward }));
    const filler = 'x'.repeat(200);
    const numbers: unknown[] = [];
    let rows = 0;
    // So long as it is here, and for some batches more.
    for (let after = 0; after < 5; after += started.length) {
      const texts = Array.from({ length: 500 }, () => `<34>Jan  2 03:04:05 host app[${rows++}]: ${filler}`);
      const result = await direct.process(batchOf(texts.map(line)), null);
      numbers.push(...messagesOf(result).map(({ pid }) => pid));
    }
    expect(numbers).toEqual(Array.from({ length: rows }, (_, i) => i));
    expect(rows * filler.length).toBeGreaterThan(480 << 10);
    expect(await direct.report()).toMatchObject({ state: 'running', processed: rows, injected: rows });
    expect(direct.seat).toBe(started[0]);
    expect(direct.workMs).toBeGreaterThan(0);
    await direct.stop();
  });
});

describe('a filter with much to do', { timeout: 3 * testMs() }, () => {
  /** A filter that counts in a variable of its own, which no saved state has. */
  const counter = (bad: string): string => `
let own = 0; globalThis.seen = 0;
export function process_message() {
  const n = read_message('Fields[n]');
  if (n === -1) { ${bad} }
  own++; globalThis.seen++;
  return n % 1000 === 7 ? [-1, 'refused'] : 0;
}
export function timer_event(ns) { inject_message({ Type: 'count', Payload: own + ' ' + globalThis.seen, Timestamp: ns }); }`;

  const numbers = (from: number, count: number): MessageBatch =>
    batchOf(
      Array.from({ length: count }, (_, i) => ({ ...line('text'), fields: [{ name: 'n', valueType: 3 as const, values: [from + i] }] })),
    );

  async function start(bad: string): Promise<{ direct: Session; apart: Sandbox; left: Session[]; seats: ThreadSeat[] }> {
    const path = bench.file(`${randomUUID()}.ts`, counter(bad));
    const spec = { ...bench.specOf(path, { kind: 'filter' }), ticks: true };
    const pool = newPool();
    const left: Session[] = [];
    const seats: ThreadSeat[] = [];
    const direct = ownSession(spec, (session) => {
      left.push(session);
      return bench.pool.createSandbox(spec, session);
    });
    const code = trusted(path);
    const onward = async (session: Session): Promise<ThreadSeat | null> => {
      const seat = await ThreadSeat.start(session, { pool, code });
      if (seat !== null) seats.push(seat);
      return seat;
    };
    direct.sit(new HereSeat(direct, { code: code(), interruptible: false, onward }));
    return { direct, apart: await bench.pool.createSandbox(spec), left, seats };
  }

  /** Batches that ticks cut into four calls each, all given at once. */
  async function resultsOf(sandbox: Sandbox, batches: number, from = 0): Promise<unknown[]> {
    const calls: Promise<SandboxResult>[] = [];
    for (let i = 0; i < batches; i++) {
      const batch = numbers(from + i * 1_000, 1_000);
      for (let part = 0; part < 4; part++) {
        calls.push(
          sandbox.process(
            batch,
            Uint32Array.from({ length: 250 }, (_, row) => part * 250 + row),
          ),
        );
        calls.push(sandbox.timer(BigInt(4 * i + part)));
      }
    }
    const results = await Promise.allSettled(calls);
    return results.map((one) =>
      one.status === 'rejected'
        ? 'rejected'
        : { texts: payloads(one.value), failures: one.value.failures, ended: one.value.terminated?.code },
    );
  }

  it('goes on in a thread with all that it keeps, and goes on there as in a sandbox', async () => {
    const { direct, apart, left, seats } = await start('');
    for (let time = 0; time < 5; time++) expect(await resultsOf(direct, 8, time * 8_000)).toEqual(await resultsOf(apart, 8, time * 8_000));
    expect(direct.seat).toBe(seats[0]);
    expect(left).toEqual([]);
    const [own, other] = await Promise.all([direct.report(), apart.report()]);
    const { processed, injected, failures, timers } = other;
    expect(own).toMatchObject({ state: 'running', processed, injected, failures });
    expect(own.timers).toBeLessThanOrEqual(timers ?? 0);
    await direct.stop();
  });

  it.each([
    ['throws', "throw new Error('no');"],
    ['ends itself', 'return 1;'],
    ['never comes to an end', 'for (;;);'],
  ])('goes on in a sandbox, with its state, when it %s in a thread', async (_, bad) => {
    const { direct, apart, left, seats } = await start(bad);
    for (let time = 0; time < 12; time++) expect(await resultsOf(direct, 8, time * 8_000)).toEqual(await resultsOf(apart, 8, time * 8_000));
    expect(direct.seat).toBe(seats[0]);
    const bads = [numbers(1, 50), numbers(-1, 1), numbers(2, 50)];
    const outcome = async (sandbox: Sandbox): Promise<unknown[]> =>
      (await Promise.allSettled(bads.map((batch) => sandbox.process(batch, null)))).map((one) =>
        one.status === 'rejected' ? 'rejected' : [one.value.failures, one.value.terminated?.code],
      );
    expect(await outcome(direct)).toEqual(await outcome(apart));
    expect(left).toHaveLength(1);
    expect(left[0]?.journal.checkpoint).not.toBeNull();
    expect(direct.state).toBe('terminated');
  });

  it('stays when its calls are small', async () => {
    const { direct, seats } = await start('');
    for (let from = 0; from < 600; from++) await Promise.all([direct.process(numbers(from, 20), null), direct.timer(BigInt(from))]);
    expect(seats).toEqual([]);
    expect(direct.seat).toBeInstanceOf(HereSeat);
    await direct.stop();
  });
});
