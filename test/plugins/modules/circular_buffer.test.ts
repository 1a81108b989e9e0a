import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CircularBuffer } from '../../../plugins/modules/circular_buffer.ts';
import { mannWhitneyU, normalTail } from '../../../plugins/base/statistics.ts';

const S = 1e9;

function body(buffer: CircularBuffer): string {
  return buffer.toPayload().split('\n').slice(1).join('\n');
}

test('a fresh buffer', () => {
  expect(new CircularBuffer(3, 2, 60).toPayload()).toBe(
    '{"time":0,"rows":3,"columns":2,"seconds_per_row":60,"column_info":[{"name":"Column_1","unit":"count","aggregation":"sum"},' +
      '{"name":"Column_2","unit":"count","aggregation":"sum"}]}\nnan\tnan\nnan\tnan\nnan\tnan\n',
  );
});

test.each([
  [true, '0\t1\n'],
  [1, '0\t1\n'],
  [0, ''],
  [null, ''],
])('deltas by the truth of the fourth argument: %j', (enabled, expected) => {
  const buffer = new CircularBuffer(2, 1, 1, enabled as boolean);
  buffer.add(0, 1, 1);
  expect(body(buffer.format('cbufd'))).toBe(expected);
});

/** Rows 120 to 240 of a buffer that was filled from 0 on. */
function filled(): CircularBuffer {
  const buffer = new CircularBuffer(3, 2, 60);
  expect(buffer.add(59 * S, 1, 2)).toBe(2);
  expect(buffer.add(60 * S, 1, 1.25)).toBe(1.25);
  expect(buffer.add(240 * S, 1, 7)).toBe(7);
  expect(buffer.add(60 * S, 1, 1)).toBeNull();
  expect(buffer.add(120 * S, 1, 1)).toBe(1);
  return buffer;
}

test.each<[method: string, work: (buffer: CircularBuffer) => unknown]>([
  ['add', (buffer) => buffer.add(0, 1.5, 1)],
  ['set', (buffer) => buffer.set(0, 1.5, 1)],
  ['get', (buffer) => buffer.get(0, 1.5)],
  ['get_range', (buffer) => buffer.get_range(1.5)],
  ['compute', (buffer) => buffer.compute('sum', 1.5)],
  ['set_header', (buffer) => buffer.set_header(1.5, 'a')],
])('%s refuses a column of 1.5', (method, work) => {
  expect(() => work(new CircularBuffer(3, 2, 60))).toThrow(
    new RegExp(`^bad argument #\\d to '${method}' \\(column 1.5 is not a whole number\\)$`),
  );
});

test('the window moves on', () => {
  const buffer = filled();
  expect(buffer.get(0, 1)).toBeNull();
  expect(buffer.get(300 * S, 1)).toBeNull();
  expect(buffer.get(180 * S, 1)).toBeNaN();
  expect(buffer.current_time()).toBe(240 * S);
  expect(body(buffer)).toBe('1\tnan\nnan\tnan\n7\tnan\n');
  expect(buffer.get_range(1)).toEqual([1, NaN, 7]);
  expect(buffer.get_range(1, 0, 180 * S)).toBeNull();
  expect(buffer.toSavedText()).toBe('240 1 nan nan 7 nan 1 nan');
});

test.each([
  [
    ['sum', 1],
    [8, 2],
  ],
  [
    ['avg', 1],
    [4, 2],
  ],
  [
    ['sd', 1],
    [3, 2],
  ],
  [
    ['variance', 1],
    [9, 2],
  ],
  [
    ['min', 1],
    [1, 2],
  ],
  [
    ['max', 1],
    [7, 2],
  ],
  [
    ['sum', 1, 120 * S, 180 * S],
    [1, 1],
  ],
  [
    ['sum', 1, 0, 180 * S],
    [null, 0],
  ],
  [
    ['sum', 2],
    [0, 0],
  ],
  [
    ['avg', 2],
    [NaN, 0],
  ],
] as [Parameters<CircularBuffer['compute']>, [number | null, number]][])('compute %j', (args, expected) => {
  expect(filled().compute(...args)).toEqual(expected);
});

test('what is left out, or null, has its default', () => {
  const buffer = new CircularBuffer(5, 1, 1);
  for (let row = 1; row <= 4; row++) buffer.set(row * S, 1, row);
  expect([buffer.compute('sum', 1, 3 * S), buffer.compute('sum', 1, null, 2 * S), buffer.compute('avg', 1, 3 * S, null)]).toEqual([
    [7, 2],
    [3, 2],
    [3.5, 2],
  ]);
  expect(buffer.get_range(1, 3 * S, null)).toEqual([3, 4]);
  buffer.set_header(1, 'x', 's', 'max');
  buffer.set_header(1, 'x', null, null);
  expect(buffer.get_header(1)).toEqual(['x', 'count', 'sum']);
});

