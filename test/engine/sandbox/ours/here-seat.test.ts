/** Scripts that keep something run in the process of the engine, and go on in a sandbox from where they were. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../../engine/sandbox/calls/session.ts';
import { HereSeat } from '../../../../engine/sandbox/ours/here-seat.ts';
import { ownSession } from '../../../../engine/sandbox/ours/seated.ts';
import type { Sandbox, SandboxResult } from '../../../../engine/sandbox/contract/types.ts';
import { until } from '../../../until.ts';
import { batchOf, line, messagesOf, SandboxBench, trusted, type ScriptOptions } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** A filter that counts; what it does with 'bad' differs. */
const counter = (bad: string, state = ''): string => `
globalThis.seen = 0; ${state}
export function process_message() {
  const text = read_message('Payload');
  if (text === 'bad') { ${bad} }
  globalThis.seen++;
  return text === 'no' ? [-1, 'refused'] : 0;
}
export function timer_event(ns) { inject_message({ Type: 'count', Payload: String(globalThis.seen), Timestamp: ns }); }
`;

/** The same script in this process and in a sandbox; `left` has what it was left to a sandbox with. */
async function both(source: string, options: ScriptOptions = {}): Promise<{ direct: Session; apart: Sandbox; left: Session[] }> {
  const path = bench.file(`counter-${randomUUID()}.ts`, source);
  const spec = { ...bench.specOf(path, options), ticks: true };
  const left: Session[] = [];
  const direct = ownSession(spec, (session) => {
    left.push(session);
    return bench.pool.createSandbox(spec, session);
  });
  direct.sit(new HereSeat(direct, { code: trusted(path)(), interruptible: false }));
  return {
    direct,
    apart: await bench.pool.createSandbox(spec),
    left,
  };
}

const batch = (...texts: readonly string[]) => batchOf(texts.map(line));

async function resultsOf(sandbox: Sandbox, batches: readonly (readonly string[])[]): Promise<unknown[]> {
  const results: unknown[] = [];
  const note = ({ injected, failures, terminated }: SandboxResult): void => {
    const payloads = messagesOf({ injected } as SandboxResult).map(({ payload, type, logger, timestamp }) => ({
      payload,
      type,
      logger,
      timestamp,
    }));
    results.push({ payloads, failures, terminated });
  };
  for (const [i, texts] of batches.entries()) {
    if (sandbox.state === 'running') note(await sandbox.process(batch(...texts), i % 3 === 1 ? Uint32Array.of(0) : null));
    if (sandbox.state === 'running') note(await sandbox.timer(BigInt(i) * 1_000_000_000n));
  }
  const { processed, failures, injected, state } = await sandbox.report();
  await sandbox.stop();
  return [...results, { processed, failures, injected, state }];
}

/** Batches of messages, the last but one with a bad message. */
const batches = (count: number): string[][] => [
  ...Array.from({ length: count }, (_, i) => [`a${i}`, 'no', 'b']),
  ['good', 'bad', 'good'],
  ['good', 'good'],
];

describe('a filter that runs in the process of the engine', () => {
  it.each([
    ['brings what it brings in a sandbox', '', 5],
    ['throws with its first batches', "throw new Error('no');", 1],
    ['throws after many', "throw new Error('no');", 40],
    ['ends itself', "return [1, 'enough'];", 12],
    ['returns nothing', 'return;', 20],
    ['wants a module that is not there', "require('no_such_module');", 3],
    ['injects too much', "for (let i = 0; i < 3; i++) inject_message({ Payload: 'x', Timestamp: 7 });", 30],
    ['fills the output', "for (;;) add_to_payload('x'.repeat(60000));", 30],
  ])('%s', async (_, bad, count) => {
    const { direct, apart } = await both(counter(bad));
    expect(await resultsOf(direct, batches(count))).toEqual(await resultsOf(apart, batches(count)));
  });

  it('goes on from its last state, with the calls since then', async () => {
    const { direct, apart, left } = await both(counter("throw new Error('no');"));
    const many = Array.from({ length: 80 }, () => Array.from({ length: 1_000 }, () => 'good'));
    expect(await resultsOf(direct, [...many, ['bad']])).toEqual(await resultsOf(apart, [...many, ['bad']]));
    expect(left).toHaveLength(1);
    expect(left[0]?.journal.checkpoint).not.toBeNull();
    // How many depends on the time that the first state took: the next one is had when that is a twentieth of all.
    expect(left[0]?.journal.calls.length).toBeLessThan(many.length * 2);
  });

  it('goes on in a sandbox when its state is large, where its memory limit ends it', async () => {
    const { direct, left } = await both(counter('globalThis.kept.push(new Float64Array(65536).fill(1));', 'globalThis.kept = [];'));
    let result: SandboxResult | null = null;
    for (let i = 0; i < 200 && direct.state === 'running'; i++) result = await direct.process(batch('bad'), null);
    expect(left).toHaveLength(1);
    expect(direct.state).toBe('terminated');
    expect(result?.terminated?.code).toBe('limit.memory');
    await direct.stop();
  });

  it('goes on in a sandbox when it takes too long', async () => {
    const { direct, left } = await both(counter('if (globalThis.seen === 2) for (;;);'), { limits: { callMs: 500 } });
    await direct.process(batch('a', 'b'), null);
    const { terminated } = await direct.process(batch('bad'), null);
    expect(terminated?.code).toMatch(/^limit\./);
    expect(left).toHaveLength(1);
    await direct.stop();
  });

  it('is ended by others', async () => {
    const { direct } = await both(counter(''));
    const waiting = direct.process(batch('a'), null);
    direct.terminate({ code: 'filter.slow', reason: 'too slow' });
    expect((await waiting).terminated).toMatchObject({ code: 'filter.slow', row: -1 });
    await expect(direct.process(batch('a'), null)).rejects.toThrow('too slow');
    expect(direct.state).toBe('terminated');
    await direct.stop();
  });
});

describe('a decoder that keeps nothing', () => {
  it.each([
    ['much at once: the first records are decoded here, and those behind them wait for the thread', 8, 64 << 10, 1],
    ['much, bit by bit: all are decoded here until the thread has started', 2, 30_000, 10],
  ])('that gets %s', async (_, lines, size, answeredBefore) => {
    const source = 'export function process_message() { inject_message({ Payload: "seen" }); return 0; }';
    const path = bench.file(`decoder-${randomUUID()}.ts`, source);
    const spec = { ...bench.specOf(path, { kind: 'decoder', stateless: true }), ticks: false };
    const session = ownSession(spec, () => Promise.reject(new Error('it went to a sandbox')));
    const thread = Promise.withResolvers<null>();
    const onward = vi.fn(() => thread.promise);
    session.sit(new HereSeat(session, { code: trusted(path)(), interruptible: false, onward }));
    let answered = 0;
    const results = Array.from({ length: 10 }, async () => {
      const result = await session.process(batch(...Array.from({ length: lines }, (_line, i) => `${i}${'x'.repeat(size)}`)), null);
      answered++;
      return messagesOf(result).length;
    });
    await until(() => answered === answeredBefore, 'the first records');
    await delay(20);
    expect([answered, onward.mock.calls.length]).toEqual([answeredBefore, 1]);
    thread.resolve(null);
    expect(await Promise.all(results)).toEqual(results.map(() => lines));
    await session.stop();
  });
});
