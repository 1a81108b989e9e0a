import { afterAll, describe, expect, test } from 'vitest';
import { message, SandboxBench } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const input = message({
  type: 'demo',
  severity: 6,
  payload: 'the line',
  fields: [
    { name: 'status', valueType: 3, values: [200] },
    { name: 'size', valueType: 2, representation: 'B', values: [5n, 300n] },
    { name: 'host', valueType: 0, values: ['a'] },
    { name: 'ok', valueType: 4, values: [true, false] },
    { name: 'blob', valueType: 1, values: [Uint8Array.of(1, 255), new Uint8Array(0)] },
    { name: 'host', valueType: 0, values: ['b', 'c'] },
    { name: 'host', valueType: 3, values: [7] },
    { name: '', valueType: 3, values: [1] },
    { name: 'a]b', valueType: 3, values: [2] },
    { name: 'none', valueType: 0, values: [] },
    { name: 'big', valueType: 2, values: [9007199254740993n, -1n] },
  ],
});

const error = (part: string): unknown => ({ error: expect.stringContaining(part) as string });

const reads: readonly (readonly [expression: string, expected: unknown])[] = [
  [`read_message('Type')`, 'demo'],
  [`read_message('Logger')`, ''],
  [`read_message('EnvVersion')`, ''],
  [`read_message('Hostname')`, ''],
  [`read_message('Payload')`, 'the line'],
  [`read_message('Pid')`, null],
  [`read_message('Severity')`, 6],
  [`read_message('Timestamp')`, 1_000_000_000],
  [`read_message('Uuid')`, '00010203-0405-4607-8809-0a0b0c0d0e0f'],
  [`read_message('Fields[status]')`, 200],
  [`read_message('Fields[size]')`, 5],
  [`read_message('Fields[size]', 0, 1)`, 300],
  [`read_message('Fields[size]', 0, 2)`, null],
  [`read_message('Fields[size]', 1)`, null],
  [`read_message('Fields[none]')`, null],
  [`read_message('Fields[absent]')`, null],
  [`read_message('Fields[host]')`, 'a'],
  [`read_message('Fields[host]', 1)`, 'b'],
  [`read_message('Fields[host]', 1, 1)`, 'c'],
  [`read_message('Fields[host]', 2)`, 7],
  [`read_message('Fields[host]', 3)`, null],
  [`read_message('Fields[ok]')`, true],
  [`read_message('Fields[ok]', 0, 1)`, false],
  [`read_message('Fields[blob]')`, { bytes: [1, 255] }],
  [`read_message('Fields[blob]', 0, 1)`, null],
  [`read_message('Fields[]')`, 1],
  [`read_message('Fields[a]b]')`, 2],
  [`read_message('Fields[big]')`, 9007199254740992],
  [`read_message('Fields[big]', 0, 1)`, -1],
  [`read_message('Fields[x')`, null],
  [`read_message('Fields')`, null],
  [`read_message('bogus')`, null],
  [`read_message('Type', 5, 5)`, 'demo'],
  [`read_message('Type', null, undefined)`, 'demo'],
  [`read_message('Type', -1)`, error('at least 0')],
  [`read_message('Type', 0, -1)`, error('at least 0')],
  [`read_message('Type', 'x')`, error('at least 0')],
  [`read_message()`, error('1 to 3 arguments')],
  [`read_message('Type', 0, 0, 0)`, error('1 to 3 arguments')],
  [`read_message(5)`, error('must be a string')],
  [`read_message('__proto__')`, null],
  [`read_message('constructor')`, null],
];

