import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input, InputSink, InputStats } from '../../../engine/inputs/types.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Consumer } from '../../../engine/pipeline/consumer.ts';
import { LeakWatch } from '../../../engine/pipeline/leak-watch.ts';
import { Pipeline, type PipelineOptions } from '../../../engine/pipeline/pipeline.ts';
import type { Selection } from '../../../engine/pipeline/selection.ts';
import { FakeSandbox, message, specOf } from './fakes.ts';

/** An output that finishes what it has when it is let. */
class HeldOutput implements Consumer {
  readonly name: string;
  pending = 0;
  readonly seen: string[] = [];
  #gate = Promise.withResolvers<void>();

  constructor(name: string, open = false) {
    this.name = name;
    if (open) this.#gate.resolve();
  }

  open(): void {
    this.#gate.resolve();
  }

  async submit({ batch }: Selection): Promise<void> {
    this.pending++;
    await this.#gate.promise;
    for (let row = 0; row < batch.length; row++) this.seen.push(batch.message(row).payload ?? '');
    this.pending--;
  }

  async stop(): Promise<void> {
    await this.#gate.promise;
    log.push(`output ${this.name} stopped`);
  }
}

/** An input that delivers what it is told to. */
class PushInput implements Input {
  readonly name = 'hand';
  #sink: InputSink | null = null;

  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    return Promise.resolve();
  }

  async give(...payloads: string[]): Promise<void> {
    const batch = batchOf(payloads.map((payload) => message(payload, 0, { type: 'in' })));
    await this.#sink?.deliver({ batch, source: 'hand', firstLine: 0, signer: '', acknowledge: () => log.push('acknowledged') });
  }

  idle(): void {
    this.#sink?.idle();
  }

  stop(): Promise<void> {
    log.push('input stopped');
    return Promise.resolve();
  }

  stats(): InputStats {
    return { records: 0, bytes: 0, dropped: 0, totalBytes: 0 };
  }
}

/** Events in their order. */
let log: string[];
beforeEach(() => {
  log = [];
});
afterEach(() => vi.useRealTimers());

class LoggedSandbox extends FakeSandbox {
  override async stop(): Promise<void> {
    await super.stop();
    log.push(`${this.spec.kind} ${this.spec.name} stopped`);
  }
}

const sandbox = (name: string, kind: 'filter' | 'decoder' | 'output', options: ConstructorParameters<typeof FakeSandbox>[1] = {}) =>
  new LoggedSandbox({ ...specOf(name), kind }, options);

const make = (options: Partial<PipelineOptions> = {}): Pipeline => new Pipeline({ clock: 'wall', ...options });

describe('the end of a pipeline', () => {
  it('comes in order: inputs, decoders, filters with a last tick, outputs', async () => {
    const pipeline = make();
    const input = new PushInput();
    const decoder = sandbox('d', 'decoder', { process: (decoded) => [decoded] });
    pipeline.addInput({ name: 'hand', input, decoder, sendDecodeFailures: false });
    pipeline.addFilter({
      name: 'f',
      sandbox: sandbox('f', 'filter', { timer: () => (log.push('last tick of f'), [message('from f', 0, { type: 'out' })]) }),
      matcher: compileMatcher("Type == 'in'"),
      tickerInterval: 0,
      timerEventOnShutdown: true,
    });
    const output = new HeldOutput('o', true);
    pipeline.addOutput(output);
    const script = sandbox('s', 'output', { timer: () => (log.push('last tick of s'), []) });
    pipeline.addScriptOutput({
      name: 's',
      sandbox: script,
      matcher: compileMatcher('TRUE'),
      tickerInterval: 0,
      timerEventOnShutdown: true,
    });
    await pipeline.start();
    await input.give('one');
    await pipeline.stop();
    expect(log.filter((line) => line !== 'acknowledged')).toEqual([
      ...['input stopped', 'decoder d stopped', 'last tick of f', 'filter f stopped'],
      ...['output o stopped', 'last tick of s', 'output s stopped'],
    ]);
    expect(log.indexOf('acknowledged')).toBeLessThan(log.indexOf('decoder d stopped'));
    expect(output.seen).toEqual(['one', 'from f']);
    expect(script.calls).toEqual(['one', 'from f', expect.stringMatching(/^timer /)]);
  });

  it('waits for what a filter that has ended still has to do', async () => {
    const pipeline = make();
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const dying = sandbox('f', 'filter', { process: () => 'die' });
    dying.stop = async () => {
      await written;
      log.push('its state is written');
    };
    pipeline.addFilter({ name: 'f', sandbox: dying, matcher: compileMatcher("Type == 'in'"), tickerInterval: 0 });
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    expect(pipeline.router.filters).toEqual([]);
    setTimeout(resolve, 20);
    await pipeline.stop();
    expect(log).toEqual(['its state is written']);
  });

  it('brings no last tick to a filter that has ended', async () => {
    const pipeline = make();
    const timer = vi.fn(() => []);
    const dying = sandbox('f', 'filter', { process: () => 'die', timer });
    pipeline.addFilter({
      name: 'f',
      sandbox: dying,
      matcher: compileMatcher("Type == 'in'"),
      tickerInterval: 0,
      timerEventOnShutdown: true,
    });
    await (
      await pipeline.router.accept(batchOf([message('x', 0, { type: 'in' })]))
    ).delivered;
    await pipeline.stop();
    expect(timer).not.toHaveBeenCalled();
  });
});

