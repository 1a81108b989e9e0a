import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as AlertModule from '../../../plugins/modules/alert.ts';
import { add, concat, create, prune, remove, set_prune } from '../../../plugins/modules/annotation.ts';
import { detect, parse_config } from '../../../plugins/modules/anomaly.ts';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';

const S = 1e9;

describe('configurations', () => {
  test('by graph, in order', () => {
    const { tests } = parse_config('roc("A",1,12,0,2.5,true,false)mww("B",1,2,3,0.01,any)\n roc("A",2,12,0,2.5,false,true)');
    expect(tests.get('A')).toEqual([
      { algorithm: 'roc', col: 1, win: 12, hwin: 0, sd: 2.5, loss_of_data: true, start_of_data: false },
      { algorithm: 'roc', col: 2, win: 12, hwin: 0, sd: 2.5, loss_of_data: false, start_of_data: true },
    ]);
    expect(tests.get('B')).toEqual([{ algorithm: 'mww', col: 1, win: 2, nwin: 3, pvalue: 0.01, trend: 'any' }]);
  });

  test('quotes in names are doubled', () => {
    const { tests } = parse_config('  mww_nonparametric("A ""q"", (x)\n",\t1, 5, 010, 0.7)');
    expect([...tests]).toEqual([['A "q", (x)\n', [{ algorithm: 'mww_nonparametric', col: 1, win: 5, nwin: 10, pstat: 0.7 }]]]);
  });

  test('white space is of any kind, and numbers may begin with zeros', () => {
    const { tests } = parse_config('\f\vroc("""",\f01,\v012,\r00,\n02.50,\ttrue, false)mww("B",1,2,3,5,any)');
    expect(tests.get('"')).toEqual([{ algorithm: 'roc', col: 1, win: 12, hwin: 0, sd: 2.5, loss_of_data: true, start_of_data: false }]);
    expect(tests.get('B')?.[0]).toMatchObject({ pvalue: 5 });
  });

  test('of nothing are nothing', () => {
    expect(parse_config(null)).toBeNull();
    expect(parse_config(undefined)).toBeNull();
  });

  test.each([
    '',
    ' ',
    'bogus',
    'mww_nonparametric("A",1,5,10,1)',
    'mww_nonparametric("A",1,5,10,00.5)',
    'roc("A", 1, 12, 0, 2.5, true)',
    'roc("A" ,1,12,0,1,true,false)',
    'roc( "A",1,12,0,1,true,false)',
    'roc("",1,12,0,1,true,false)',
    "roc('A',1,12,0,1,true,false)",
    'roc("A",1,12,0,-1,true,false)',
    'roc("A",1,12,0,1.,true,false)',
    'roc("A",1,12,0,1,true,false) ',
    'roc("A",1,12,0,1,true,false),roc("A",1,12,0,1,true,false)',
    'mww("B",1,2,3,.01,any)',
    'mww("B",1,2,3,1,ANY)',
    'roc("A",1,12,0,1,TRUE,false)',
    'roc("A"",1,12,0,1,true,false)',
    'roc ("A",1,12,0,1,true,false)',
    'roc("A",1.5,12,0,1,true,false)',
    'roc("A",1,12,0,1,true,false )',
    'mww("A",1,2,3,1e-5,any)',
    'mww_nonparametric("A",1,2,3,0.)',
    'mww_nonparametric("A",1,2,3,00.5)',
    '\u00a0roc("A",1,12,0,1,true,false)',
  ])('%j is none', (text) => {
    expect(() => parse_config(text)).toThrow(/^anomaly_config: .* expected at character \d+ of: /);
  });
});

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

