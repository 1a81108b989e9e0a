import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProcessInput } from '../../../engine/inputs/process/process-input.ts';
import { RestartedInput } from '../../../engine/pipeline/restarted-input.ts';
import { TestSink } from '../inputs/harness.ts';
import { until } from '../../until.ts';

const RETRIES = { delay: 10, max_delay: 40, max_jitter: 0, max_retries: -1 };

interface Story {
  readonly input: RestartedInput;
  readonly sink: TestSink;
  readonly restarts: [string, number][];
  readonly ends: (string | null)[];
}

async function story(line: string, retries: Partial<typeof RETRIES> = {}): Promise<Story> {
  const restarts: [string, number][] = [];
  const ends: (string | null)[] = [];
  const process = new ProcessInput({ name: 'run', commands: [{ bin: 'sh', args: ['-c', line], env: [] }], seconds: 0, hostname: 'box' });
  const hooks = {
    onRestart: (reason: string, wait: number) => restarts.push([reason, wait]),
    onEnd: (reason: string | null) => ends.push(reason),
  };
  const input = new RestartedInput(process, { ...RETRIES, ...retries }, hooks);
  const sink = new TestSink();
  await input.start(sink);
  return { input, sink, restarts, ends };
}

/** However long a command takes to fail here, for the input it is none. */
function takesNoTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('an input that can end', () => {
  it('is not started again when it ended well', async () => {
    const { input, ends, restarts, sink } = await story('echo x');
    await until(() => ends.length === 1, 'its end');
    await input.stop();
    expect([ends, restarts, sink.payloads]).toEqual([[null], [], ['x\n']]);
    expect(input.stats().records).toBe(1);
  });

  it('is started again when it failed, after longer and longer waits', async () => {
    takesNoTime();
    const { input, restarts, sink, ends } = await story('echo x; exit 2');
    await until(() => restarts.length === 4, 'four failures');
    await input.stop();
    expect(restarts.map(([, wait]) => wait)).toEqual([10, 20, 40, 40]);
    expect(restarts[0]?.[0]).toBe('sh ended with status 2.');
    expect(sink.payloads.slice(0, 4)).toEqual(['x\n', 'x\n', 'x\n', 'x\n']);
    expect(input.figures()).toEqual({ RunCount: 4, ExitStatus: 2 });
    expect(ends).toEqual([]);
  });

  it('is given up after the last attempt, with the reason', async () => {
    takesNoTime();
    const { ends, restarts } = await story('exit 2', { max_retries: 2 });
    await until(() => ends.length === 1, 'the end');
    expect([ends, restarts.length]).toEqual([['sh ended with status 2.'], 2]);
  });

  it('begins the waits anew when it went on for longer than the longest', async () => {
    const { input, restarts } = await story('sleep 0.2; exit 2');
    await until(() => restarts.length === 3, 'three failures');
    await input.stop();
    expect(restarts.map(([, wait]) => wait)).toEqual([10, 10, 10]);
  });

  it('is not started again after its stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { input, restarts, ends } = await story('exit 2', { delay: 500, max_delay: 500 });
    await until(() => restarts.length === 1, 'the failure');
    expect(input.problem).toBe('sh ended with status 2.');
    await input.stop();
    await vi.advanceTimersByTimeAsync(5000);
    expect([restarts.length, ends, input.figures().RunCount]).toEqual([1, [], 1]);
  });

  it('that is stopped while it runs has not ended by itself', async () => {
    const { input, restarts, ends } = await story('sleep 60');
    await input.stop();
    expect([restarts, ends]).toEqual([[], []]);
  });
});