describe('when everything was read', () => {
  /** An input, two filters that tick, of which the second one sees what the first one tells, and an output. */
  const chain = async (gate?: () => Promise<void>) => {
    const pipeline = make({ clock: 'message' });
    const input = new PushInput();
    const output = new HeldOutput('o', true);
    pipeline.addInput({ name: 'hand', input, decoder: null, sendDecodeFailures: false });
    for (const [name, sees] of [
      ['first', 'in'],
      ['second', 'first'],
    ] as const) {
      pipeline.addFilter({
        name,
        sandbox: sandbox(name, 'filter', { ...(gate ? { gate } : {}), timer: () => [message(`from ${name}`, 0, { type: name })] }),
        matcher: compileMatcher(`Type == '${sees}'`),
        tickerInterval: 60,
      });
    }
    pipeline.addOutput(output);
    await pipeline.start();
    return { pipeline, input, output };
  };

  it.each([
    ['quick', undefined],
    ['slow', () => new Promise<void>((resolve) => setTimeout(resolve, 30))],
  ])('%s filters say what they have, also of what other filters said', async (_what, gate) => {
    const { pipeline, input, output } = await chain(gate);
    await input.give('one');
    expect(pipeline.finished).toBe(false);
    input.idle();
    await expect.poll(() => pipeline.finished).toBe(true);
    expect(output.seen).toEqual(['one', 'from first', 'from second']);
  });

  it('that is not so as long as ticks are still to come', async () => {
    const { pipeline, input, output } = await chain();
    for (const payload of ['one', 'two']) {
      await input.give(payload);
      input.idle();
      await expect.poll(() => pipeline.idle).toBe(true);
    }
    await expect.poll(() => pipeline.finished).toBe(true);
    expect(output.seen.filter((payload) => payload === 'from second')).toHaveLength(2);
  });
});

describe('what is held for too long', () => {
  it('is counted for each that holds it, and in the report', async () => {
    vi.useFakeTimers();
    const pipeline = make({ maxPackIdle: 60_000 });
    const [held, quick] = [new HeldOutput('held'), new HeldOutput('quick', true)];
    pipeline.addOutput(held);
    pipeline.addOutput(quick);
    const filter = sandbox('f', 'filter');
    pipeline.addFilter({ name: 'f', sandbox: filter, matcher: compileMatcher('TRUE'), tickerInterval: 0 });
    const tell = vi.fn();
    const watch = new LeakWatch({ leaks: () => pipeline.leaks(), tell });
    const batch = batchOf([message('x', 0, { type: 'in' })]);
    const first = await pipeline.router.accept(batch);
    await vi.advanceTimersByTimeAsync(45_000);
    const second = await pipeline.router.accept(batch);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(pipeline.leaks()).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(pipeline.leaks()).toEqual([{ name: 'held', batches: 1 }]);
    expect(tell).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(tell.mock.calls).toEqual([['1 batches of messages are held for longer than max_pack_idle: [held] 1']]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(tell.mock.calls.at(-1)).toEqual(['2 batches of messages are held for longer than max_pack_idle: [held] 2']);
    held.open();
    await Promise.all([first.delivered, second.delivered]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(tell).toHaveBeenCalledTimes(2);
    watch.stop();
    expect(pipeline.leaks()).toEqual([]);
  });

  it('is LeakCount of the report', async () => {
    const { gate } = { gate: () => new Promise<void>(() => undefined) };
    const pipeline = make({ maxPackIdle: 1 });
    pipeline.addFilter({ name: 'f', sandbox: sandbox('f', 'filter', { gate }), matcher: compileMatcher('TRUE'), tickerInterval: 0 });
    await pipeline.router.accept(batchOf([message('x')]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { filters } = await pipeline.report();
    expect(filters[0]?.fields).toMatchObject({ LeakCount: { value: 1, representation: 'count' }, InChanLength: { value: 1 } });
  });
});

describe('whether messages flow', () => {
  it('says no when an output takes nothing more, and yes when it goes on within a second', async () => {
    const pipeline = make({ capacity: 1 });
    const output = new HeldOutput('held');
    pipeline.addOutput(output);
    expect(await pipeline.flows()).toBe(true);
    await pipeline.router.accept(batchOf([message('x')]));
    expect(await pipeline.flows()).toBe(false);
    setTimeout(() => output.open(), 200);
    expect(await pipeline.flows()).toBe(true);
  });

  it('says no when the inputs may take nothing more', async () => {
    const pipeline = make({ capacity: 100, inFlight: 1 });
    const input = new PushInput();
    pipeline.addInput({ input, decoder: null, sendDecodeFailures: false });
    pipeline.addOutput(new HeldOutput('held'));
    await pipeline.start();
    expect(await pipeline.flows()).toBe(true);
    await input.give('one');
    expect(await pipeline.flows()).toBe(false);
  });
});

it('reports of a plugin that cannot report why it cannot', async () => {
  const pipeline = make();
  const broken = sandbox('f', 'filter');
  broken.report = () => Promise.reject(new Error('out of reach'));
  pipeline.addFilter({ name: 'f', sandbox: broken, matcher: compileMatcher('TRUE'), tickerInterval: 0 });
  const report = await pipeline.report();
  expect(report.filters).toEqual([{ name: 'f', fields: { Error: { value: 'out of reach', representation: '' } } }]);
});
