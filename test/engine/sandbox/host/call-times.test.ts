import { afterAll, describe, expect, it } from 'vitest';
import { CallTimes } from '../../../../engine/sandbox/host/call-times.ts';
import type { Sampling, Sandbox, SandboxLimits } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, SandboxBench } from '../harness.ts';

/** Runs calls that take `nanoseconds(i)` each and returns the numbers of those that were timed. */
function run(times: CallTimes, calls: number, nanoseconds: (call: number) => number = () => 100): number[] {
  const timed: number[] = [];
  for (let call = 0; call < calls;) {
    const due = Math.min(times.due, calls - call);
    times.passed(due);
    call += due;
    if (call === calls) break;
    times.note(nanoseconds(call));
    timed.push(call++);
  }
  return timed;
}

describe('which calls are timed', () => {
  it('is about one in so many for the average, beginning with the first', () => {
    const times = new CallTimes({ every: 1000, profile: 0 });
    run(times, 1);
    expect(times.head()).toMatchObject({ samples: 1, nanoseconds: 100 });
    run(times, 999_999);
    expect(times.head().samples).toBeGreaterThan(900);
    expect(times.head().samples).toBeLessThan(1100);
  });

  it('leaves out how long the first call took, which compiles the script, as soon as there is another', () => {
    const times = new CallTimes({ every: 1, profile: 0 });
    run(times, 1, () => 1_000_000);
    expect(times.head()).toMatchObject({ samples: 1, nanoseconds: 1_000_000 });
    run(times, 3, (call) => 10 * (call + 1));
    expect(times.head()).toMatchObject({ samples: 4, nanoseconds: 10 + 10 + 20 + 30 });
  });

  it('is every one with a denominator of 1', () => {
    const times = new CallTimes({ every: 1, profile: 0 });
    expect(run(times, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(times.head()).toMatchObject({ samples: 5, nanoseconds: 500 });
  });

  it('is every one that the engine wants', () => {
    const times = new CallTimes({ every: 1_000_000, profile: 0 }, () => 0.5);
    run(times, 10_000);
    expect(times.head().samples).toBe(1);
    times.want(29);
    run(times, 4000);
    expect(times.head().samples).toBe(30);
  });

  it('is more in the beginning, for the percentile alone', () => {
    const times = new CallTimes({ every: 1000, profile: 0 }, () => 0.5);
    const timed = run(times, 1_000_000);
    expect(timed.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, call) => call));
    expect(timed.filter((call) => call < 64_000).length).toBeGreaterThan(300);
    expect(timed.length).toBeLessThan(2500);
  });

  it('is all of them during a profile, which counts as one sample afterwards', () => {
    const times = new CallTimes({ every: 1000, profile: 20 }, () => 0.5);
    run(times, 20, (call) => (call < 10 ? 50 : 150));
    expect(times.head()).toEqual({ samples: 1, nanoseconds: 100, profileSamples: 20, profileNanoseconds: 2000 });
    run(times, 1_000_000);
    expect(times.head()).toMatchObject({ profileSamples: 20, profileNanoseconds: 2000 });
    expect(times.head().samples).toBeGreaterThan(900);
  });
});

it('knows what 99 of 100 calls did not exceed, of the last ones', () => {
  const times = new CallTimes({ every: 1, profile: 0 });
  expect(times.percentile99()).toBe(0);
  run(times, 1, () => 7);
  expect(times.percentile99()).toBe(7);
  run(times, 999, (call) => call);
  expect(times.percentile99()).toBe(988);
  run(times, 2000, () => 3);
  expect(times.percentile99()).toBe(3);
});

describe('a sandbox', () => {
  const bench = new SandboxBench();
  afterAll(() => bench.close());
  const SPIN = `function process_message() { const end = Date.now() + 4; while (Date.now() < end); return 0; }`;
  const lines = (count: number) => batchOf(Array.from({ length: count }, (_, i) => line(String(i))));

  const started = (sampling?: Sampling, script = SPIN, limits: Partial<SandboxLimits> = {}): Promise<Sandbox> =>
    bench.start(script, { limits: { instructions: 0, ...limits }, ...(sampling ? { sampling } : {}) });

  it('says how long its calls take', async () => {
    // Of calls that are chosen at random, one in a thousand, there may be a second one among ten.
    const sandbox = await started({ every: Number.MAX_SAFE_INTEGER, profile: 0 });
    const begun = performance.now();
    await sandbox.process(lines(10), null);
    const tookNs = (performance.now() - begun) * 1e6;
    const report = await sandbox.report();
    for (const ns of [report.averageNs, report.percentile99Ns, report.times?.averageNs]) {
      expect(ns).toBeGreaterThan(2_900_000);
      expect(ns).toBeLessThan(tookNs);
    }
    expect(report.times?.samples).toBe(1);
    expect(report.profileTimes).toBeUndefined();
  });

  it('does not take the wait for its variables for its own time', async () => {
    let least = Infinity;
    // Other work of the machine makes a call longer, never shorter.
    for (let attempt = 0; attempt < 10 && least >= 500_000_000; attempt++) {
      const sandbox = await started({ every: 1, profile: 0 }, `function process_message() { read_message('Payload'); return 0; }`);
      const answered = sandbox.process(lines(1), null);
      // The engine does not answer while it is busy.
      const end = performance.now() + 800;
      while (performance.now() < end);
      const { times } = await answered;
      expect(times).toMatchObject({ samples: 1 });
      least = Math.min(least, times?.averageNs ?? Infinity);
    }
    expect(least).toBeLessThan(500_000_000);
  });

  it('times all calls that it is asked to, and those of a profile', async () => {
    const sandbox = await started({ every: 1_000_000, profile: 0 });
    expect((await sandbox.process(lines(3), null)).times?.samples).toBe(1);
    expect((await sandbox.process(lines(8), null, 5)).times?.samples).toBe(6);
    expect((await sandbox.process(batchOf([]), null, 5)).times?.samples).toBe(6);
    const profiled = await started({ every: 1_000_000, profile: 4 });
    await profiled.process(lines(6), null);
    const { times, profileTimes } = await profiled.report();
    expect(profileTimes?.samples).toBe(4);
    expect(times?.samples).toBe(1);
    expect(times?.averageNs).toBe(profileTimes?.averageNs);
  });

  it.skipIf(process.platform === 'win32')('is not waited for while it is busy', async () => {
    const script = `var kept = new Array(1e5).fill(1.5); function process_message() { return 0; }`;
    const sandbox = await started(undefined, script, { callMs: 0 });
    await sandbox.report();
    // A host that is halted answers as little as one that is at work.
    const signal = (name: NodeJS.Signals): void => bench.pool.hostPids.forEach((pid) => process.kill(pid, name));
    signal('SIGSTOP');
    let isBusy = true;
    const answered = sandbox.process(lines(1), null).finally(() => (isBusy = false));
    const [first] = await Promise.all([sandbox.report(), sandbox.report()]).finally(() => signal('SIGCONT'));
    expect(isBusy).toBe(true);
    expect(first).toMatchObject({ state: 'running', processed: 0 });
    expect(first.memory.current).toBeGreaterThan(5e5);
    await answered;
    expect(await sandbox.report()).toMatchObject({ processed: 1 });
  });
});