test('numbers in the text', () => {
  const buffer = new CircularBuffer(2, 4, 1);
  for (const [i, value] of [Infinity, -Infinity, 1e10, 1 / 3].entries()) buffer.set(0, i + 1, value);
  for (const [i, value] of [-0, -1e-9, 2147483647.5, 123456789012345680000].entries()) buffer.set(S, i + 1, value);
  expect(body(buffer)).toBe('inf\t-inf\t10000000000\t0.33333333\n0\t-0\t2147483647.5\t1.2345678901234568e+20\n');
});

test('values that are not numbers move the window, and sums with infinities', () => {
  const buffer = new CircularBuffer(2, 1, 1);
  expect([buffer.set(3 * S, 1, NaN), buffer.current_time(), buffer.add(4 * S, 1, NaN), buffer.current_time()]).toEqual([
    NaN,
    3 * S,
    NaN,
    4 * S,
  ]);
  expect([buffer.set(4 * S, 1, Infinity), buffer.add(4 * S, 1, -Infinity), buffer.add(4 * S, 1, 1)]).toEqual([Infinity, NaN, 1]);
});

test('the maximum of values that are not positive', () => {
  const buffer = new CircularBuffer(3, 1, 1);
  buffer.set(0, 1, -5);
  buffer.set(S, 1, -3);
  expect(buffer.compute('max', 1)).toEqual([-3, 2]);
});

test('a time just before 1970 is in row 0', () => {
  const buffer = new CircularBuffer(3, 1, 60);
  expect(buffer.add(-S, 1, 1)).toBe(1);
  expect(buffer.add(-60 * S, 1, 1)).toBeNull();
});

describe('aggregation', () => {
  test('of set', () => {
    const buffer = new CircularBuffer(3, 4, 60);
    for (const [i, aggregation] of (['min', 'max', 'none', 'sum'] as const).entries()) buffer.set_header(i + 1, 'x', 'ms', aggregation);
    const set = (column: number, ...values: number[]): unknown[] => values.map((value) => buffer.set(0, column, value));
    expect(set(1, 9, 4, 6)).toEqual([9, 4, 4]);
    expect(buffer.add(0, 1, 1)).toBe(5);
    expect(set(1, 4.5, NaN)).toEqual([4.5, 4.5]);
    expect(set(2, 1, 8, 3)).toEqual([1, 8, 8]);
    expect(set(3, 3, 10, NaN)).toEqual([3, 10, NaN]);
    expect(set(4, 3, 2)).toEqual([3, 2]);
  });

  test('of deltas', () => {
    const buffer = new CircularBuffer(3, 4, 60, true);
    for (const [i, aggregation] of (['sum', 'min', 'max', 'none'] as const).entries()) buffer.set_header(i + 1, 'x', 'ms', aggregation);
    for (const value of [5, 3]) buffer.add(0, 1, value);
    for (const value of [9, 4, 6]) buffer.set(0, 2, value);
    for (const value of [1, 8]) buffer.set(0, 3, value);
    for (const value of [3, 10]) buffer.set(0, 4, value);
    for (const value of [5, 2]) buffer.set(60 * S, 1, value);
    expect(body(buffer)).toBe('8\t4\t8\t10\n2\tnan\tnan\tnan\nnan\tnan\tnan\tnan\n');
    expect(body(buffer.format('cbufd'))).toBe('0\t8\t4\t8\t10\n60\t2\tnan\tnan\tnan\n');
    expect(buffer.toPayload()).toBe('');
    for (const [set, value] of [
      [true, 5],
      [false, -1],
      [true, 8],
    ] as const)
      buffer[set ? 'set' : 'add'](0, 1, value);
    expect(body(buffer)).toBe('0\t0\tnan\tnan\tnan\n');
    buffer.add(0, 1, 0);
    expect(buffer.toPayload()).toBe('');
  });

  test('of deltas of what is added: only those of sums add up', () => {
    const buffer = new CircularBuffer(2, 4, 1, true).format('cbufd');
    for (const [i, aggregation] of (['sum', 'min', 'max', 'none'] as const).entries()) buffer.set_header(i + 1, 'x', 'ms', aggregation);
    const outputs = [[5], [3, 2], [0, -4]].map((values) => {
      for (const value of values) for (const column of [1, 2, 3, 4]) buffer.add(0, column, value);
      return body(buffer);
    });
    expect(outputs).toEqual(['0\t5\t5\t5\t5\n', '0\t5\t10\t10\t10\n', '0\t-4\t6\t6\t6\n']);
  });

  test('of deltas that are not numbers, and of a buffer without any', () => {
    const buffer = new CircularBuffer(3, 1, 1, true).format('cbufd');
    buffer.add(0, 1, NaN);
    buffer.set(S, 1, 2);
    buffer.set(S, 1, NaN);
    expect(body(buffer)).toBe('0\tnan\n1\tnan\n');
    const plain = new CircularBuffer(3, 1, 1).format('cbufd');
    plain.add(0, 1, 1);
    expect(plain.toPayload()).toBe('');
    expect(plain.format('cbuf').toPayload()).toMatch(/\n1\nnan\nnan\n$/);
  });

  test('of deltas between two outputs', () => {
    const buffer = new CircularBuffer(2, 2, 1, true).format('cbufd');
    buffer.set_header(2, 'Min', 'count', 'min');
    const outputs = [3, 5].map((value) => {
      for (const column of [1, 2]) buffer.set(0, column, value);
      return body(buffer);
    });
    for (const column of [1, 2]) buffer.add(0, column, 3);
    expect([...outputs, body(buffer)]).toEqual(['0\t3\t3\n', '0\t2\tnan\n', '0\t3\t6\n']);
  });

  test('of deltas whose row has left', () => {
    const buffer = new CircularBuffer(2, 1, 60, true);
    buffer.add(0, 1, 1);
    buffer.add(600 * S, 1, 2);
    expect(body(buffer.format('cbufd'))).toBe('0\t1\n600\t2\n');
  });
});