describe('annotations', () => {
  beforeEach(() => {
    globalThis._ANNOTATIONS = {};
  });

  test('live for a while', () => {
    add('X', 5000999999, 2, 'A', 't');
    set_prune('X', 10 * S);
    expect(prune('X', 14 * S)).toBe('{"annotations":[{"x":5000,"col":2,"shortText":"A","text":"t"}]}\n');
    expect(prune('X', 15 * S)).toBe('{"annotations":[]}\n');
    expect(prune('none', 1)).toBe('{"annotations":[]}\n');
    expect(prune('toString', 1)).toBe('{"annotations":[]}\n');
  });

  test('live for a day unless said otherwise', () => {
    concat('X', [create(0, 1, 'A', 'a'), create(S, 1, 'B', 'b')]);
    expect(JSON.parse(prune('X', 86_400 * S))).toEqual({ annotations: [{ x: 1000, col: 1, shortText: 'B', text: 'b' }] });
    remove('X');
    expect(prune('X', 0)).toBe('{"annotations":[]}\n');
  });

  test('are kept by any name', () => {
    globalThis._ANNOTATIONS = Object.create(null) as typeof _ANNOTATIONS;
    for (const name of ['__proto__', 'constructor', '']) {
      add(name, S, 1, 'A', name);
      expect(prune(name, S)).toBe(`{"annotations":[{"x":1000,"col":1,"shortText":"A","text":"${name}"}]}\n`);
    }
  });

  test('are not kept without end', () => {
    for (let i = 0; i < 400; i++) add('X', i * S, 1, 'A', 't');
    const { annotations } = JSON.parse(prune('X', 0)) as { annotations: { x: number }[] };
    expect(annotations.map(({ x }) => x)).toEqual(Array.from({ length: 300 }, (_, i) => (i + 100) * 1000));
  });
});

