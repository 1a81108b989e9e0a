import { afterAll, describe, expect, test } from 'vitest';
import type { HostCrash } from '../../../../engine/sandbox/hosts/host-process.ts';
import type { SandboxKind, SandboxResult } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../harness.ts';

const crashes: HostCrash[] = [];
const bench = new SandboxBench({ graceMs: 200, onHostCrash: (crash) => crashes.push(crash) });
afterAll(() => bench.close());

/** The time after which a host is killed. No script of these tests takes nearly that long, however busy the machine is, but for those that never end. */
const CALL_MS = 1000;

const HANGS = `Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);`;
const TOO_MUCH = /^exceeded memory_limit of 8388608( in process_message, .*)?$/;
/** Code that ends its isolate, if not its host, and code that ends its host for sure. */
const deaths: readonly (readonly [what: string, code: string, reason: RegExp, hosts: readonly number[]])[] = [
  ['its isolate', `for (const kept = []; ; ) kept.push(new Array(1000).fill(0));`, /^exceeded memory_limit of 8388608$/, [0, 2]],
  ['its host', HANGS, /^exceeded the time limit of 1000 ms$/, [2]],
];

const batch = (from: number, count: number) => batchOf(Array.from({ length: count }, (_, i) => line(String(from + i))));

async function run(kind: SandboxKind, source: string, selection: Uint32Array | null = null): Promise<SandboxResult> {
  const callMs = source.includes(HANGS) ? CALL_MS : 60_000;
  const sandbox = await bench.start(source, { kind, limits: { callMs } });
  const first = await sandbox.process(batch(0, 3), null);
  expect(first.terminated).toBeNull();
  return sandbox.process(batch(3, 5), selection);
}

describe.each(deaths)('a script that takes %s along', (_what, death, reason, hosts) => {
  const dying = `if (read_message('Payload') === '6') { ${death} }`;

  test('leaves what a filter injected before, with the state it had then', async () => {
    crashes.length = 0;
    const { injected, origins, terminated } = await run(
      'filter',
      `var n = 0; function process_message() { n++; ${dying} inject_message({ Pid: n }); return 0; }`,
    );
    expect(terminated).toMatchObject({ reason: expect.stringMatching(reason) as string, row: 3 });
    expect(messagesOf({ injected, origins, terminated, failures: [] }).map(({ pid }) => pid)).toEqual([4, 5, 6]);
    expect([...(origins ?? [])]).toEqual([0, 1, 2]);
    expect(hosts).toContain(crashes.length);
  });

  test('leaves what a decoder passed on and refused', async () => {
    const result = await run(
      'decoder',
      `function process_message() { ${dying} if (read_message('Payload') === '5') return [-1, 'five']; if (read_message('Payload') === '4') inject_message({ Type: 'four' }); return 0; }`,
      Uint32Array.of(1, 2, 3, 4),
    );
    expect(result.terminated).toMatchObject({ reason: expect.stringMatching(reason) as string, row: 3 });
    expect(messagesOf(result).map(({ type }) => type)).toEqual(['four']);
    expect([...(result.origins ?? [])]).toEqual([1]);
    expect(result.failures).toEqual([{ row: 2, reason: 'five' }]);
  });

  test('leaves what an encoder made', async () => {
    const result = await run(
      'encoder',
      `function process_message() { ${dying} if (read_message('Payload') !== '4') inject_payload('txt', '', 'é', read_message('Payload')); return 0; }`,
    );
    expect(result.terminated?.row).toBe(3);
    expect(Buffer.from(result.encoded?.bytes ?? []).toString()).toBe('é3é5');
    expect([...(result.encoded?.rows ?? [])]).toEqual([0, 2]);
    expect([...(result.encoded?.ends ?? [])]).toEqual([3, 6]);
    expect([...(result.passed ?? [])]).toEqual([1]);
  });
});

test('the row is known when there is only one', async () => {
  const sandbox = await bench.start(`function process_message() { ${deaths[1]?.[1] ?? ''} }`, { limits: { callMs: CALL_MS } });
  crashes.length = 0;
  expect((await sandbox.process(batch(0, 4), Uint32Array.of(2))).terminated).toMatchObject({ row: 2 });
  expect(crashes).toHaveLength(1);
});