describe('times that are none', () => {
  const far = [NaN, Infinity, -Infinity, 1e300, -1e300, 2 ** 54 * 1e9];
  test.each(far)('%s is outside', (ns) => {
    const buffer = new CircularBuffer(3, 1, 60, true);
    buffer.add(60 * S, 1, 7);
    expect([buffer.add(ns, 1, 1), buffer.set(ns, 1, 1), buffer.get(ns, 1)]).toEqual([null, null, null]);
    expect(buffer.compute('sum', 1, ns > 0 ? 0 : ns, ns > 0 ? ns : 60 * S)).toEqual([null, 0]);
    expect(body(buffer)).toBe('nan\n7\nnan\n');
  });

  test('the latest that there is moves the window', () => {
    const buffer = new CircularBuffer(3, 1, 60);
    expect(buffer.add(9e24, 1, 1)).toBe(1);
    expect(buffer.toPayload()).toBe(
      '{"time":8999999999999880,"rows":3,"columns":1,"seconds_per_row":60,"column_info":[{"name":"Column_1","unit":"count","aggregation":"sum"}]}\n' +
        'nan\nnan\n1\n',
    );
    expect(buffer.get_range(1)).toEqual([NaN, NaN, 1]);
  });
});

describe('very many deltas', () => {
  test('are output in parts', () => {
    const buffer = new CircularBuffer(9000, 1, 1, true).format('cbufd');
    for (let row = 0; row < 9000; row++) buffer.add(row * S, 1, 0.125);
    const parts: string[] = [];
    for (let text = buffer.toPayload(); text !== ''; text = buffer.toPayload()) parts.push(text);
    expect(parts.length).toBe(2);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(60_000);
    const rows = parts.flatMap((part) => part.split('\n').slice(1, -1));
    expect(rows).toEqual(Array.from({ length: 9000 }, (_, row) => `${row}\t0.125`));
  });

  test('are not kept for ever', () => {
    const buffer = new CircularBuffer(2, 1, 1, true).format('cbufd');
    for (let row = 0; row < 1500; row++) buffer.add(row * S, 1, 1);
    expect(body(buffer).split('\n').slice(0, -1)).toEqual(Array.from({ length: 1000 }, (_, i) => `${i + 500}\t1`));
  });
});

test.each([
  [
    ['Requests per second!', 'req/s per host'],
    ['Requests_per_se', 'req/s_p', 'sum'],
  ],
  [['5 min'], ['5_min', 'count', 'sum']],
  [
    ['Größe', 'B', 'max'],
    ['Gr____e', 'B', 'max'],
  ],
  [
    ['', '*', 'none'],
    ['', '*', 'none'],
  ],
] as const)('the header %j', ([name, unit, aggregation], expected) => {
  const buffer = new CircularBuffer(2, 1, 1);
  buffer.set_header(1, 'a longer name', 'x', 'min');
  expect(buffer.set_header(1, name, unit, aggregation)).toBe(1);
  expect(buffer.get_header(1)).toEqual(expected);
});