describe('alerts', () => {
  const T0 = 1_400_000_000 * S;

  /** A fresh module, and what it injects. */
  async function alerts(): Promise<{ alert: typeof AlertModule; sent: unknown[][] }> {
    const sent: unknown[][] = [];
    vi.stubGlobal('inject_payload', (...args: unknown[]) => sent.push(args));
    const file = `../../../plugins/modules/alert.ts?${randomUUID()}`;
    return { alert: (await import(file)) as typeof AlertModule, sent };
  }

  test('one an hour', async () => {
    const { alert, sent } = await alerts();
    expect(alert.send(T0, 'a')).toBe(true);
    expect(alert.send(T0 + 3600 * S, 'b')).toBe(false);
    expect(alert.send(T0 + 3600.001 * S, 'c')).toBe(true);
    expect(alert.send(0, 'd')).toBe(true);
    expect(globalThis._LAST_ALERT).toBe(T0 + 3600.001 * S);
    expect(alert.send(T0, 'older')).toBe(false);
    expect(alert.queue(T0 + 7200 * S, 'e')).toBe(false);
    expect([alert.queue(T0 + 8000 * S, 'f'), alert.queue(T0 + 8000 * S, 'g'), alert.send_queue(T0 + 8000 * S)]).toEqual([true, true, true]);
    expect(alert.send_queue(T0 + 20_000 * S)).toBe(false);
    expect([alert.send(T0 + 20_000 * S, ''), alert.send(T0 + 20_000 * S, null), alert.queue(T0 + 20_000 * S, undefined)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(sent).toEqual(['a', 'c', 'd', 'f\ng'].map((text) => ['alert', '', text]));
  });

  test('a throttled queue is lost', async () => {
    const { alert, sent } = await alerts();
    alert.set_throttle(0);
    expect(alert.queue(T0, 'a')).toBe(true);
    expect(alert.send(T0, 'b')).toBe(true);
    expect([alert.throttled(T0), alert.throttled(T0 + 256), alert.throttled(0)]).toEqual([true, false, false]);
    expect(alert.send_queue(T0)).toBe(false);
    expect(alert.send_queue(T0 + S)).toBe(false);
    expect(sent).toEqual([['alert', '', 'b']]);
  });

  test('too many in the queue', async () => {
    const { alert, sent } = await alerts();
    for (let i = 0; i < 2000; i++) alert.queue(0, `${i} ${'x'.repeat(95)}`);
    expect(alert.send_queue(0)).toBe(true);
    const lines = String(sent[0]?.[2]).split('\n');
    expect([lines.length > 500, lines.length < 620, lines[0]?.slice(0, 3)]).toEqual([true, true, '0 x']);
    alert.queue(0, 'x'.repeat(70_000));
    expect(alert.send_queue(0)).toBe(false);
  });

  test('of a kind are throttled by themselves', async () => {
    const { alert, sent } = await alerts();
    expect([alert.send(T0, 'a', 'A'), alert.send(T0 + S, 'again', 'A'), alert.send(T0 + S, 'b', 'B')]).toEqual([true, false, true]);
    expect([alert.throttled(T0 + 3600 * S, 'A'), alert.throttled(T0 + 3600 * S + 256, 'A')]).toEqual([true, false]);
    expect([alert.throttled(T0 + S, 'C'), alert.throttled(T0 + S)]).toEqual([false, false]);
    expect(globalThis._LAST_ALERT).toBe(0);
    expect([alert.send(T0 + 2 * S, 'plain'), alert.send(T0 + 2 * S, 'c', 'C'), alert.send(T0 + 3 * S, 'plain')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([alert.send(0, 'any', 'A'), alert.send(T0, 'older', 'C'), alert.send(T0, '', 'D')]).toEqual([true, false, false]);
    expect([alert.send(T0 + 4 * S, 'no name', ''), alert.send(T0 + 5 * S, 'no name', '')]).toEqual([true, false]);
    expect([alert.send(T0 + 4 * S, 'plain', null), alert.throttled(T0 + 4 * S, undefined)]).toEqual([false, true]);
    expect(sent.map(([, , text]) => text)).toEqual(['a', 'b', 'plain', 'c', 'any', 'no name']);
  });

  test('of several kinds are sent together', async () => {
    const { alert, sent } = await alerts();
    expect([alert.queue(T0, 'a', 'A'), alert.queue(T0, 'b', 'B'), alert.send_queue(T0)]).toEqual([true, true, true]);
    expect([alert.queue(T0 + S, 'a', 'A'), alert.queue(T0 + S, 'c', 'C'), alert.queue(T0 + S, 'plain')]).toEqual([false, true, true]);
    expect([alert.send_queue(T0 + S), globalThis._LAST_ALERT]).toEqual([true, T0 + S]);
    expect([alert.throttled(T0 + S, 'A'), alert.throttled(T0 + S, 'B'), alert.throttled(T0 + S, 'C')]).toEqual([true, true, true]);
    // An alert that was sent after another was queued holds back only alerts of its own kind.
    expect([alert.queue(T0 + 4000 * S, 'a', 'A'), alert.queue(T0 + 4000 * S, 'b', 'B'), alert.send(T0 + 4000 * S, 'first', 'A')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([alert.send_queue(T0 + 4001 * S), alert.send_queue(T0 + 9000 * S)]).toEqual([true, false]);
    expect(sent.map(([, , text]) => text)).toEqual(['a\nb', 'c\nplain', 'first', 'b']);
  });

  test('that find no room among the others of a queue are not throttled', async () => {
    const { alert, sent } = await alerts();
    for (const kind of ['A', 'B', 'C']) alert.queue(T0, kind.repeat(25_000), kind);
    expect(alert.send_queue(T0)).toBe(true);
    expect(String(sent[0]?.[2])).toHaveLength(50_001);
    expect(['A', 'B', 'C'].map((kind) => alert.throttled(T0, kind))).toEqual([true, true, false]);
  });

  test('of very many kinds leave the times of the newest', async () => {
    const { alert } = await alerts();
    for (let i = 0; i < 1500; i++) alert.send(T0 + (i === 0 ? 5000 : i) * S, 'x', `kind ${i}`);
    expect(globalThis._LAST_ALERTS.size).toBe(1000);
    expect([0, 500, 501, 1499].map((i) => alert.throttled(T0 + 5000 * S, `kind ${i}`))).toEqual([true, false, false, true]);
    expect([...globalThis._LAST_ALERTS.keys()]).not.toContain('kind 500');
    expect([...globalThis._LAST_ALERTS.keys()]).toContain('kind 501');
  });

  test('near 1970 are throttled', async () => {
    const { alert } = await alerts();
    expect([alert.send(3600 * S, 'a'), alert.send(3601 * S, 'a')]).toEqual([false, true]);
  });
});
