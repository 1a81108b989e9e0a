import { describe, expect, it } from 'vitest';
import { NO_USE, ScriptCounters } from '../../../../engine/sandbox/calls/script-counters.ts';
import type { SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';

const SPEC = { limits: { memory: 1, instructions: 2, output: 3 } } as SandboxSpec;
const report = (counters: ScriptCounters) => counters.report(SPEC, 'running', NO_USE);

describe('the counts of a script', () => {
  it('begin with nothing', () => {
    expect(report(new ScriptCounters())).toMatchObject({
      processed: 0,
      failures: 0,
      injected: 0,
      lastError: null,
      averageNs: 0,
      timerAverageNs: 0,
    });
  });

  it('add up over calls', () => {
    const counters = new ScriptCounters();
    counters.count(
      {
        injected: { length: 3 } as never,
        failures: [
          { row: 0, reason: 'a' },
          { row: 1, reason: 'b' },
        ],
      },
      5,
    );
    counters.count({ injected: null, failures: [] }, 2);
    counters.noteFailure('c');
    expect(report(counters)).toMatchObject({ processed: 7, failures: 3, injected: 3, lastError: 'c' });
  });

  it('keep the last error, cut', () => {
    const counters = new ScriptCounters();
    counters.noteError('x'.repeat(300));
    counters.noteError('');
    expect(counters.lastError).toBe('x'.repeat(255));
  });

  it('remember that the state could not be kept, whatever comes after', () => {
    const counters = new ScriptCounters();
    counters.noteStateProblem('too large');
    counters.noteError('other');
    expect(report(counters)).toMatchObject({ stateProblem: 'too large', lastError: 'other' });
  });

  it('tell each place that a state does not keep once, and remember a thousand', () => {
    const counters = new ScriptCounters();
    expect(counters.noteUnkept(['a', 'b'])).toEqual(['a', 'b']);
    expect(counters.noteUnkept(['b', 'c'])).toEqual(['c']);
    expect(report(counters).unkept).toEqual(['a', 'b', 'c']);
    counters.noteUnkept(Array.from({ length: 2000 }, (_, i) => String(i)));
    expect(report(counters).unkept).toHaveLength(1000);
  });

  it('show the maxima of the last report with the limits, and means as whole nanoseconds', () => {
    const counters = new ScriptCounters();
    counters.lastReport = { ...NO_USE, memoryMaximum: 9, calls: 3, nanoseconds: 10, timers: 2, timerNanoseconds: 5, hints: [] };
    expect(counters.report(SPEC, 'terminated', { ...NO_USE, memory: 4, isolate: 7 })).toMatchObject({
      memory: { current: 4, maximum: 9, limit: 1 },
      isolateMemory: 7,
      averageNs: 3,
      timerAverageNs: 2,
      hints: undefined,
    });
  });
});
