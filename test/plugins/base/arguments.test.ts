import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as alert from '../../../plugins/modules/alert.ts';
import * as annotation from '../../../plugins/modules/annotation.ts';
import { detect, parse_config } from '../../../plugins/modules/anomaly.ts';
import { AnyDate, epochTime } from '../../../plugins/modules/any_date.ts';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';
import { stringConfig } from '../../../plugins/modules/config.ts';
import { CountMinSketch } from '../../../plugins/modules/count_min.ts';
import { DatePattern } from '../../../plugins/modules/date_pattern.ts';
import { DateFormat } from '../../../plugins/modules/date_format.ts';
import { Drain } from '../../../plugins/modules/drain.ts';
import { injectBuffer, injectGraph, makeGraph } from '../../../plugins/modules/graph.ts';
import { HeavyHitters } from '../../../plugins/modules/heavy_hitters.ts';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';
import { Template } from '../../../plugins/modules/interpolate.ts';
import { flatten, numberText, parseObject } from '../../../plugins/modules/json.ts';
import { logWords } from '../../../plugins/modules/log_words.ts';
import { QuantileSketch } from '../../../plugins/modules/quantile_sketch.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';
import { nextTurn } from '../../../plugins/modules/turns.ts';
import { injectWeights, keyOf } from '../../../plugins/modules/weights.ts';

type Call = (...args: unknown[]) => unknown;

const utc = new WallClock('UTC');
const T0 = 1_614_949_679_250_000_000n;
const buffer = (): CircularBuffer => new CircularBuffer(10, 2, 60);
const tests = parse_config('roc("G", 1, 2, 0, 2, true, false)');
const drain = (): Drain => new Drain({ similarity: 0.5, prefix: 1, maxPatterns: 10 }, { patterns: [], next: 1 });
const callOf = (call: (...args: never[]) => unknown): Call => call as Call;

beforeEach(() => {
  globalThis._ANNOTATIONS = {};
  globalThis._LAST_ALERT = 0;
  globalThis._LAST_ALERTS = new Map();
  vi.stubGlobal('inject_payload', () => undefined);
});