describe('the rank test', () => {
  const buffer = new CircularBuffer(41, 2, 1);
  for (let row = 1; row <= 40; row++) buffer.set(row * S, 1, row);
  const test1 = (...rows: [number, number, number, number, boolean?]): unknown => {
    const [a, b, c, d, continuity] = rows;
    return buffer.mannwhitneyu(1, a * S, b * S, c * S, d * S, continuity);
  };

  test('of samples apart', () => {
    expect(test1(1, 20, 21, 40)).toEqual([0, expect.closeTo(3.3978076e-8, 14)]);
    expect(test1(21, 40, 1, 20)).toEqual([400, expect.closeTo(3.3978076e-8, 14)]);
    expect(test1(1, 20, 21, 40, false)).toEqual([0, expect.closeTo(3.1509241e-8, 14)]);
  });

  test('of nothing', () => {
    expect(buffer.mannwhitneyu(2, S, 20 * S, 21 * S, 40 * S)).toBeNull();
    expect(test1(1, 20, 41, 60)).toBeNull();
  });

  test('with ties', () => {
    const value = (i: number): number => (7 * i) % 11;
    const low = Array.from({ length: 20 }, (_, i) => 60 + value(i + 100));
    const high = Array.from({ length: 20 }, (_, i) => 100 + value(i));
    expect(mannWhitneyU(low, high, true)).toEqual({ u: 0, p: expect.closeTo(3.3125e-8, 10) as number });
  });

  test('gives U of both sides', () => {
    const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const [ab, ba] = [mannWhitneyU(a, b, true), mannWhitneyU(b, a, true)];
        const wins = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0))).reduce((sum: number, win) => sum + win, 0);
        if (ab !== null) expect([ab.u, ba?.u, ba?.p]).toEqual([wins, a.length * b.length - wins, expect.closeTo(ab.p, 12)]);
        else expect(new Set([...a, ...b]).size).toBe(1);
      }),
    );
  });
});

test.each([
  [0, 0.5],
  [1.959963984540054, 0.025],
  [3, 1.3498980316300957e-3],
  [10, 7.619853024160593e-24],
])('the tail of the normal distribution beyond %s', (z, p) => {
  expect(Math.abs(normalTail(z) - p) / p).toBeLessThan(1e-12);
});

describe('saved state', () => {
  test('restores cells, headers and deltas', () => {
    const buffer = new CircularBuffer(4, 2, 10, true);
    buffer.set_header(2, 'b', 's', 'max');
    for (const [time, value] of [
      [5, 1],
      [77, 2],
      [81, 3],
    ] as const)
      buffer.add(time * S, 1, value);
    buffer.set(60 * S, 2, -0.1);
    const copy = CircularBuffer.fromSaved(structuredClone(buffer.toSaved()));
    expect(copy.toPayload()).toBe(buffer.toPayload());
    expect(copy.format('cbufd').toPayload()).toBe(buffer.format('cbufd').toPayload());
    expect(copy.add(99 * S, 1, 1)).toBe(1);
  });

  test.each([
    ['240 1 1 2 3', '3 values, 6 expected'],
    ['240 1 1 2 3 4 5 6 7', '7 values, at most 6 expected'],
    ['240 1 1 2 3 4 5 x', 'x is not a number'],
    ['nan 1 1 2 3 4 5 6', 'a time and a row expected'],
    ['240 inf 1 2 3 4 5 6', 'a time and a row expected'],
    ['240.5 1 1 2 3 4 5 6', 'a time and a row expected'],
    ['', 'a time and a row expected'],
  ])('refuses %s', (text, reason) => {
    expect(() => new CircularBuffer(3, 2, 60).fromstring(text)).toThrow(reason);
  });

  test('refuses an incomplete row of deltas', () => {
    expect(() => new CircularBuffer(2, 2, 60, true).fromstring('60 1 1 2 3 4 60 1')).toThrow('an incomplete row of deltas');
    expect(() => new CircularBuffer(2, 2, 60, true).fromstring('60 1 1 2 3 4 nan 1 2')).toThrow('deltas without a time');
    new CircularBuffer(2, 2, 60, true).fromstring('60 1 1 2 3 4 60 1 nan');
  });

  test('of a window that begins before 1970', () => {
    const buffer = new CircularBuffer(3, 1, 60);
    buffer.fromstring('0 0 1 2 3');
    expect(body(buffer)).toBe('2\n3\n1\n');
    expect([buffer.get(0, 1), buffer.get(-60 * S, 1), buffer.add(60 * S, 1, 4)]).toEqual([1, 3, 4]);
    expect(body(buffer)).toBe('3\n1\n4\n');
  });
});

