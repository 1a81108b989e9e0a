import type { End } from '../../../engine/api/ends.ts';
import { expect, describe, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import type { FilterOptions } from '../../../engine/pipeline/filter-runner.ts';
import { Pipeline } from '../../../engine/pipeline/pipeline.ts';
import { callsToTime, isSlow } from '../../../engine/pipeline/slow-filter.ts';
import { FakeSandbox, Recorder, message, specOf, type FakeOptions } from './fakes.ts';

const CAPACITY = 3;

function setUp(fake: FakeOptions, options: Partial<FilterOptions> & { readonly kind?: 'filter' | 'output' } = {}) {
  const { kind = 'filter', ...more } = options;
  const pipeline = new Pipeline({ clock: 'wall', capacity: CAPACITY });
  const sandbox = new FakeSandbox({ ...specOf('f'), kind }, fake);
  const told: string[] = [];
  const filter = {
    name: 'f',
    sandbox,
    matcher: compileMatcher("Type == 'in'"),
    tickerInterval: 0,
    onTerminated: ({ reason }: End) => told.push(reason),
    onDropped: (count: number) => told.push(`${count} dropped`),
    ...more,
  };
  const runner = kind === 'filter' ? pipeline.addFilter(filter) : pipeline.addScriptOutput(filter);
  const recorder = new Recorder();
  pipeline.addOutput(recorder);
  const { router } = pipeline;
  const ends = (): Message[] => recorder.seen.filter(({ type }) => /^svc\./.test(type ?? ''));
  return { pipeline, router, sandbox, runner, recorder, ends, told };
}

const inputs = (...payloads: string[]): MessageBatch => batchOf(payloads.map((payload) => message(payload, 0, { type: 'in' })));
const dieAt =
  (bad: string): NonNullable<FakeOptions['process']> =>
  ({ payload }) =>
    payload === bad ? 'die' : [];
const gated = (): { gate: () => Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: () => promise, open: resolve };
};

describe('a filter that ends', () => {
  it('is told as svc.sandbox-terminated and leaves the router', async () => {
    const { router, recorder, ends } = setUp({ process: dieAt('bad') });
    await (
      await router.accept(inputs('good', 'bad'))
    ).delivered;
    expect(router.filters).toEqual([]);
    expect(ends()).toMatchObject([{ type: 'svc.sandbox-terminated', logger: 'svcd', hostname: 'box1', pid: 42, payload: 'f: died' }]);
    expect(ends()[0]?.fields).toEqual([{ name: 'plugin', valueType: ValueType.STRING, values: ['f'] }]);
    expect(ends()[0]?.uuid).not.toEqual(new Uint8Array(16));
    await (
      await router.accept(inputs('late'))
    ).delivered;
    expect(recorder.seen.at(-1)?.payload).toBe('late');
  });

  it('that is an output is told as any other', async () => {
    const { router, ends } = setUp({ process: dieAt('bad') }, { kind: 'output', matcher: compileMatcher('TRUE') });
    await (
      await router.accept(inputs('bad'))
    ).delivered;
    expect(ends()).toMatchObject([{ type: 'svc.sandbox-terminated', payload: 'f: died' }]);
  });

  it('whose matcher would select that is told as svc.terminated', async () => {
    const { router, ends } = setUp({ process: dieAt('bad') }, { matcher: compileMatcher('TRUE') });
    await (
      await router.accept(inputs('bad'))
    ).delivered;
    expect(ends()).toMatchObject([{ type: 'svc.terminated', logger: 'svcd', payload: 'f (type SandboxFilter) terminated. Error: died' }]);
    expect(ends()[0]?.fields).toEqual([{ name: 'plugin', valueType: ValueType.STRING, values: ['f'] }]);
  });

  it('whose matcher would select that, but for its signer, is told as any other', async () => {
    const { router, ends } = setUp({ process: dieAt('bad') }, { matcher: compileMatcher('TRUE'), signer: 'ops' });
    await (
      await router.accept(inputs('bad'), 'ops')
    ).delivered;
    expect(ends()).toMatchObject([{ type: 'svc.sandbox-terminated' }]);
  });

  it('says how many messages were waiting for it', async () => {
    const { gate, open } = gated();
    const { router, told, runner } = setUp({ process: dieAt('bad'), gate });
    const delivered = [];
    for (const payloads of [
      ['a', 'bad', 'b', 'c'],
      ['d', 'e'],
    ])
      delivered.push((await router.accept(inputs(...payloads))).delivered);
    open();
    await Promise.all(delivered);
    await runner.stop();
    expect(told).toEqual(['died', '4 dropped']);
  });

  it('for a rule of the router has its sandbox ended without keeping its state', async () => {
    const { router, sandbox, told, runner } = setUp({ process: () => [message('x', 0, { type: 'in' })] });
    await (
      await router.accept(inputs('a'))
    ).delivered;
    await runner.stop();
    expect(told).toEqual([expect.stringContaining('circular reference')]);
    expect(sandbox.state).toBe('terminated');
  });

  it('keeps nobody waiting', async () => {
    const { router } = setUp({ process: dieAt('bad') });
    const delivered = [];
    for (let i = 0; i < CAPACITY * 3; i++) delivered.push((await router.accept(inputs(i === 1 ? 'bad' : 'good'))).delivered);
    await Promise.all(delivered);
    expect(router.pending).toBe(0);
  });

  it('while the service stops is still told to the outputs', async () => {
    const { pipeline, ends, router } = setUp({ process: dieAt('bad') });
    await router.accept(inputs('bad'));
    await pipeline.stop();
    expect(ends()).toHaveLength(1);
  });
});

