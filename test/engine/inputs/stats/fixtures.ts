import { expect } from 'vitest';
import { Accumulator } from '../../../../engine/inputs/stats/accumulator.ts';
import { emittedValues, payloadOf, type EmissionOptions } from '../../../../engine/inputs/statsd/emission.ts';
import { parseStats } from '../../../../engine/inputs/stats/parse.ts';

export const PREFIXES = { global: 'stats', counter: 'counters', timer: 'timers', gauge: 'gauges', statsd: 'statsd' };
export const OPTIONS: EmissionOptions = { seconds: 10, thresholds: [90], legacy: false, prefixes: PREFIXES };
export const SECONDS = 1_614_949_679n;

export function accumulated(text: string): Accumulator {
  const accumulator = new Accumulator();
  for (const stat of parseStats(text).stats) accumulator.add(stat);
  return accumulator;
}

/** The payload's lines, without the time. */
export function lines(accumulator: Accumulator, options: Partial<EmissionOptions> = {}, forget = false): string[] {
  const payload = payloadOf(emittedValues(accumulator.take(forget), { ...OPTIONS, ...options }), SECONDS);
  expect(payload.endsWith(` ${SECONDS}\n`)).toBe(true);
  return payload
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, line.lastIndexOf(' ')));
}