test.each([
  ['CircularBuffer', () => new CircularBuffer(...([2, 1] as unknown as [number, number, number]))],
  ['CircularBuffer', () => new CircularBuffer(...([2, 1, 1, false, 1] as unknown as [number, number, number]))],
  ['format', () => new CircularBuffer(2, 1, 1).format(...(['cbuf', true] as unknown as ['cbuf']))],
  [
    'mannwhitneyu',
    () => new CircularBuffer(2, 1, 1).mannwhitneyu(...([1, 0, 0, 1e9] as unknown as [number, number, number, number, number])),
  ],
])('%s counts its arguments', (name, call) => {
  expect(call).toThrow(`bad number of arguments to '${name}'`);
});

describe('arguments at fault', () => {
  const buffer = new CircularBuffer(3, 2, 60);
  test.each([
    ["#1 to 'CircularBuffer'", () => new CircularBuffer(1, 1, 1)],
    ["#2 to 'CircularBuffer'", () => new CircularBuffer(2, 0, 1)],
    ["#3 to 'CircularBuffer'", () => new CircularBuffer(2, 1, 0)],
    ["#1 to 'add'", () => buffer.add('x' as never, 1, 1)],
    ["#2 to 'add'", () => buffer.add(0, 3, 1)],
    ["#2 to 'set'", () => buffer.set(0, 0, 1)],
    ["#3 to 'set'", () => buffer.set(0, 1, '1' as never)],
    ["#2 to 'get'", () => buffer.get(0, NaN)],
    ["#1 to 'compute'", () => buffer.compute('mean', 1)],
    ["#1 to 'compute'", () => buffer.compute('toString', 1)],
    ["#2 to 'compute'", () => buffer.compute('sum', 9)],
    ["#4 to 'compute'", () => buffer.compute('sum', 1, 60 * S, 0)],
    ["#3 to 'get_range'", () => buffer.get_range(1, 60 * S, 0)],
    ["#4 to 'mannwhitneyu'", () => buffer.mannwhitneyu(1, 0, 60 * S, 60 * S, 120 * S)],
    ["#6 to 'mannwhitneyu'", () => buffer.mannwhitneyu(1, 0, 0, 60 * S, 60 * S, 1 as never)],
    ["#2 to 'set_header'", () => buffer.set_header(1, 5 as never)],
    ["#4 to 'set_header'", () => buffer.set_header(1, 'x', 's', 'avg' as never)],
    ["#1 to 'format'", () => buffer.format('csv' as never)],
    ["#1 to 'get_header'", () => buffer.get_header(3)],
    ["#1 to 'CircularBuffer'", () => new CircularBuffer('2' as never, 1, 1)],
    ["#3 to 'CircularBuffer'", () => new CircularBuffer(2, 1, NaN)],
    ["#1 to 'set'", () => buffer.set(null as never, 1, 1)],
    ["#3 to 'set'", () => buffer.set(0, 1, undefined as never)],
    ["#2 to 'set'", () => buffer.set(0, undefined as never, 1)],
    ["#1 to 'get_range'", () => buffer.get_range(undefined as never)],
    ["#3 to 'set_header'", () => buffer.set_header(1, 'x', 5 as never)],
    ["#3 to 'mannwhitneyu'", () => buffer.mannwhitneyu(1, 5, 0, 2, 7)],
    ["#5 to 'mannwhitneyu'", () => buffer.mannwhitneyu(1, 0, 5, 10, 6)],
    ["#1 to 'fromstring'", () => buffer.fromstring(undefined as never)],
  ])('%s', (where, call) => {
    expect(call).toThrow(`bad argument ${where}`);
  });
});

test('agrees with a table of all cells', () => {
  const write = fc.record({ time: fc.integer({ min: 0, max: 400 }), column: fc.constantFrom(1, 2), value: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(write), (writes) => {
      const buffer = new CircularBuffer(5, 2, 10);
      const cells = new Map<string, number>();
      let newest = 4;
      for (const { time, column, value } of writes) {
        const row = Math.floor(time / 10);
        newest = Math.max(newest, row);
        const key = `${row},${column}`;
        const inside = row > newest - 5;
        if (inside) cells.set(key, (cells.get(key) ?? 0) + value);
        expect(buffer.add(time * S, column, value)).toBe(inside ? cells.get(key) : null);
      }
      const rows = Array.from({ length: 5 }, (_, i) => newest - 4 + i);
      expect(buffer.get_range(2)).toEqual(rows.map((row) => cells.get(`${row},2`) ?? NaN));
    }),
  );
});
