import { afterAll, describe, expect, test } from 'vitest';
import { batchOf, message, messagesOf, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const numbers: readonly (readonly [source: string, text: string])[] = [
  ['0', '0'],
  ['-0', '0'],
  ['1.5', '1.5'],
  ['123456.789', '123456.789'],
  ['1 / 3', '0.33333333'],
  ['2 / 3', '0.66666667'],
  ['5e-9', '0.00000001'],
  ['4e-9', '0'],
  ['0.123456785', '0.12345678'],
  ['0.999999999', '1'],
  ['-0.25', '-0.25'],
  ['-1e-9', '-0'],
  ['100.125', '100.125'],
  ['2147483647', '2147483647'],
  ['2147483647.5', '2147483647.5'],
  ['-2147483648', '-2147483648'],
  ['1e15', '1000000000000000'],
  ['1e16', '10000000000000000'],
  ['1e17', '1e+17'],
  ['123456789012345678', '1.2345678901234568e+17'],
  ['1392050801000000000', '1.392050801e+18'],
  ['NaN', 'nan'],
  ['Infinity', 'inf'],
  ['-Infinity', '-inf'],
];

test('numbers in payloads are written as the service does it', async () => {
  const sandbox = await bench.start(
    `function process_message() { for (const n of [${numbers.map(([source]) => source).join()}]) add_to_payload(n, ' '); inject_payload(); return 0; }`,
  );
  const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
  const texts = (out?.payload ?? '').split(' ');
  expect(numbers.map(([source], i) => [source, texts[i]])).toEqual(numbers);
});

describe('a table that an encoder injects', () => {
  const encoded = async (table: string): Promise<string> => {
    const sandbox = await bench.start(`const Uuid = '\\0'.repeat(16); function process_message() { inject_message(${table}); return 0; }`, {
      kind: 'encoder',
    });
    const { encoded: output, terminated } = await sandbox.process(batchOf([message()]), null);
    await sandbox.stop();
    return terminated?.reason ?? Buffer.from(output?.bytes ?? []).toString('hex');
  };
  const head = `0a10${'00'.repeat(16)}`;

  test.each([
    ['{ Uuid, Timestamp: 0 }', '1000'],
    ['{ Uuid, Timestamp: -1, Pid: -1, Severity: -1 }', '10ffffffffffffffffff0128ffffffffffffffffff0140ffffffffffffffffff01'],
    ['{ Uuid, Timestamp: 0, Fields: { n: 1 } }', '1000520e0a016e100339000000000000f03f'],
    ['{ Uuid, Timestamp: 0, Fields: { n: [1, 2] } }', '100052170a016e10033a10000000000000f03f0000000000000040'],
    ['{ Uuid, Timestamp: 0, Fields: { i: { value: 34, value_type: 2 } } }', '100052070a016910023022'],
    [
      '{ Uuid, Timestamp: 0, Fields: { i: { value: [1, 300], value_type: 2, representation: "B" } } }',
      '1000520d0a016910021a0142320301ac02',
    ],
    ['{ Uuid, Timestamp: 0, Fields: { b: true } }', '100052070a016210044001'],
    ['{ Uuid, Timestamp: 0, Fields: { b: [true, false] } }', '100052090a0162100442020100'],
    ['{ Uuid, Timestamp: 0, Fields: { s: "a" } }', '100052060a0173220161'],
    ['{ Uuid, Timestamp: 0, Fields: { s: ["a", "b"] } }', '100052090a0173220161220162'],
    ['{ Uuid, Timestamp: 0, Fields: { s: { value: "a", value_type: 1 } } }', '100052080a017310012a0161'],
    ['{ Uuid, Timestamp: 1e9, Type: "t", Payload: "p" }', '108094ebdc031a0174320170'],
  ])('%s', async (table, rest) => {
    expect(await encoded(table)).toBe(head + rest);
  });
});

describe('decode_message', () => {
  const decoded = async (hex: string): Promise<unknown> => {
    const bytes = [...Buffer.from(`0a10${'00'.repeat(16)}${hex}`, 'hex')].join();
    const [value] = await bench.evaluate('output', message(), [`decode_message(new Uint8Array([${bytes}]))`]);
    const { Uuid: _uuid, ...rest } = value as Record<string, unknown>;
    return rest;
  };
  const field = (value: unknown[], type?: number, representation?: string): unknown => ({
    Timestamp: 1,
    Fields: [
      {
        name: 'c',
        value,
        ...(type === undefined ? {} : { value_type: type }),
        ...(representation === undefined ? {} : { representation }),
      },
    ],
  });

  test.each<[what: string, hex: string, expected: unknown]>([
    ['nothing but what must be there', '1000', { Timestamp: 0 }],
    ['negative headers', '10ffffffffffffffffff0128ffffffffffffffffff0140ffffffffffffffffff01', { Timestamp: -1, Severity: -1, Pid: -1 }],
    ['integers one by one', '100152090a016310023001302c', field([1, 44], 2)],
    ['integers together', '100152090a0163100232020102', field([1, 2], 2)],
    ['integers both ways', '1001520b0a0163100230013202022c', field([1, 2, 44], 2)],
    ['bools one by one', '100152090a0163100440014000', field([true, false], 4)],
    ['bools together', '100152090a0163100442020100', field([true, false], 4)],
    ['doubles one by one', '100152170a0163100339000000000000f03f390000000000000040', field([1, 2], 3)],
    ['doubles together', '100152170a016310033a10000000000000f03f0000000000000040', field([1, 2], 3)],
    ['strings, with what they are behind them', '1001520c0a01632201612201621a0172', field(['a', 'b'], undefined, 'r')],
    ['a string with its type', '100152080a01631000220161', field(['a'], 0)],
    ['bytes', '100152080a016310012a01ff', field([{ bytes: [255] }], 1)],
    ['no values', '100152050a01631003', field([], 3)],
  ])('gives %s', async (_what, hex, expected) => {
    expect(await decoded(hex)).toEqual(expected);
  });

  test.each([
    ['a field without a name', '1001520610023001300a', 'field without a name (tag 10, wire type 2, at byte 20)'],
    ['integers that are cut', '100152080a01631002320501', 'truncated length (tag 6, wire type 2, at byte 27)'],
    ['a time that does not end', `108094ebdcdcdcdcdcdcdcdc`, 'varint longer than 10 bytes (tag 2, wire type 0, at byte 18)'],
    ['another tag', '10017001', 'unknown tag (tag 14, wire type 0, at byte 20)'],
    ['no time', '1a03616263', 'no timestamp'],
  ])('refuses %s', async (_what, hex, reason) => {
    const bytes = [...Buffer.from(`0a10${'00'.repeat(16)}${hex}`, 'hex')].join();
    const [value] = await bench.evaluate('output', message(), [`decode_message(new Uint8Array([${bytes}]))`]);
    expect((value as { error: string }).error).toContain(`decode_message: ${reason}`);
  });
});

test('indexes are cut to whole numbers, and anything else is none', async () => {
  const input = message({ fields: [{ name: 'a', valueType: 0, values: ['x', 'y'] }] });
  const wrong = { error: 'read_message: argument 2 must be a number of at least 0' };
  expect(
    await bench.evaluate('filter', input, [
      `read_message('Fields[a]', 0, 1.7)`,
      `read_message('Fields[a]', -0.5)`,
      `read_message('Fields[a]', Infinity)`,
      `read_message('Fields[a]', NaN)`,
      `read_message('Fields[a]', '0')`,
      `read_message('Fields[a]', true)`,
      `read_message('Fields[a]', 0n)`,
    ]),
  ).toEqual(['y', 'x', null, wrong, wrong, wrong, wrong]);
});

describe('what process_message returns', () => {
  const one = batchOf([message({ payload: 'p' })]);
  const ended = (reason: RegExp): unknown => ({ terminated: { reason: expect.stringMatching(reason) as string, row: 0 } });
  const failed = (reason: string): unknown => ({ terminated: null, failures: [{ row: 0, reason }] });
  const fine = { terminated: null, failures: [] };

  test.each<[returned: string, expected: unknown]>([
    ['0', fine],
    ['0.9', fine],
    ['-0.5', fine],
    ['[0]', fine],
    ['[0, null]', fine],
    ['-1', failed('')],
    ['-7', failed('')],
    ['[-1, "bad line"]', failed('bad line')],
    ['[-1, undefined]', failed('')],
    ['1', ended(/^process_message\(\) returned 1$/)],
    ['1.9', ended(/^process_message\(\) returned 1$/)],
    ['[1, "why"]', ended(/^why$/)],
    ['[-1, 5]', ended(/must return a text as its second value$/)],
    ['[0, {}]', ended(/must return a text as its second value$/)],
    ['"0"', ended(/must return a number$/)],
    ['null', ended(/must return a number$/)],
    ['undefined', ended(/must return a number$/)],
    ['true', ended(/must return a number$/)],
    ['NaN', ended(/must return a number$/)],
    ['0n', ended(/must return a number$/)],
    ['[]', ended(/must return a number$/)],
    ['{}', ended(/must return a number$/)],
  ])('%s', async (returned, expected) => {
    for (const kind of ['filter', 'decoder', 'encoder', 'output'] as const) {
      const sandbox = await bench.start(`function process_message() { return (${returned}); }`, { kind });
      expect(await sandbox.process(one, null)).toMatchObject(expected as object);
      await sandbox.stop();
    }
  });

  test('-2 is a failure, but of an encoder', async () => {
    for (const kind of ['filter', 'decoder', 'encoder', 'output'] as const) {
      const sandbox = await bench.start(`function process_message() { return -2; }`, { kind });
      const { failures } = await sandbox.process(one, null);
      expect([kind, failures.length]).toEqual([kind, kind === 'encoder' ? 0 : 1]);
    }
  });
});
