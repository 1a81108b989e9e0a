import { describe, expect, test } from 'vitest';
import type { Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';
import { message } from '../support/worked.ts';

describe('procstat', () => {
  const first = { cpu: [100, 0, 50, 850, 0], ctxt: 1000, softirq: [10, 1, 2], path: 'x' };
  const run = (config: Record<string, Value>, ...readings: Record<string, Value | Value[]>[]): Record<string, unknown> => {
    const plugin = startPlugin('filters/procstat.ts', config);
    const outcomes = readings.map((fields) => plugin.process(message(0, fields)));
    const fields = outcomes.at(-1)?.injected[0]?.Fields ?? [];
    return Object.fromEntries(fields.map(({ name, value }) => [name, value[0]]));
  };

  test('differences', () => {
    const second = { cpu: [130, 0, 60, 900, 10], ctxt: 1500, softirq: [15, 2, 4], path: 'y' };
    const softirq = { softirq_delta_1: 5, softirq_delta_2: 1, softirq_delta_3: 2 };
    expect(run({ extras: true }, first, second)).toMatchObject({ cpu_percent: 50, cpu_delta_ticks: 100, ctxt_delta: 500, ...softirq });
    expect(run({ percent_integer: false }, first, second)).toEqual({ cpu_percent: 0.5 });
  });

  test('without change, or without comparison', () => {
    expect(run({}, first, first)).toEqual({});
    expect(run({ extras: true, whitelist: '^cpu' }, first, first)).toEqual({
      cpu_delta_user: 0,
      cpu_delta_nice: 0,
      cpu_delta_system: 0,
      cpu_delta_idle: 0,
      cpu_delta_iowait: 0,
      cpu_delta_ticks: 0,
    });
    expect(run({ extras: true }, { cpu: [1, 2, 3, 4, 5] }, { cpu: [2, 3, 4, 5] })).toEqual({});
    expect(run({}, first)).toEqual({});
  });

  test('rounds halves down', () => {
    expect(run({}, { cpu: [0, 0, 0, 0] }, { cpu: [1, 0, 0, 7] })).toEqual({ cpu_percent: 12 });
  });
});