describe('read_message', () => {
  test.each(['decoder', 'filter', 'encoder', 'output'] as const)('in a %s', async (kind) => {
    const values = await bench.evaluate(
      kind,
      input,
      reads.map(([expression]) => expression),
    );
    expect(reads.map(([expression], i) => [expression, values[i]])).toEqual(reads);
  });

  test('gives the encoded message as raw', async () => {
    const [raw, decoded] = await bench.evaluate('filter', input, [
      `read_message('raw').length > 20 && read_message('raw') instanceof Uint8Array`,
      `decode_message(read_message('raw'))`,
    ]);
    expect(raw).toBe(true);
    expect(decoded).toMatchObject({ Type: 'demo', Severity: 6, Payload: 'the line', Timestamp: 1e9 });
    expect((decoded as { Fields: unknown[] }).Fields).toEqual([
      { name: 'status', value: [200], value_type: 3 },
      { name: 'size', value: [5, 300], value_type: 2, representation: 'B' },
      { name: 'host', value: ['a'], value_type: 0 },
      { name: 'ok', value: [true, false], value_type: 4 },
      { name: 'blob', value: [{ bytes: [1, 255] }, { bytes: [] }], value_type: 1 },
      { name: 'host', value: ['b', 'c'], value_type: 0 },
      { name: 'host', value: [7], value_type: 3 },
      { name: '', value: [1], value_type: 3 },
      { name: 'a]b', value: [2], value_type: 3 },
      { name: 'none', value: [], value_type: 0 },
      { name: 'big', value: [9007199254740992, -1], value_type: 2 },
    ]);
  });

  test('is null outside of process_message', async () => {
    const sandbox = await bench.start(`
      const atLoad = read_message('Type');
      function process_message() { return 0; }
      function timer_event() { inject_message({ Payload: String([atLoad, read_message('Timestamp'), read_next_field()[0]]) }); }`);
    const result = await sandbox.timer(5n);
    expect(result.injected?.message(0).payload).toBe([null, null, null].join());
  });
});

describe('read_integer', () => {
  const integers: readonly (readonly [expression: string, expected: unknown])[] = [
    [`String(read_integer('Fields[big]'))`, '9007199254740993'],
    [`String(read_integer('Fields[big]', 0, 1))`, '-1'],
    [`typeof read_integer('Fields[size]', 0, 1)`, 'bigint'],
    [`read_integer('Fields[big]', 0, 2)`, null],
    [`read_integer('Fields[big]', 1)`, null],
    [`read_integer('Fields[status]')`, null],
    [`read_integer('Fields[host]', 2)`, null],
    [`read_integer('Fields[none]')`, null],
    [`read_integer('Fields[absent]')`, null],
    [`String(read_integer('Timestamp'))`, '1000000000'],
    [`read_integer('Severity')`, null],
    [`read_integer('Payload')`, null],
    [`read_integer('bogus')`, null],
    [`read_integer('Fields[big]', -1)`, error('at least 0')],
    [`read_integer()`, error('must be a string')],
  ];

  test.each(['decoder', 'filter', 'encoder', 'output'] as const)('gives all digits in a %s', async (kind) => {
    const values = await bench.evaluate(
      kind,
      input,
      integers.map(([expression]) => expression),
    );
    expect(integers.map(([expression], i) => [expression, values[i]])).toEqual(integers);
  });

  test('gives those of a message that was written to', async () => {
    const values = await bench.evaluate('decoder', input, [
      `write_message('Timestamp', 1614949679123456789n)`,
      ...integers.slice(0, 9).map(([expression]) => expression),
      `String(read_integer('Timestamp'))`,
    ]);
    expect(values.slice(1)).toEqual([...integers.slice(0, 9).map(([, expected]) => expected), '1614949679123456789']);
  });
});

describe('read_next_field', () => {
  const next = 'read_next_field()';

  test('walks the fields in order and starts again with each message', async () => {
    const values = await bench.evaluate('output', input, [...Array.from({ length: 12 }, () => next), 'read_next_field(1)']);
    expect(values).toEqual([
      [3, 'status', 200, '', 1],
      [2, 'size', 5, 'B', 2],
      [0, 'host', 'a', '', 1],
      [4, 'ok', true, '', 2],
      [1, 'blob', { bytes: [1, 255] }, '', 2],
      [0, 'host', 'b', '', 2],
      [3, 'host', 7, '', 1],
      [3, '', 1, '', 1],
      [3, 'a]b', 2, '', 1],
      [0, 'none', null, '', 0],
      [2, 'big', 9007199254740992, '', 2],
      [null, null, null, null, null],
      { error: 'read_next_field: takes no arguments' },
    ]);
  });

  test('keeps its place when the message is written to', async () => {
    const [first, , second] = await bench.evaluate('decoder', input, [next, `write_message('Fields[late]', 1)`, next]);
    expect([first, second]).toEqual([
      [3, 'status', 200, '', 1],
      [2, 'size', 5, 'B', 2],
    ]);
  });
});