test('calls behind the last one are told why', async () => {
  const sandbox = await bench.start(`function process_message() { ${deaths[0]?.[1] ?? ''} }`);
  const [first, second] = await Promise.allSettled([sandbox.process(batch(0, 2), null), sandbox.process(batch(2, 2), null)]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { terminated: { row: 0 } } });
  expect(second).toMatchObject({ status: 'rejected', reason: { reason: 'exceeded memory_limit of 8388608' } });
  await expect(sandbox.timer(1n)).rejects.toThrow('sandbox test has ended: exceeded memory_limit of 8388608');
});

test('a script that ends between two calls ends the next one at its first row', async () => {
  const sandbox = await bench.start(
    `globalThis.kept = []; function process_message() { for (let i = 0; i < 5e5; i++) kept.push(i); return 0; }`,
  );
  const results = await Promise.allSettled(Array.from({ length: 80 }, (_, i) => sandbox.process(batch(i, 1), null)));
  const ended = results.findIndex((result) => result.status === 'rejected' || result.value.terminated !== null);
  expect(ended).toBeGreaterThan(0);
  expect(results[ended]).toMatchObject({ value: { terminated: { reason: expect.stringMatching(TOO_MUCH) as string, row: 0 } } });
});

describe('a script that keeps more with each message', () => {
  test.each([
    ['numbers', `kept.push(new Array(131072).fill(1.5));`],
    ['bytes', `kept.push(new Uint8Array(1e6));`],
    ['objects', `for (let i = 0; i < 20000; i++) kept.push({ i });`],
  ])('ends soon after it holds too much: %s', async (_what, code) => {
    const sandbox = await bench.start(
      `globalThis.kept = []; var n = 0; function process_message() { ${code} inject_message({ Pid: ++n }); return 0; }`,
    );
    const result = await sandbox.process(batch(0, 2000), null);
    const row = result.terminated?.row ?? -1;
    expect(result.terminated?.reason).toMatch(TOO_MUCH);
    // The limit is seen to now and then; what the isolate may hold at most ends it in any case.
    expect(row).toBeGreaterThan(6);
    expect(row).toBeLessThan(60);
    expect(
      messagesOf(result)
        .slice(0, row)
        .map(({ pid }) => pid),
    ).toEqual(Array.from({ length: row }, (_, i) => i + 1));
  });
});

describe('when a host dies, its other scripts go on with all that they hold', () => {
  test.each([
    [
      'a let',
      `let n = 0; export function process_message() { n++; return 0; } export function timer_event() { inject_message({ Pid: n }); }`,
    ],
    [
      'a closure',
      `const counter = (() => { let n = 0; return { add: () => ++n, get: () => n }; })();
       function process_message() { counter.add(); return 0; } function timer_event() { inject_message({ Pid: counter.get() }); }`,
    ],
    [
      'a private field beside a global variable',
      `class Counter { #n = 0; add() { this.#n++; } get n() { return this.#n; } } const counter = new Counter(); var seen = 0;
       function process_message() { counter.add(); seen++; return 0; }
       function timer_event() { inject_message({ Pid: counter.n === seen ? seen : -1 }); }`,
    ],
  ])('%s', async (_what, source) => {
    const shared = new SandboxBench({ hosts: 1, graceMs: 200 });
    try {
      const witness = await shared.start(source, { extension: source.startsWith('let') ? '.mjs' : '.js' });
      const count = async (): Promise<number | undefined> => messagesOf(await witness.timer(1n))[0]?.pid;
      await witness.process(batch(0, 100), null);
      await witness.process(batch(0, 50), Uint32Array.of(3, 4));
      expect(await count()).toBe(102);
      const hostile = await shared.start(`function process_message() { ${deaths[1]?.[1] ?? ''} }`, { limits: { callMs: CALL_MS } });
      const pids = shared.pool.hostPids;
      const killed = hostile.process(batch(0, 1), null);
      const during = witness.process(batch(0, 7), null);
      expect((await killed).terminated?.reason).toBe('exceeded the time limit of 1000 ms');
      await during;
      expect(await count()).toBe(109);
      expect(shared.pool.hostPids).not.toEqual(pids);
    } finally {
      await shared.close();
    }
  });
});
