import { describe, expect, test } from 'vitest';
import { detect, parse_config } from '../../../plugins/modules/anomaly.ts';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';

const S = 1e9;

/** A graph of one column whose rows hold `values`, the first at `start` seconds. */
function graph(values: readonly number[], start: number, secondsPerRow = 60): CircularBuffer {
  const buffer = new CircularBuffer(values.length, 1, secondsPerRow);
  for (const [i, value] of values.entries()) buffer.set((start + i * secondsPerRow) * S, 1, value);
  return buffer;
}

const rows = (count: number, value: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => value(i));
const B = 1_400_000_400;

describe('rate of change', () => {
  const jump = rows(20, (i) => (i < 16 ? 10 + (i % 2) : i < 19 ? 30 : 999));

  test('a jump', () => {
    const found = detect(1140 * S, 'G', graph(jump, 0), parse_config('roc("G", 1, 3, 0, 2, false, false)'));
    expect(found).toEqual([
      'G - algorithm: roc col: 1 msg: detected anomaly, standard deviation exceeds 2',
      [{ x: 1_140_000, col: 1, shortText: 'A', text: 'detected anomaly, standard deviation exceeds 2' }],
    ]);
  });

  test.each([
    ['2.50', '2.5'],
    ['12345678', '1.23457E+07'],
    ['0.00001', '1E-05'],
    ['0', '0'],
  ])('a threshold of %s is told with six digits', (sd, told) => {
    const values = rows(20, (i) => (i < 16 ? 10 + (i % 2) : 1e12));
    const found = detect(1140 * S, 'G', graph(values, 0), parse_config(`roc("G", 1, 3, 0, ${sd}, false, false)`));
    expect(found?.[1][0]?.text).toBe(`detected anomaly, standard deviation exceeds ${told}`);
  });

  test.each([
    ['roc("G", 1, 3, 4, 50.5, false, false)', null],
    ['roc("H", 1, 3, 0, 2, false, false)', null],
  ])('%s finds nothing', (config, expected) => {
    expect(detect(1140 * S, 'G', graph(jump, 0), parse_config(config))).toBe(expected);
  });

  test.each([
    'roc("G", 1, 7, 0, 2, false, false)',
    'roc("G", 1, 3, 2, 2, false, false)',
    'roc("G", 1, 3, 14, 2, false, false)',
    'roc("G", 1, 0, 0, 2, false, false)',
  ])('%s does not fit', (config) => {
    expect(() => detect(1140 * S, 'G', graph(jump, 0), parse_config(config))).toThrow(RangeError);
  });

  const lost = rows(40, (i) => (i < 33 ? 5 : NaN));

  test('data that stops, or starts', () => {
    const at = (B + 39 * 60) * S;
    const run = (values: readonly number[], config: string): string | undefined =>
      detect(at, 'G', graph(values, B), parse_config(config))?.[0];
    expect(run(lost, 'roc("G", 1, 5, 0, 2, true, false)')).toBe('G - algorithm: roc col: 1 msg: no new data');
    expect(run(lost, 'roc("G", 1, 5, 0, 2, false, true)')).toBeUndefined();
    expect(
      run(
        rows(40, (i) => (i < 34 ? NaN : 5)),
        'roc("G", 1, 5, 0, 2, false, true)',
      ),
    ).toBe('G - algorithm: roc col: 1 msg: unexpected data');
  });

  test('several tests at once', () => {
    const config = parse_config('roc("G", 1, 5, 0, 2, true,false) roc("G", 1, 5, 0, 100, true,false)mww("G",1,5,7,0.05,any)');
    const [message, annotations] = detect(
      (B + 39 * 60) * S,
      'G',
      graph(
        rows(40, (i) => (i < 36 ? 5 : 6)),
        B,
      ),
      config,
    ) ?? ['', []];
    expect(message.split('\n')).toHaveLength(3);
    expect(annotations.map(({ x }) => x)).toEqual([1400002740000, 1400002740000, 1400002740000]);
  });

  test('runs once for each row and moves the graph on', () => {
    const buffer = graph(
      rows(20, (i) => (i > 11 && i < 16 ? 5 : NaN)),
      B,
    );
    const config = parse_config('roc("G", 1, 3, 0, 2, true, false)');
    const hits = [1140, 1150, 1199, 1200, 1260, 1320].map((seconds) => detect((B + seconds) * S, 'G', buffer, config) !== null);
    expect(hits).toEqual([true, false, false, true, true, false]);
    expect(buffer.current_time()).toBe((B + 1320) * S);
  });
});

