import { describe, expect, it } from 'vitest';
import { Accumulator } from '../../../../engine/inputs/stats/accumulator.ts';
import { emittedValues, fieldsOf, type EmissionOptions } from '../../../../engine/inputs/statsd/emission.ts';
import { PREFIXES, OPTIONS, SECONDS, accumulated, lines } from '../stats/fixtures.ts';

const EXAMPLE = 'hits:1|c\n'.repeat(25) + 'temp:20.5|g\n' + Array.from({ length: 10 }, (_, i) => `rt:${i + 1}|ms\n`).join('');

describe('an emission', () => {
  it('has counters, gauges, timers and their number', () => {
    expect(lines(accumulated(EXAMPLE))).toEqual([
      'stats.counters.hits.rate 2.500000',
      'stats.counters.hits.count 25',
      'stats.gauges.temp 20.500000',
      'stats.timers.rt.count 10',
      'stats.timers.rt.count_ps 1.000000',
      'stats.timers.rt.lower 1.000000',
      'stats.timers.rt.upper 10.000000',
      'stats.timers.rt.sum 55.000000',
      'stats.timers.rt.mean 5.500000',
      'stats.timers.rt.mean_90 5.000000',
      'stats.timers.rt.upper_90 9.000000',
      'stats.statsd.numStats 3',
    ]);
  });

  it('begins anew after it: counters are 0, gauges stay, timers are empty', () => {
    const accumulator = accumulated(EXAMPLE);
    accumulator.take(false);
    const zeros = ['count 0', 'count_ps 0.000000', 'lower 0.000000', 'upper 0.000000', 'sum 0.000000', 'mean 0.000000', 'mean_90 0.000000'];
    expect(lines(accumulator)).toEqual([
      'stats.counters.hits.rate 0.000000',
      'stats.counters.hits.count 0',
      'stats.gauges.temp 20.500000',
      ...[...zeros, 'upper_90 0.000000'].map((line) => `stats.timers.rt.${line}`),
      'stats.statsd.numStats 3',
    ]);
  });

  it('forgets all, if it is to', () => {
    const accumulator = accumulated(EXAMPLE);
    expect(lines(accumulator, {}, true)).toHaveLength(12);
    expect(lines(accumulator, {}, true)).toEqual(['stats.statsd.numStats 0']);
  });

  it('without any stat says that there is none', () => expect(lines(new Accumulator())).toEqual(['stats.statsd.numStats 0']));

  it('has the names of former times', () => {
    expect(lines(accumulated('hits:25|c\ntemp:1|g'), { legacy: true })).toEqual([
      'stats.hits 2.500000',
      'stats_counts.hits 25',
      'stats.gauges.temp 1.000000',
      'statsd.numStats 2',
    ]);
  });

  it.each<[string, Partial<EmissionOptions['prefixes']>, string, string[]]>([
    [
      'without any prefix',
      { global: '', counter: '', gauge: '', timer: '', statsd: '' },
      'a:1|c\nb:2|g',
      ['a.rate', 'a.count', 'b', 'numStats'],
    ],
    ['with dots at their ends', { global: 'x.', counter: 'y.' }, 'a:1|c', ['x.y.a.rate', 'x.y.a.count', 'x.statsd.numStats']],
    ['with an empty one in the middle', { counter: '' }, 'a:1|c', ['stats.a.rate', 'stats.a.count', 'stats.statsd.numStats']],
    ['of a nameless stat', {}, ':1|g', ['stats.gauges.', 'stats.statsd.numStats']],
  ])('%s', (_title, prefixes, text, names) => {
    const got = lines(accumulated(text), { prefixes: { ...PREFIXES, ...prefixes } });
    expect(got.map((line) => line.slice(0, line.lastIndexOf(' ')))).toEqual(names);
  });

  it('has the same in fields, with their types', () => {
    const values = emittedValues(accumulated('hits:25|c\ntemp:1|g').take(false), OPTIONS);
    expect(fieldsOf(values, SECONDS)).toEqual([
      { name: 'timestamp', valueType: 2, values: [SECONDS] },
      { name: 'stats.counters.hits.rate', valueType: 3, values: [2.5] },
      { name: 'stats.counters.hits.count', valueType: 2, values: [25n] },
      { name: 'stats.gauges.temp', valueType: 3, values: [1] },
      { name: 'stats.statsd.numStats', valueType: 2, values: [2n] },
    ]);
  });

  it.each([
    [25, 2n],
    [-25, -2n],
    [9, 0n],
  ])('cuts rates of former times in fields to whole numbers: %d', (sum, field) => {
    const values = emittedValues(accumulated(`hits:${sum}|c`).take(false), { ...OPTIONS, legacy: true });
    expect(fieldsOf(values, SECONDS)[1]).toEqual({ name: 'stats.hits', valueType: 2, values: [field] });
  });
});