describe('arguments at fault are told by function, place and value', () => {
  test.each<[string, Call, unknown[], string]>([
    ['send', callOf(alert.send), [undefined, 'a'], "#1 to 'send' (time in nanoseconds expected, not undefined)"],
    ['send', callOf(alert.send), ['x', 'a'], `#1 to 'send' (time in nanoseconds expected, not "x")`],
    ['send', callOf(alert.send), [NaN, 'a'], "#1 to 'send' (time in nanoseconds expected, not NaN)"],
    ['send', callOf(alert.send), [Infinity, 'a'], "#1 to 'send'"],
    ['send', callOf(alert.send), [undefined, null], "#1 to 'send'"],
    ['send', callOf(alert.send), [1, 5], "#2 to 'send' (string expected, not 5)"],
    ['send', callOf(alert.send), [1, {}], "#2 to 'send' (string expected, not an object)"],
    ['throttled', callOf(alert.throttled), [null], "#1 to 'throttled' (time in nanoseconds expected, not null)"],
    ['queue', callOf(alert.queue), ['1', 'a'], "#1 to 'queue'"],
    ['queue', callOf(alert.queue), [1, ['a']], "#2 to 'queue' (string expected, not a list)"],
    ['send', callOf(alert.send), [1, 'a', 5], "#3 to 'send' (string expected, not 5)"],
    ['throttled', callOf(alert.throttled), [1, {}], "#2 to 'throttled' (string expected, not an object)"],
    ['queue', callOf(alert.queue), [1, 'a', ['b']], "#3 to 'queue' (string expected, not a list)"],
    ['send_queue', callOf(alert.send_queue), [], "#1 to 'send_queue'"],
    ['set_throttle', callOf(alert.set_throttle), ['10'], `#1 to 'set_throttle' (duration in nanoseconds expected, not "10")`],
    ['set_throttle', callOf(alert.set_throttle), [NaN], "#1 to 'set_throttle'"],
    ['set_throttle', callOf(alert.set_throttle), [-5], "#1 to 'set_throttle' (duration in nanoseconds expected, not -5)"],
    ['set_throttle', callOf(alert.set_throttle), [-5n], 'not -5n'],
    ['create', callOf(annotation.create), [], "#1 to 'create'"],
    ['create', callOf(annotation.create), [1], "#2 to 'create' (integer of at least 1 expected, not undefined)"],
    ['create', callOf(annotation.create), [1, 0, 'A', 't'], "#2 to 'create'"],
    ['create', callOf(annotation.create), [1, 1.5, 'A', 't'], "#2 to 'create' (integer of at least 1 expected, not 1.5)"],
    ['create', callOf(annotation.create), [1, 1, 7, 't'], "#3 to 'create' (string expected, not 7)"],
    ['create', callOf(annotation.create), [1, 1, 'A'], "#4 to 'create'"],
    ['create', callOf(annotation.create), ['x', 1, 'A', 't'], "#1 to 'create'"],
    ['add', callOf(annotation.add), [1, 1, 1, 'A', 't'], "#1 to 'add'"],
    ['add', callOf(annotation.add), ['X', undefined, 1, 'A', 't'], "#2 to 'add'"],
    ['add', callOf(annotation.add), ['X', 1, '1', 'A', 't'], `#3 to 'add' (integer of at least 1 expected, not "1")`],
    ['concat', callOf(annotation.concat), ['X', undefined], "#2 to 'concat' (list expected, not undefined)"],
    ['concat', callOf(annotation.concat), ['X', [{ x: 'y' }]], "#2 to 'concat' (list of annotations expected"],
    ['prune', callOf(annotation.prune), ['X'], "#2 to 'prune'"],
    ['prune', callOf(annotation.prune), [undefined, 1], "#1 to 'prune'"],
    ['remove', callOf(annotation.remove), [], "#1 to 'remove'"],
    ['set_prune', callOf(annotation.set_prune), ['X', 'y'], "#2 to 'set_prune'"],
    ['set_prune', callOf(annotation.set_prune), ['X', -1], "#2 to 'set_prune'"],
    ['detect', callOf(detect), ['x', 'G', buffer(), tests], "#1 to 'detect'"],
    ['detect', callOf(detect), [1, 2, buffer(), tests], "#2 to 'detect'"],
    ['detect', callOf(detect), [1, 'G', {}, tests], "#3 to 'detect' (CircularBuffer expected, not an object)"],
    ['detect', callOf(detect), [1, 'G', buffer(), null], "#4 to 'detect' (result of parse_config expected, not null)"],
    ['parse_config', callOf(parse_config), [5], "#1 to 'parse_config'"],
    ['CircularBuffer.add', callOf((ns: number) => buffer().add(ns, 1, 1)), ['1', 1, 1], "#1 to 'add'"],
    [
      'CircularBuffer.set',
      callOf((ns: number, column: number, value: number) => buffer().set(ns, column, value)),
      [1, 1, 1n],
      "#3 to 'set' (number expected, not 1n)",
    ],
    [
      'CircularBuffer',
      callOf((rows: number) => new CircularBuffer(rows, 1, 1)),
      ['10', 1, 1],
      '#1 to \'CircularBuffer\' (integer of at least 2 expected, not "10")',
    ],
    ['epochTime', callOf(epochTime), ['1614949679'], "#1 to 'epochTime'"],
    [
      'AnyDate',
      callOf((now: () => number, clock: WallClock) => new AnyDate(now, clock)),
      [1, utc],
      "#1 to 'AnyDate' (function expected, not 1)",
    ],
    ['AnyDate', callOf((now: () => number, clock: WallClock) => new AnyDate(now, clock)), [() => 0, 'UTC'], "#2 to 'AnyDate'"],
    ['DatePattern', callOf((pattern: string) => new DatePattern(pattern, () => 0, utc)), [5], "#1 to 'DatePattern'"],
    ['DatePattern', callOf((now: () => number) => new DatePattern('yyyy', now, utc)), [1], "#2 to 'DatePattern'"],
    ['DatePattern', callOf((clock: WallClock) => new DatePattern('yyyy', () => 0, clock)), ['UTC'], "#3 to 'DatePattern'"],
    ['DatePattern.parse', callOf((text) => new DatePattern('yyyy', () => 0, utc).parse(text)), [5], "#1 to 'parse'"],
    ['AnyDate.parse', callOf((text) => new AnyDate(() => 0, utc).parse(text)), [5], "#1 to 'parse'"],
    ['WallClock', callOf((zone) => new WallClock(zone)), [5], "#1 to 'WallClock'"],
    ['WallClock.toUtc', callOf((ns) => utc.toUtc(ns)), ['5'], "#1 to 'toUtc'"],
    ['WallClock.fromUtc', callOf((ns) => utc.fromUtc(ns)), [undefined], "#1 to 'fromUtc'"],
    ['WallClock.ahead', callOf((ns) => utc.ahead(ns)), [null], "#1 to 'ahead'"],
    ['stringConfig', callOf(stringConfig), [5], "#1 to 'read_config'"],
    ['CountMinSketch.add', callOf((value) => new CountMinSketch().add(value)), [5], "#1 to 'add'"],
    ['DateFormat', callOf((format) => new DateFormat(format)), [undefined], "#1 to 'DateFormat'"],
    ['DateFormat.text', callOf((seconds) => new DateFormat('%s').text(seconds)), [1n], "#1 to 'text'"],
    ['Drain', callOf((options) => new Drain(options, { patterns: [], next: 1 })), [undefined], "#1 to 'Drain'"],
    ['Drain.add', callOf((time) => drain().add(['a'], 'a', time)), [undefined], "#3 to 'add'"],
    ['Drain.add', callOf((words) => drain().add(words, 'a', 1)), ['a'], "#1 to 'add' (list expected"],
    ['makeGraph', callOf((title) => makeGraph(title, 10, 60, [['a']])), [5], "#1 to 'makeGraph'"],
    ['makeGraph', callOf((rows) => makeGraph('t', rows, 60, [['a']])), [NaN], 'integer of at least 2 expected, not NaN'],
    ['injectGraph', callOf((ns) => injectGraph(ns, 't', buffer(), null)), ['x'], "#1 to 'injectGraph'"],
    ['injectBuffer', callOf((graph) => injectBuffer('t', graph)), [{}], "#2 to 'injectBuffer'"],
    ['HeavyHitters', callOf((capacity) => new HeavyHitters(capacity)), [0], "#1 to 'HeavyHitters' (integer of at least 1 expected, not 0)"],
    ['HeavyHitters.add', callOf((value) => new HeavyHitters(1).add(value)), [null], "#1 to 'add'"],
    ['HyperLogLog.add', callOf((value) => new HyperLogLog().add(value)), [true], "#1 to 'add' (text, number or bytes expected, not true)"],
    ['Template', callOf((text) => new Template(text)), [null], "#1 to 'Template'"],
    ['Template.text', callOf((seconds) => new Template('x').text(seconds)), ['x'], "#1 to 'text'"],
    ['parseObject', callOf(parseObject), [{}], "#1 to 'parseObject'"],
    ['numberText', callOf(numberText), ['{}', 'a', '1'], "#3 to 'numberText'"],
    ['flatten', callOf(flatten), [[], () => undefined], "#1 to 'flatten'"],
    ['flatten', callOf(flatten), [{}, 1], "#2 to 'flatten'"],
    ['logWords', callOf(logWords), [5], "#1 to 'logWords'"],
    ['QuantileSketch.add', callOf((value) => new QuantileSketch().add(value)), ['5'], "#1 to 'add'"],
    ['QuantileSketch.percentile', callOf((value) => new QuantileSketch().percentile(value)), ['5'], "#1 to 'percentile'"],
    ['QuantileSketch.percentile', callOf((value) => new QuantileSketch().percentile(value)), [NaN], "#1 to 'percentile'"],
    [
      'QuantileSketch.merge',
      callOf((other) => new QuantileSketch().merge(other)),
      [null],
      "#1 to 'merge' (QuantileSketch expected, not null)",
    ],
    ['HeavyHitters.merge', callOf((other) => new HeavyHitters(1).merge(other)), [[]], "#1 to 'merge' (HeavyHitters expected, not a list)"],
    ['HyperLogLog.merge', callOf((other) => new HyperLogLog().merge(other)), [{}], "#1 to 'merge' (HyperLogLog expected, not an object)"],
    [
      'CountMinSketch.merge',
      callOf((other) => new CountMinSketch().merge(other)),
      [],
      "#1 to 'merge' (CountMinSketch expected, not undefined)",
    ],
    ['nextTurn', callOf(nextTurn), ['abc', 1], "#1 to 'nextTurn'"],
    ['nextTurn', callOf(nextTurn), [[1, 2], 0], "#2 to 'nextTurn'"],
    ['keyOf', callOf(keyOf), [5], "#1 to 'keyOf'"],
    ['injectWeights', callOf(injectWeights), [5, 'h', []], "#1 to 'injectWeights'"],
  ])('%s %#', (_, call, args, message) => {
    expect(() => call(...args)).toThrow(message);
  });
});