describe('artificial graphs of one second a row', () => {
  const between = (from: number, to: number, value: (t: number) => number): [number, number][] =>
    rows(to - from + 1, (i) => from + i).map((t) => [t, value(t)]);
  /** A graph of `count` rows with values at some seconds. */
  const sparse = (count: number, values: readonly (readonly [number, number])[]): CircularBuffer => {
    const buffer = new CircularBuffer(count, 1, 1);
    for (const [t, value] of values) buffer.set(t * S, 1, value);
    return buffer;
  };
  const climb = [...between(100, 150, (t) => t - 99), ...between(151, 184, (t) => (t % 4) + 9), ...between(185, 199, () => 23)];
  const down = between(300, 520, (t) => 1300 - t);
  const up = between(300, 520, (t) => 700 + t);

  test.each<[config: string, count: number, values: readonly (readonly [number, number])[], at: number, reason: string | undefined]>([
    ['roc("G", 1, 15, 0, 1.5, true, false)', 100, [...between(100, 150, () => 2), [171, NaN]], 170, 'no new data'],
    ['roc("G", 1, 15, 0, 1.5, false, true)', 100, [[170, 2]], 171, 'unexpected data'],
    ['roc("G", 1, 15, 0, 1.5, true, false)', 100, climb, 200, undefined],
    ['roc("G", 1, 15, 15, 1.5, true, false)', 100, climb, 200, 'detected anomaly, standard deviation exceeds 1.5'],
    ['mww("G", 1, 20, 10, 0.0001, decreasing)', 220, down, 521, 'detected anomaly, decreasing values'],
    ['mww("G", 1, 20, 10, 0.0001, increasing)', 220, down, 521, undefined],
    ['mww("G", 1, 20, 10, 0.0001, increasing)', 220, up, 520, 'detected anomaly, increasing values'],
    ['mww("G", 1, 20, 10, 0.0001, any)', 220, down, 521, 'detected anomaly'],
    ['mww_nonparametric("G", 1, 20, 10, 0.6)', 220, up, 520, 'detected anomaly, pstat: 0.944444'],
    ['mww("G", 1, 20, 10, 0.0001, decreasing) roc("G", 1, 15, 0, 1.5, true, true)', 220, [], 219, undefined],
  ])('%s on %i rows', (config, count, values, at, reason) => {
    expect(detect(at * S, 'G', sparse(count, values), parse_config(config))?.[0].split(' msg: ')[1]).toBe(reason);
  });

  test.each([
    ['roc("G", 1, 15, 0, 1.5, true, false)', 45],
    ['roc("G", 1, 10, 5, 1.5, true, false)', 45],
    ['mww("G", 1, 20, 10, 0.0001, any)', 200],
    ['mww("G", 1, 0, 3, 0.0001, any)', 200],
    ['mww_nonparametric("G", 2, 20, 3, 0.6)', 200],
    ['roc("G", 0, 5, 0, 1, true, false)', 200],
  ])('%s does not fit %i rows', (config, count) => {
    expect(() => detect((count - 1) * S, 'G', sparse(count, [[1, 1]]), parse_config(config))).toThrow(RangeError);
  });
});

describe('rank tests', () => {
  const fall = rows(121, (i) => (i < 100 ? 100 : 60) + ((7 * i) % 11));
  const step = rows(60, (i) => (i < 54 ? i % 5 : 50 + i));
  const noise = rows(60, (i) => (37 * i) % 17);

  test.each([
    [fall, B, 'mww("G", 1, 20, 6, 0.0001, decreasing)', 'detected anomaly, decreasing values'],
    [fall, 0, 'mww("G", 1, 20, 6, 0.0001, decreasing)', 'detected anomaly, decreasing values'],
    [fall, B, 'mww("G", 1, 20, 6, 0.0001, increasing)', undefined],
    [fall, B, 'mww("G", 1, 20, 6, 0.0001, any)', 'detected anomaly'],
    [fall, B, 'mww_nonparametric("G", 1, 20, 6, 0.4)', 'detected anomaly, pstat: 0'],
    [fall, 0, 'mww_nonparametric("G", 1, 20, 6, 0.4)', 'detected anomaly, pstat: 0.1'],
    [fall, B, 'mww_nonparametric("G", 1, 20, 6, 0.6)', undefined],
    [step, B, 'mww_nonparametric("G", 1, 5, 10, 0.7)', 'detected anomaly, pstat: 1'],
    [step, 0, 'mww_nonparametric("G", 1, 5, 10, 0.7)', 'detected anomaly, pstat: 0.944444'],
    [noise, B, 'mww_nonparametric("G", 1, 5, 10, 0.51)', 'detected anomaly, pstat: 0.511111'],
    [noise, 0, 'mww_nonparametric("G", 1, 5, 10, 0.51)', 'detected anomaly, pstat: 0.522222'],
    [noise, B, 'mww_nonparametric("G", 1, 5, 10, 0.49)', undefined],
    [noise, B, 'mww_nonparametric("G", 1, 5, 10, 0.5)', undefined],
    [noise, B, 'mww_nonparametric("G", 1, 5, 1, 0.7)', undefined],
    [noise, B, 'mww("G", 1, 5, 0, 1, any)', undefined],
  ])('case %#', (values, start, config, reason) => {
    const found = detect((start + (values.length - 1) * 60) * S, 'G', graph(values, start), parse_config(config));
    expect(found?.[0].split(' msg: ')[1]).toBe(reason);
  });

  test('need windows that fit', () => {
    expect(() => detect(7200 * S, 'G', graph(fall, 0), parse_config('mww("G", 1, 20, 7, 0.0001, any)'))).toThrow(RangeError);
  });
});