describe('the rule for slow filters', () => {
  const rule = { maxProcessDuration: 100_000, capacity: 30 };
  it.each([
    ['slow, and inputs wait', 30, { samples: 29, averageNs: 100_001 }, 0, true],
    ['more than waiting', 31, { samples: 29, averageNs: 100_001 }, 0, true],
    ['nobody waits', 29, { samples: 1000, averageNs: 100_001 }, 0, false],
    ['too few samples', 30, { samples: 28, averageNs: 1e9 }, 1e9, false],
    ['just as fast as it has to be', 30, { samples: 29, averageNs: 100_000 }, 20_000, false],
    ['slow in matching', 30, { samples: 29, averageNs: 1 }, 20_000.5, true],
  ])('%s', (_what, pending, times, matchNs, slow) => {
    expect(isSlow(rule, pending, times, matchNs)).toBe(slow);
  });

  it.each([
    [29, 0, 0],
    [30, 0, 29],
    [30, 20, 9],
    [40, 29, 0],
    [30, 400, 0],
  ])('times further calls with %d batches waiting and %d samples: %d', (pending, samples, calls) => {
    expect(callsToTime(rule, pending, { samples, averageNs: 0 })).toBe(calls);
  });

  it('looks at the buffer of a filter that has one', () => {
    const times = { samples: 29, averageNs: 1e9 };
    expect(isSlow({ ...rule, isNearlyFull: () => false }, 99, times, 0)).toBe(false);
    expect(isSlow({ ...rule, isNearlyFull: () => true }, 0, times, 0)).toBe(true);
    expect(callsToTime({ ...rule, isNearlyFull: () => true }, 0, { samples: 9, averageNs: 0 })).toBe(20);
  });

  it('needs one sample at least', () => {
    expect(isSlow({ maxProcessDuration: 0, capacity: 1 }, 1, { samples: 0, averageNs: 0 }, 5)).toBe(false);
    expect(isSlow({ maxProcessDuration: 0, capacity: 1 }, 1, { samples: 1, averageNs: 5 }, 0)).toBe(true);
  });
});

describe('a slow filter', () => {
  const slow = { maxProcessDuration: 100_000, capacity: CAPACITY };

  it('ends when inputs wait for it, in order, with figures', async () => {
    const { gate, open } = gated();
    const wanted: number[] = [];
    const times = (timed: number) => (wanted.push(timed), { samples: 1 + wanted.length, averageNs: 200_000 });
    const { router, sandbox, ends, told, runner } = setUp(
      { gate, times, process: ({ payload }) => (payload === 'no' ? 'refused' : []) },
      { slow },
    );
    const delivered: Promise<void>[] = [];
    for (let i = 0; i < CAPACITY; i++) delivered.push((await router.accept(inputs('no', `${i}`))).delivered);
    const next = router.accept(inputs('next'));
    open();
    await Promise.all([...delivered, (await next).delivered]);
    await runner.stop();
    const [reason] = told;
    expect(reason).toMatch(
      /^the sandbox is slow and blocks the router: process_message takes 200000 ns .* max_process_duration is 100000$/,
    );
    expect(ends()).toMatchObject([{ type: 'svc.sandbox-terminated', logger: 'svcd', payload: `f: ${reason}` }]);
    const integer = (name: string, value: unknown, representation = 'count') => ({
      name,
      representation,
      valueType: ValueType.INTEGER,
      values: [value],
    });
    expect(ends()[0]?.fields).toEqual([
      { name: 'plugin', valueType: ValueType.STRING, values: ['f'] },
      ...[integer('ProcessMessageCount', 2n), integer('ProcessMessageFailures', 1n), integer('ProcessMessageSamples', 2n)],
      ...[integer('ProcessMessageAvgDuration', 200_000n, 'ns'), integer('MatchAvgDuration', expect.any(BigInt), 'ns')],
      ...[integer('FilterChanLength', 3n), integer('MatchChanLength', 0n), integer('RouterChanLength', 3n)],
    ]);
    // Messages that were sent ahead were processed; the rest was not even sent.
    expect(sandbox.calls).toEqual(['no', '0', 'no', '1']);
    expect(told.slice(1)).toEqual(['4 dropped']);
    expect(sandbox.state).toBe('stopped');
    // Before it was full nothing was to be timed.
    expect(wanted).toEqual([0, 0]);
  });

  it('has its calls timed as soon as inputs wait for it', async () => {
    const { gate, open } = gated();
    const wanted: number[] = [];
    const times = (timed: number) => (wanted.push(timed), { samples: 1, averageNs: 200_000 });
    const { router, told } = setUp({ gate, times }, { slow });
    const delivered: Promise<void>[] = [];
    for (let i = 0; i < CAPACITY; i++) delivered.push((await router.accept(inputs(`${i}`))).delivered);
    open();
    await Promise.all(delivered);
    expect(wanted).toEqual([0, 0, CAPACITY - 1]);
    expect(told).toEqual([]);
  });

  it('that nobody loaded while the service runs goes on', async () => {
    const { gate, open } = gated();
    const { router, told } = setUp({ gate, times: () => ({ samples: 1000, averageNs: 1e9 }) });
    const delivered: Promise<void>[] = [];
    for (let i = 0; i < CAPACITY; i++) delivered.push((await router.accept(inputs(`${i}`))).delivered);
    open();
    await Promise.all(delivered);
    expect(told).toEqual([]);
  });
});
