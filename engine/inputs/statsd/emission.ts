import { ValueType, type Field } from '../../message/types.ts';
import type { Accumulated } from '../stats/accumulator.ts';
import { sixDecimals } from './fixed.ts';

export interface EmissionOptions {
  /** Seconds between two emissions, above 0. */
  readonly seconds: number;
  /** Whole percentages, 0 to 100. */
  readonly thresholds: readonly number[];
  /** The names of counters, and of the number of all stats, of former times. */
  readonly legacy: boolean;
  readonly prefixes: {
    readonly global: string;
    readonly counter: string;
    readonly timer: string;
    readonly gauge: string;
    readonly statsd: string;
  };
}

/** One emitted value: a whole number or a double. */
export interface EmittedValue {
  readonly name: string;
  readonly value: bigint | number;
  /** Value of the field, where that is not `value`. */
  readonly field?: bigint;
}

/** The emissions of the accumulated stats: counters, gauges, timers, and the number of these stats. */
export function emittedValues({ counters, gauges, timers }: Accumulated, options: EmissionOptions): EmittedValue[] {
  const { global, gauge, timer, statsd } = options.prefixes;
  const values: EmittedValue[] = [];
  for (const [name, sum] of counters) values.push(...counterValues(name, sum, options));
  for (const [name, value] of gauges) values.push({ name: joined(global, gauge, name), value });
  for (const [name, times] of timers) {
    for (const [key, value] of timerValues(times, options)) values.push({ name: `${joined(global, timer, name)}.${key}`, value });
  }
  const count = BigInt(counters.size + gauges.size + timers.size);
  values.push({ name: joined(options.legacy ? '' : global, statsd, 'numStats'), value: count });
  return values;
}

/** The lines of a payload. @param seconds Unix time */
export function payloadOf(values: readonly EmittedValue[], seconds: bigint): string {
  return values.map(({ name, value }) => `${name} ${typeof value === 'bigint' ? value : sixDecimals(value)} ${seconds}\n`).join('');
}

/** The fields of a message. @param seconds Unix time */
export function fieldsOf(values: readonly EmittedValue[], seconds: bigint): Field[] {
  return [
    { name: 'timestamp', valueType: ValueType.INTEGER, values: [seconds] },
    ...values.map(({ name, value, field = value }): Field =>
      typeof field === 'bigint'
        ? { name, valueType: ValueType.INTEGER, values: [field] }
        : { name, valueType: ValueType.DOUBLE, values: [field] },
    ),
  ];
}

function counterValues(name: string, sum: bigint, { seconds, legacy, prefixes }: EmissionOptions): EmittedValue[] {
  const rate = Number(sum) / seconds;
  if (!legacy) {
    const base = joined(prefixes.global, prefixes.counter, name);
    return [
      { name: `${base}.rate`, value: rate },
      { name: `${base}.count`, value: sum },
    ];
  }
  return [
    { name: joined(prefixes.global, name), value: rate, field: sum / BigInt(seconds) },
    { name: joined('stats_counts', name), value: sum },
  ];
}

function timerValues(times: readonly number[], { seconds, thresholds }: EmissionOptions): [string, bigint | number][] {
  const sorted = Float64Array.from(times).sort();
  const count = sorted.length;
  const sum = sumOf(sorted);
  const [lower = 0, upper = 0] = [sorted[0], sorted[count - 1]];
  return [
    ['count', BigInt(count)],
    ['count_ps', count / seconds],
    ['lower', lower],
    ['upper', upper],
    ['sum', sum],
    ['mean', count === 0 ? 0 : sum / count],
    ...thresholds.flatMap((threshold): [string, number][] => {
      const within = count - Math.floor(((100 - threshold) / 100) * count + 0.5);
      const part = sorted.subarray(0, within);
      const [mean, highest] = within > 0 ? [sumOf(part) / within, part[within - 1] as number] : [lower, upper];
      return [
        [`mean_${threshold}`, mean],
        [`upper_${threshold}`, highest],
      ];
    }),
  ];
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Names with dots between them; an empty prefix adds nothing, and one that ends with a dot no second one. */
function joined(...parts: readonly string[]): string {
  const name = parts.at(-1) as string;
  return parts
    .slice(0, -1)
    .reduceRight((rest, prefix) => (prefix === '' ? rest : `${prefix}${prefix.endsWith('.') ? '' : '.'}${rest}`), name);
}
