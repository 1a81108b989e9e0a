import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Accumulator } from '../../../../engine/inputs/stats/accumulator.ts';
import { emittedValues } from '../../../../engine/inputs/statsd/emission.ts';
import { sixDecimals } from '../../../../engine/inputs/statsd/fixed.ts';
import { OPTIONS, accumulated, lines } from './fixtures.ts';

describe('a counter', () => {
  it.each<[string, bigint]>([
    ['a:1|c|@0.1', 10n],
    ['a:3|c|@0.1', 30n],
    ['a:1|c|@0.3', 3n],
    ['a:1|c|@0.7', 1n],
    ['a:2.9|c', 2n],
    ['a:-2.9|c', -2n],
    ['a:0.5|c\na:0.5|c', 0n],
    ['a:1|c|@2', 0n],
    ['a:1|c|@-0.5', -2n],
    ['a:16777217|c', 16_777_216n],
    ['a:abc|c\na:2|c', 2n],
    ['a:1e30|c\na:5|c', 2n ** 63n - 1n],
    ['a:-1e30|c', -(2n ** 63n)],
    ['a:1e39|c', 2n ** 63n - 1n],
    ['a:1|c|@1e-40', 2n ** 63n - 1n],
    ['a:0|c|@1e-40', 0n],
    ['a:5|h\na:6|m', 11n],
  ])('of %j is %d', (text, sum) => expect(accumulated(text).take(false).counters.get('a')).toBe(sum));

  it('is exact beyond the integers of doubles', () => {
    const accumulator = accumulated('a:9007199254740992|c\n' + 'a:1|c\n'.repeat(3));
    expect(accumulator.take(false).counters.get('a')).toBe(9_007_199_254_740_995n);
  });
});

it('a gauge is what was said last, in double precision', () => {
  expect(accumulated('t:1|g\nt:0.1|g\nt:+2.25|g').take(false).gauges.get('t')).toBe(2.25);
  expect(accumulated('t:0.1|g').take(false).gauges.get('t')).toBe(0.1);
});

it('the same name can be a counter, a gauge and a timer', () => {
  expect(lines(accumulated('a:1|c\na:1|g\na:1|ms')).at(-1)).toBe('stats.statsd.numStats 3');
});

it('more names than can be held are dropped and counted, and known ones go on', () => {
  const accumulator = new Accumulator();
  for (let i = 0; i < 100_010; i++) accumulator.add({ bucket: `n${i}`, kind: 'gauge', value: '1', rate: 1 });
  accumulator.add({ bucket: 'n0', kind: 'gauge', value: '2', rate: 1 });
  expect(accumulator.dropped).toBe(10);
  expect(accumulator.take(false).gauges.size).toBe(100_000);
  expect(accumulator.take(false).gauges.get('n0')).toBe(2);
});

describe('percentiles', () => {
  const timer = (values: readonly number[], thresholds: number[]): string[] =>
    lines(accumulated(values.map((value) => `t:${value}|ms`).join('\n')), { thresholds }).slice(6, -1);
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => n - i);

  it.each<[number, number, number]>([
    [1, 90, 1],
    [3, 90, 3],
    [5, 90, 4],
    [10, 90, 9],
    [15, 90, 13],
    [10, 50, 5],
    [10, 99, 10],
    [10, 100, 10],
    [1000, 99, 990],
  ])('of 1 … %d at %d are those of the first %d', (n, threshold, k) => {
    expect(timer(upTo(n), [threshold])).toEqual([
      `stats.timers.t.mean_${threshold} ${((k + 1) / 2).toFixed(6)}`,
      `stats.timers.t.upper_${threshold} ${k}.000000`,
    ]);
  });

  it('where nothing is within are the smallest and the largest', () => {
    expect(timer([5, 1, 3], [0])).toEqual(['stats.timers.t.mean_0 1.000000', 'stats.timers.t.upper_0 5.000000']);
  });

  it('come in the order of the thresholds, and none without any', () => {
    expect(timer([1, 2], [50, 90]).map((line) => line.split(/[. ]/)[3])).toEqual(['mean_50', 'upper_50', 'mean_90', 'upper_90']);
    expect(timer([1, 2], [])).toEqual([]);
  });

  it('lie between the smallest and the largest value, and grow with the threshold', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (times) => {
        const thresholds = [1, 50, 90, 100];
        const emitted = new Map(
          emittedValues({ counters: new Map(), gauges: new Map(), timers: new Map([['t', times]]) }, { ...OPTIONS, thresholds }).map(
            ({ name, value }) => [name.split('.').at(-1), Number(value)],
          ),
        );
        const get = (name: string): number => emitted.get(name) ?? NaN;
        expect(get('count')).toBe(times.length);
        expect(get('upper_100')).toBe(get('upper'));
        for (const threshold of thresholds) {
          expect(get(`upper_${threshold}`)).toBeLessThanOrEqual(get('upper'));
          expect(get(`upper_${threshold}`)).toBeGreaterThanOrEqual(get('lower'));
          expect(get(`mean_${threshold}`)).toBeGreaterThanOrEqual(get('lower') - 1e-6);
          expect(get(`mean_${threshold}`)).toBeLessThanOrEqual(get(`upper_${threshold}`) + 1e-6);
        }
      }),
    );
  });
});

describe('six decimals', () => {
  it.each<[number, string]>([
    [0, '0.000000'],
    [-0, '-0.000000'],
    [1, '1.000000'],
    [-1.5, '-1.500000'],
    [0.1, '0.100000'],
    [1e-7, '0.000000'],
    [-1e-9, '-0.000000'],
    // Exactly between two: to the even one.
    [0.0078125, '0.007812'],
    [0.0234375, '0.023438'],
    [-0.0078125, '-0.007812'],
    [3.0078125, '3.007812'],
    [0.9999999, '1.000000'],
    [123456789.1234567, '123456789.123457'],
    [1e21, '1000000000000000000000.000000'],
    [-(2 ** 70), '-1180591620717411303424.000000'],
  ])('of %d are %s', (value, wanted) => expect(sixDecimals(value)).toBe(wanted));

  it('are those of exact arithmetic, halves to even', () => {
    const dyadic = fc.tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(dyadic, ([n, bits]) => {
        const scaled = BigInt(Math.abs(n)) * 1_000_000n;
        const unit = 1n << BigInt(bits);
        const rest = (scaled % unit) * 2n;
        const down = scaled / unit;
        const rounded = rest > unit || (rest === unit && down % 2n === 1n) ? down + 1n : down;
        const digits = String(rounded).padStart(7, '0');
        const wanted = `${n < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
        expect(sixDecimals(n / 2 ** bits)).toBe(wanted);
      }),
      { numRuns: 1000 },
    );
  });
});
