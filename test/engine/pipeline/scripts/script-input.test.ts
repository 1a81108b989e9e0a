import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { ScriptInput, type ScriptInputOptions } from '../../../../engine/pipeline/scripts/script-input.ts';
import { TickSchedule } from '../../../../engine/pipeline/scripts/tick-schedule.ts';
import type { InputSandbox, InputStatus, Termination } from '../../../../engine/sandbox/contract/types.ts';
import { TestSink } from '../../inputs/harness.ts';
import { until } from '../../../until.ts';
import { FakeSandbox, message } from '../fakes.ts';

type End = InputStatus | Termination;

/** An input script whose calls end as they are listed; each injects a message with the number of the call first. */
class FakeInput extends FakeSandbox implements InputSandbox {
  checkpoints = 0;
  count = 0;
  readonly #ends: readonly End[];
  readonly #took: number;

  constructor(ends: readonly End[], took = 0) {
    super('in', {});
    this.#ends = ends;
    this.#took = took;
  }

  async run(take: (batch: MessageBatch) => Promise<void>): Promise<End> {
    const call = this.count++;
    await take(batchOf([message(`${call}`)]));
    await delay(this.#took);
    return this.#ends[Math.min(call, this.#ends.length - 1)] as End;
  }

  checkpoint(): void {
    this.checkpoints++;
  }
}

const FINE: End = { code: 0, text: '' };

function setUp(sandbox: InputSandbox, more: Partial<ScriptInputOptions> = {}) {
  const said: string[] = [];
  const sink = new TestSink();
  const input = new ScriptInput({
    sandbox,
    tickerInterval: 0,
    onFailure: (reason) => said.push(`failure ${reason}`),
    onRestart: ({ reason }) => said.push(`restart ${reason}`),
    onEnd: (end) => said.push(`end ${end?.reason ?? null}`),
    ...more,
  });
  return { input, sink, said };
}

afterEach(() => void vi.useRealTimers());

describe('an input that is a script', () => {
  it.each<[string, End, string[]]>([
    ['ends after its only call', FINE, ['end null']],
    ['ends after its only call also when that failed', { code: -1, text: 'half' }, ['failure half', 'end null']],
    ['ends by a status above 0', { code: 2, text: '' }, ['end process_message() returned 2']],
    ['ends by a status with a text', { code: 1, text: 'enough' }, ['end enough']],
    ['ends by an error', { code: 'script.throws', reason: 'TypeError', row: -1 }, ['end TypeError']],
  ])('%s', async (_title, end, wanted) => {
    const { input, sink, said } = setUp(new FakeInput([end]));
    await input.start(sink);
    await until(() => said.length === wanted.length, 'the script');
    expect(said).toEqual(wanted);
    expect(sink.payloads).toEqual(['0']);
    expect(sink.idles).toBe(1);
    expect(input.stats()).toMatchObject({ records: 1, bytes: encodeMessage(message('0')).length });
    await input.stop();
  });

  it('is called again at each tick, and keeps its state when all was acknowledged', async () => {
    const sandbox = new FakeInput([FINE, { code: -1, text: 'no' }, FINE]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { input, sink, said } = setUp(sandbox, { tickerInterval: 1 });
    sink.acknowledges = false;
    await input.start(sink);
    await until(() => sink.idles === 1, 'the first call');
    expect(sandbox.checkpoints).toBe(0);
    sink.batches[0]?.acknowledge();
    expect(sandbox.checkpoints).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    await until(() => sandbox.count === 2, 'the second call');
    await until(() => said.length === 1, 'the script');
    expect(said).toEqual(['failure no']);
    const stopped = input.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(sandbox.state).toBe('running');
    sink.batches[1]?.acknowledge();
    await stopped;
    expect(sandbox.state).toBe('stopped');
    await vi.advanceTimersByTimeAsync(5000);
    expect(sandbox.count).toBe(2);
  });

  it('is started again as its retries say', async () => {
    const failing = (): FakeInput => new FakeInput([FINE, { code: 'script.throws', reason: 'broken', row: -1 }]);
    const successors: FakeInput[] = [];
    let refused = 1;
    const start = async (): Promise<InputSandbox> => {
      if (refused-- > 0) throw new Error('no host');
      successors.push(failing());
      return successors.at(-1) as FakeInput;
    };
    const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: 2 };
    const { input, sink, said } = setUp(new FakeInput([{ code: 'script.throws', reason: 'first', row: -1 }]), {
      restart: { retries, start },
    });
    await input.start(sink);
    await until(() => said.some((text) => text.startsWith('end')), 'the script');
    expect(said).toEqual(['restart first', 'restart no host', 'end null']);
    expect(sink.payloads).toEqual(['0', '0']);
    await input.stop();
  });

  it('ends for good after the last attempt', async () => {
    const retries = { delay: 1, max_delay: 1, max_jitter: 0, max_retries: 2 };
    const bad: End = { code: 'script.throws', reason: 'bad', row: -1 };
    const { input, sink, said } = setUp(new FakeInput([bad]), { restart: { retries, start: async () => new FakeInput([bad]) } });
    await input.start(sink);
    await until(() => said.some((text) => text.startsWith('end')), 'the script');
    expect(said).toEqual(['restart bad', 'restart bad', 'end bad']);
    await input.stop();
  });
});

describe('ticks', () => {
  it('may be farther apart than a timer can wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const day = 86_400_000;
    const ticks = new TickSchedule(30 * day);
    ticks.start();
    let came = 0;
    void ticks.next().then(() => came++);
    await vi.advanceTimersByTimeAsync(29 * day);
    expect(came).toBe(0);
    await vi.advanceTimersByTimeAsync(day);
    expect(came).toBe(1);
  });

  it('wait once for a call that takes long, and are left out otherwise', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const ticks = new TickSchedule(40);
    ticks.start();
    const started = performance.now();
    const at: number[] = [];
    const run = async (): Promise<void> => {
      for (const work of [0, 100, 0, 0]) {
        await ticks.next();
        at.push(performance.now() - started);
        if (work > 0) await new Promise((resolve) => setTimeout(resolve, work));
      }
    };
    const running = run();
    await vi.advanceTimersByTimeAsync(400);
    await running;
    // The call from 80 to 180 misses the ticks of 120 and 160, of which one waits.
    expect(at).toEqual([40, 80, 180, 200]);
    ticks.stop();
    await ticks.next();
  });
});
