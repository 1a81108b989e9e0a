import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { ClockKind, Message } from '../../../engine/message/types.ts';
import type { Consumer } from '../../../engine/pipeline/consumer.ts';
import { FilterRunner } from '../../../engine/pipeline/filter-runner.ts';
import { Router } from '../../../engine/pipeline/router.ts';
import { until } from '../../until.ts';
import { FakeSandbox, Recorder, message, type FakeOptions } from './fakes.ts';

interface FilterSetUp extends FakeOptions {
  readonly matcher?: string;
  readonly ticker?: number;
  readonly clock?: ClockKind;
  readonly shutdownTimer?: boolean;
}

function setUp(filters: Record<string, FilterSetUp>, capacity = 8) {
  const router = new Router({ capacity });
  const sandboxes: Record<string, FakeSandbox> = {};
  const runners: Record<string, FilterRunner> = {};
  const ends: string[] = [];
  for (const [name, options] of Object.entries(filters)) {
    const sandbox = (sandboxes[name] = new FakeSandbox(name, options));
    const runner = (runners[name] = new FilterRunner({
      name,
      sandbox,
      router,
      matcher: compileMatcher(options.matcher ?? "Type == 'in'"),
      tickerInterval: options.ticker ?? 0,
      clock: options.clock ?? 'message',
      maxMessageLoops: 4,
      timerEventOnShutdown: options.shutdownTimer ?? false,
      onTerminated: ({ reason }) => ends.push(`${name}: ${reason}`),
    }));
    router.addFilter(runner);
  }
  const recorder = new Recorder();
  router.addOutput(recorder);
  const send = async (...messages: Message[]): Promise<void> => {
    const { delivered } = await router.accept(batchOf(messages));
    await delivered;
  };
  return { router, sandboxes, runners, recorder, send, ends };
}

const input = (payload: string, second = 0): Message => message(payload, second, { type: 'in' });
const output = (payload: string, type = 'out'): Message => message(payload, 0, { type });

afterEach(() => vi.useRealTimers());

it('does not take the time of the message about an end for the time of the log', async () => {
  const { send, sandboxes, recorder } = setUp({
    ticking: { ticker: 60, matcher: "Payload == 'a'" },
    dying: { process: () => 'die', matcher: "Payload == 'b'" },
  });
  await send(input('a', 100), input('b', 101));
  expect(recorder.payloads()).toContain('dying: died');
  expect(sandboxes.ticking?.calls).toEqual(['a']);
});