test('arguments at fault change nothing', () => {
  const { create } = annotation;
  expect(() => callOf(annotation.concat)('X', [create(1, 1, 'A', 't'), 7])).toThrow(RangeError);
  expect(() => callOf(annotation.set_prune)('Y', 'z')).toThrow(RangeError);
  expect(globalThis._ANNOTATIONS).toEqual({});
  expect(() => callOf(alert.set_throttle)('10')).toThrow(RangeError);
  expect(alert.send(T0, 'a')).toBe(true);
  expect(alert.send(T0 + 1n, 'b')).toBe(false);
});

describe('times are numbers or BigInts', () => {
  test('of alerts', () => {
    expect(alert.send(T0, 'a')).toBe(true);
    expect(alert.throttled(Number(T0))).toBe(true);
    expect(alert.throttled(0n)).toBe(false);
    alert.set_throttle(1_000_000_000n);
    expect(alert.queue(T0 + 2_000_000_000n, 'b')).toBe(true);
    expect(alert.send_queue(T0 + 2_000_000_000n)).toBe(true);
    alert.set_throttle(3600e9);
  });

  test('of annotations, whose milliseconds are exact', () => {
    expect(annotation.create(T0, 1, 'A', 't').x).toBe(1614949679250);
    expect(annotation.create(Number(T0), 1, 'A', 't').x).toBe(1614949679250);
    expect(annotation.create(T0 - 1n, 1, 'A', 't').x).toBe(1614949679249);
    for (let ms = 0; ms < 1000; ms++) {
      const ns = 1_614_949_679_000_000_000n + BigInt(ms) * 1_000_000n;
      expect(annotation.create(Number(ns), 1, 'A', 't').x).toBe(1614949679000 + ms);
    }
    annotation.set_prune('X', 10n);
    annotation.add('X', T0, 1, 'A', 't');
    expect(annotation.prune('X', T0 + 20n)).toBe('{"annotations":[]}\n');
  });

  test('of graphs', () => {
    const [one, other] = [buffer(), buffer()];
    one.add(T0, 1, 5);
    other.add(Number(T0), 1, 5);
    expect(one.toPayload()).toBe(other.toPayload());
    expect(one.get(T0, 1)).toBe(5);
    expect(one.set(T0, 2, 7)).toBe(7);
    const oldest = BigInt(one.current_time()) - 540_000_000_000n;
    expect(one.get_range(1, oldest, T0)).toEqual(other.get_range(1));
    expect(one.compute('sum', 1, oldest, T0)).toEqual([5, 1]);
    expect(one.mannwhitneyu(1, T0, T0, oldest, oldest)).toEqual(
      other.mannwhitneyu(1, Number(T0), Number(T0), Number(oldest), Number(oldest)),
    );
  });

  test('of anomaly tests and patterns', () => {
    expect(detect(T0, 'G', buffer(), parse_config('roc("G", 1, 2, 0, 2, true, false)'))).toBeNull();
    expect(drain().add(['a'], 'a', T0).first).toBe(Number(T0));
    expect(epochTime(1_614_949_679n)).toBe(1_614_949_679_000_000_000n);
    expect(epochTime(T0 + 1n)).toBe(T0 + 1n);
    expect(new WallClock('+01:00').toUtc(T0)).toBe(T0 - 3_600_000_000_000n);
    expect(new WallClock('+01:00').fromUtc(T0)).toBe(T0 + 3_600_000_000_000n);
  });
});