describe('Router', () => {
  it('exchanges nothing while a filter does not finish, and goes on', async () => {
    const gate = Promise.withResolvers<void>();
    const { router, send, recorder } = setUp({ stuck: { gate: () => gate.promise } });
    const sent = send(input('a'));
    let worked = false;
    const exchange = router.exclusive(async () => void (worked = true), 50);
    await expect(exchange).rejects.toMatchObject({
      code: 'router.busy',
      message: expect.stringMatching(/^\[stuck\] did not finish/) as string,
    });
    expect(worked).toBe(false);
    const next = send(input('b'));
    gate.resolve();
    await Promise.all([sent, next]);
    await router.exclusive(async () => void (worked = true), 50);
    expect(worked).toBe(true);
    expect(recorder.payloads()).toEqual(['a', 'b']);
  });

  it('gives up an exchange also when the timer comes a little early by the clock', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { router, send } = setUp({ stuck: { gate: () => new Promise(() => undefined) } });
    void send(input('a'));
    await expect(router.exclusive(() => Promise.resolve(), 5)).rejects.toMatchObject({ code: 'router.busy' });
  });

  it('gives each filter what its matcher selects, in order, and every output everything', async () => {
    const { send, sandboxes, recorder, router } = setUp({ all: { matcher: 'TRUE' }, some: { matcher: 'Payload =~ /b/' } });
    await send(input('a'), input('b'), input('bb'));
    await send(input('c'), input('cb'));
    expect(sandboxes.all?.calls).toEqual(['a', 'b', 'bb', 'c', 'cb']);
    expect(sandboxes.some?.calls).toEqual(['b', 'bb', 'cb']);
    expect(recorder.payloads()).toEqual(['a', 'b', 'bb', 'c', 'cb']);
    expect(router.routed).toBe(5);
  });

  it('routes what filters inject, once around for each loop, until max_message_loops', async () => {
    const pong: FakeOptions['process'] = ({ type }) => [output(type ?? '', type === 'ping' ? 'pong' : 'ping')];
    const { send, ends, recorder, sandboxes } = setUp({
      a: { matcher: "Type == 'in' || Type == 'pong'", process: pong },
      b: { matcher: "Type == 'ping'", process: pong },
    });
    await send(input('start'));
    expect(recorder.seen.map(({ type }) => type)).toEqual(['in', 'ping', 'pong', 'ping', 'pong', 'svc.sandbox-terminated']);
    expect(recorder.loops).toEqual([0, 1, 2, 3, 4, 0]);
    expect(ends).toEqual(['a: inject_message: exceeded max_message_loops of 4']);
    expect(sandboxes.a?.state).toBe('terminated');
  });

  it('ends a filter that injects what it matches itself, keeping what came before', async () => {
    const { send, ends, recorder } = setUp({ self: { process: ({ payload }) => [output(payload ?? '', payload === 'c' ? 'in' : 'out')] } });
    await send(input('a'), input('b'), input('c'), input('d'));
    await send(input('e'));
    expect(recorder.seen.map(({ type, payload }) => `${type} ${payload}`)).toEqual([
      ...['in a', 'in b', 'in c', 'in d', 'out a', 'out b'],
      'svc.sandbox-terminated self: inject_message: the message matches the own message_matcher of the filter (circular reference)',
      'in e',
    ]);
    expect(ends).toHaveLength(1);
  });

  it('reports a filter that died, unless its matcher would have matched the report', async () => {
    const die: FakeOptions = { process: ({ payload }) => (payload === 'bad' ? 'die' : []) };
    const { send, recorder, ends, sandboxes } = setUp({ loud: die, shy: { ...die, matcher: 'TRUE' }, other: {} });
    await send(input('good'), input('bad'), input('more'));
    await send(input('late'));
    const reports = recorder.seen.filter(({ type }) => type === 'svc.sandbox-terminated');
    expect(reports).toMatchObject([
      { logger: 'svcd', hostname: 'box1', pid: 42, payload: 'loud: died', fields: [{ name: 'plugin', values: ['loud'] }] },
    ]);
    expect(ends.sort()).toEqual(['loud: died', 'shy: died']);
    expect(sandboxes.other?.calls).toEqual(['good', 'bad', 'more', 'late']);
  });

  it('lets inputs wait while a filter is slow, and never what filters inject', async () => {
    const gates: (() => void)[] = [];
    const slow: FakeOptions = { gate: () => new Promise<void>((resolve) => gates.push(resolve)) };
    const { router } = setUp({ slow }, 2);
    const accept = (text: string) => router.accept(batchOf([input(text)]));
    await accept('a');
    await accept('b');
    let third = false;
    const waiting = accept('c').then(() => (third = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(third).toBe(false);
    expect(router.pending).toBe(2);
    void router.inject(batchOf([input('injected')]), 1);
    expect(router.pending).toBe(3);
    const opening = setInterval(() => gates.splice(0).forEach((open) => open()), 1);
    await waiting;
    clearInterval(opening);
    expect(third).toBe(true);
  });

  it('lets inputs go on when an output has gathered their messages, and tells when they are written', async () => {
    const gathered: PromiseWithResolvers<void>[] = [];
    const output: Consumer = {
      name: 'gathering',
      pending: 0,
      gathers: true,
      submit: () => Promise.reject(new Error('it gathers')),
      take: async () => {
        const safe = Promise.withResolvers<void>();
        gathered.push(safe);
        return { safe: safe.promise };
      },
      hurry: () => gathered.splice(0).forEach(({ resolve }) => resolve()),
      stop: () => Promise.resolve(),
    };
    const router = new Router({ capacity: 2 });
    router.addOutput(output);
    let written = 0;
    for (let i = 0; i < 5; i++) {
      const { taken, delivered } = await router.accept(batchOf([input('a')]));
      await taken;
      void delivered.then(() => written++);
    }
    expect([written, router.finished, router.heldLonger(output, 0)]).toEqual([0, true, 0]);
    router.hurry();
    await expect.poll(() => written).toBe(5);
  });

  it('waits for what a filter or an output script does with messages, and not until it makes something of them', async () => {
    const keeping: Consumer = {
      name: 'keeping',
      pending: 0,
      submit: () => Promise.resolve(),
      take: () => Promise.resolve({ safe: new Promise(() => undefined) }),
      stop: () => Promise.resolve(),
    };
    const router = new Router({ capacity: 2 });
    router.addOutput(keeping);
    const { delivered } = await router.accept(batchOf([input('a')]));
    await expect(delivered).resolves.toBeUndefined();
  });

  it('stops after everything that was taken is done', async () => {
    const { router, sandboxes, recorder } = setUp({
      slow: { shutdownTimer: true, gate: () => new Promise((resolve) => setTimeout(resolve, 2)), timer: () => [output('last')] },
    });
    for (const text of ['a', 'b', 'c']) void (await router.accept(batchOf([input(text)])));
    await router.stop();
    expect(sandboxes.slow?.calls.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(recorder.payloads()).toContain('last');
    expect(sandboxes.slow?.state).toBe('stopped');
  });
});

describe('tickers', () => {
  it('follow the messages’ time and come between the messages', async () => {
    const { send, sandboxes } = setUp({ f: { ticker: 60 } });
    await send(input('a', 100), input('b', 130), input('c', 161), input('d', 300));
    const ns = (second: number) => `timer ${second}000000000`;
    expect(sandboxes.f?.calls).toEqual(['a', 'b', ns(160), 'c', ns(220), ns(280), 'd']);
  });

  it('follow messages that the filter does not want, and none that filters inject', async () => {
    const { send, sandboxes } = setUp({
      f: { ticker: 60, matcher: "Payload == 'a'" },
      g: { matcher: "Payload == 'a'", process: () => [message('now', 9_999_999)] },
    });
    await send(input('a', 100), input('x', 170));
    expect(sandboxes.f?.calls).toEqual(['a', 'timer 160000000000']);
  });

  it('tick once more when the source is idle and something was processed', async () => {
    const { send, sandboxes, router } = setUp({ f: { ticker: 60 } });
    await router.idle();
    await send(input('a', 100), input('b', 110));
    expect(await router.idle()).toBe(true);
    expect(await router.idle()).toBe(false);
    await expect.poll(() => sandboxes.f?.calls).toEqual(['a', 'b', 'timer 110000000000']);
  });

  it('tick once more also for what comes while the source is idle and a tick is under way', async () => {
    const gates: (() => void)[] = [];
    const gate = () => new Promise<void>((resolve) => gates.push(resolve));
    const { send, sandboxes, router } = setUp({ f: { ticker: 60, gate } });
    const open = async (): Promise<void> => (await until(() => gates.shift(), 'a call'))();
    const first = send(input('a', 100));
    await open();
    await first;
    const idle = router.idle();
    const second = send(input('b', 110));
    const again = router.idle();
    for (let call = 0; call < 3; call++) await open();
    await second;
    expect(await Promise.all([idle, again])).toEqual([true, true]);
    expect(sandboxes.f?.calls).toEqual(['a', 'timer 100000000000', 'b', 'timer 110000000000']);
  });

  it('come once at the end, however many ask for it, unless something came since', async () => {
    const { send, sandboxes, runners, router } = setUp({
      f: { ticker: 60, shutdownTimer: true },
      g: { ticker: 60, shutdownTimer: true, matcher: "Payload == 'a'" },
    });
    await send(input('a', 100));
    await router.idle();
    await runners.f?.stop();
    expect(sandboxes.f?.calls).toEqual(['a', 'timer 100000000000']);
    await send(input('b', 130));
    await runners.g?.stop();
    expect(sandboxes.g?.calls).toEqual(['a', 'timer 100000000000', 'timer 130000000000']);
  });

  it('follow the wall clock for live sources and leave out ticks of a busy filter', async () => {
    vi.useFakeTimers();
    let open: (() => void) | null = null;
    const gate = () => new Promise<void>((resolve) => (open = resolve));
    const { sandboxes, runners } = setUp({ f: { ticker: 1, clock: 'wall', gate } });
    await vi.advanceTimersByTimeAsync(3500);
    expect(sandboxes.f?.calls).toEqual([]);
    const release = open as (() => void) | null;
    release?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(sandboxes.f?.calls).toHaveLength(1);
    const stopping = runners.f?.stop();
    await vi.advanceTimersByTimeAsync(5000);
    await stopping;
    expect(sandboxes.f?.calls).toHaveLength(1);
  });
});
