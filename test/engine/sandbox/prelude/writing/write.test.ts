import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../../../engine/message/types.ts';
import { batchOf, message, messagesOf, SandboxBench, UUID } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** The message that a decoder passes on after these calls, and the errors of those that failed. */
async function after(calls: readonly string[], input: Message = message()): Promise<{ message: Message; errors: (string | null)[] }> {
  const list = calls.map((call) => `() => ${call}`).join(',\n');
  const sandbox = await bench.start(
    `function process_message() {
       const errors = [${list}].map((call) => { try { call(); return null; } catch (error) { return error.message; } });
       write_message('Logger', JSON.stringify(errors));
       return 0;
     }`,
    { kind: 'decoder' },
  );
  const result = await sandbox.process(batchOf([input]), null);
  await sandbox.stop();
  const [out] = messagesOf(result);
  if (out === undefined) throw new Error(result.terminated?.reason);
  return { message: out, errors: JSON.parse(out.logger ?? '[]') as (string | null)[] };
}

const fieldsOf = ({ fields }: Message): unknown[] =>
  fields.map(({ name, valueType, values, representation }) => [name, valueType, [...values], representation]);

describe('write_message', () => {
  test('to headers', async () => {
    const { message: out, errors } = await after([
      `write_message('Type', 't')`,
      `write_message('Payload', 'p\\0q')`,
      `write_message('EnvVersion', '1')`,
      `write_message('Hostname', 'h')`,
      `write_message('Severity', 3.9)`,
      `write_message('Pid', '0x10')`,
      `write_message('Timestamp', '2021-03-05T13:07:59.25+01:00')`,
      `write_message('Uuid', 'URN:UUID:FF010203-0405-4607-8809-0A0B0C0D0E0F')`,
    ]);
    expect(errors.every((error) => error === null)).toBe(true);
    expect(out).toMatchObject({ type: 't', payload: 'p\0q', envVersion: '1', hostname: 'h', severity: 3, pid: 16 });
    expect(out.timestamp).toBe(1614946079250000000n);
    expect([...out.uuid]).toEqual([255, ...UUID.subarray(1)]);
  });

  const times: readonly (readonly [string, bigint])[] = [
    ['Fri Mar  5 13:07:59 2021', 1614949679000000000n],
    ['Fri Mar  5 13:07:59 UTC 2021', 1614949679000000000n],
    ['Fri Mar 05 13:07:59 +0100 2021', 1614946079000000000n],
    ['05 Mar 21 13:07 UTC', 1614949620000000000n],
    ['05 Mar 21 13:07 +0100', 1614946020000000000n],
    ['Friday, 05-Mar-21 13:07:59 UTC', 1614949679000000000n],
    ['Fri, 05 Mar 2021 13:07:59 UTC', 1614949679000000000n],
    ['Fri, 05 Mar 2021 13:07:59 +0100', 1614946079000000000n],
    ['2021-03-05T13:07:59Z', 1614949679000000000n],
    ['2021-03-05T13:07:59.123456789Z', 1614949679123456789n],
    ['123', 123n],
    ['0x7b', 123n],
    ['010', 8n],
    ['-5', -5n],
  ];

  test.each(times)('takes the time %s', async (text, expected) => {
    const { message: out, errors } = await after([`write_message('Timestamp', ${JSON.stringify(text)})`]);
    expect([out.timestamp, errors]).toEqual([expected, [null]]);
  });

  test('refuses what is no value of a header', async () => {
    const calls = [
      `write_message('Timestamp', '1:07PM')`,
      `write_message('Timestamp', 'Mar  5 13:07:59')`,
      `write_message('Timestamp', '')`,
      `write_message('Timestamp', '2021-02-30T00:00:00Z')`,
      `write_message('Timestamp', true)`,
      `write_message('Type', 5)`,
      `write_message('Payload', true)`,
      `write_message('Type', null)`,
      `write_message('Uuid', 'x')`,
      `write_message('Uuid', 5)`,
      `write_message('Severity', 'x')`,
      `write_message('Severity', '3000000000')`,
      `write_message('Severity', Infinity)`,
      `write_message('Pid', -Infinity)`,
      `write_message('Pid', NaN)`,
      `write_message('Pid', 1e12)`,
      `write_message('Severity', -2147483649)`,
      `write_message('Pid', 2147483648n)`,
      `write_message('Fields[i]', 9223372036854775808n)`,
      `write_message('Pid', true)`,
      `write_message('raw', 'x')`,
      `write_message('Fields', 'x')`,
      `write_message('Bogus', 'x')`,
      `write_message('Type')`,
      `write_message('Type', 'x', '', 0, 0, 0)`,
      `write_message('Type', 'x', 5)`,
      `write_message('Type', 'x', '', -1)`,
      `write_message('Fields[a]', {})`,
      `write_message('Fields[a]', () => 1)`,
      `write_message(5, 'x')`,
    ];
    const { message: out, errors } = await after(calls);
    expect(calls.filter((_, i) => errors[i] === null)).toEqual([]);
    expect(out).toMatchObject({ uuid: UUID, timestamp: 1_000_000_000n, fields: [] });
  });

  test('says which number a header cannot store', async () => {
    const { errors } = await after([`write_message('Pid', 1e12)`, `write_message('Pid', '3000000000')`]);
    expect(errors).toEqual([
      'write_message: Pid takes an integer from -2147483648 to 2147483647, not 1000000000000',
      'write_message: Pid takes an integer from -2147483648 to 2147483647, not "3000000000"',
    ]);
  });

  test('BigInts keep their digits', async () => {
    const input = message({ fields: [{ name: 'd', valueType: 3, values: [1] }] });
    const { message: out, errors } = await after(
      [
        `write_message('Fields[i]', 9007199254740993n, 'count')`,
        `write_message('Fields[i]', -9223372036854775808n, 'count', 0, 1)`,
        `write_message('Fields[d]', 2n)`,
      ],
      input,
    );
    expect(errors).toEqual([null, null, null]);
    expect(fieldsOf(out)).toEqual([
      ['d', 3, [2], ''],
      ['i', 2, [9007199254740993n, -9223372036854775808n], 'count'],
    ]);
  });

  test('to fields, one call after the other', async () => {
    const steps: readonly (readonly [call: string, fails: boolean, fields: unknown[]])[] = [
      [`write_message('Fields[a]', 'x')`, false, [['a', 0, ['x'], '']]],
      [`write_message('Fields[a]', 'y', 'tag', 0, 1)`, false, [['a', 0, ['x', 'y'], 'tag']]],
      [
        `write_message('Fields[a]', 'z', '', 1)`,
        false,
        [
          ['a', 0, ['x', 'y'], 'tag'],
          ['a', 0, ['z'], ''],
        ],
      ],
      [
        `write_message('Fields[a]', 5)`,
        true,
        [
          ['a', 0, ['x', 'y'], 'tag'],
          ['a', 0, ['z'], ''],
        ],
      ],
      [
        `write_message('Fields[n]', 5, 'ms')`,
        false,
        [
          ['a', 0, ['x', 'y'], 'tag'],
          ['a', 0, ['z'], ''],
          ['n', 3, [5], 'ms'],
        ],
      ],
      [
        `write_message('Fields[n]', 6)`,
        false,
        [
          ['a', 0, ['x', 'y'], 'tag'],
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', null, '', 0, 0)`,
        false,
        [
          ['a', 0, ['y'], 'tag'],
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', null)`,
        false,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[missing]', null)`,
        false,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', null, '', 3)`,
        true,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', null, '', 0, 5)`,
        true,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', 'q', '', 5)`,
        true,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[a]', 'q', '', 0, 5)`,
        true,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[b]', true, '', 0, 1)`,
        true,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
        ],
      ],
      [
        `write_message('Fields[b]', true)`,
        false,
        [
          ['a', 0, ['z'], ''],
          ['n', 3, [6], ''],
          ['b', 4, [true], ''],
        ],
      ],
      [
        `write_message('Fields[a]', null, '', 0, 0)`,
        false,
        [
          ['a', 0, [], ''],
          ['n', 3, [6], ''],
          ['b', 4, [true], ''],
        ],
      ],
    ];
    for (let count = 1; count <= steps.length; count++) {
      const { message: out, errors } = await after(steps.slice(0, count).map(([call]) => call));
      const [call, fails, fields] = steps[count - 1] as (typeof steps)[number];
      expect([call, errors.at(-1) !== null, fieldsOf(out)]).toEqual([call, fails, fields]);
    }
  });

  test('not to integers and bytes', async () => {
    const input = message({
      fields: [
        { name: 'i', valueType: 2, values: [1n] },
        { name: 'b', valueType: 1, values: [Uint8Array.of(1)] },
      ],
    });
    const { message: out, errors } = await after([`write_message('Fields[i]', 2)`, `write_message('Fields[b]', 'x')`], input);
    expect(errors).toEqual([expect.any(String), expect.any(String)]);
    expect(fieldsOf(out)).toEqual(fieldsOf(input));
  });

  test('shows in later reads, but not in raw', async () => {
    const values = await bench.evaluate('decoder', message({ type: 'old', payload: 'line' }), [
      `write_message('Type', 'new'), read_message('Type')`,
      `decode_message(read_message('raw')).Type`,
      `write_message('Fields[a]', 1), read_message('Fields[a]')`,
      `payload_span().text.slice(payload_span().start, payload_span().end)`,
    ]);
    expect(values).toEqual(['new', 'old', 1, 'line']);
  });

  test('is not there in filters, outputs and inputs', async () => {
    const values = await bench.evaluate('filter', message(), [`typeof write_message`, `typeof message_writer`, 'typeof inject_message']);
    expect(values).toEqual(['undefined', 'undefined', 'function']);
    const output = await bench.evaluate('output', message(), [
      `typeof write_message`,
      `typeof add_to_payload`,
      `typeof inject_payload`,
      `typeof inject_message`,
      `typeof read_message`,
    ]);
    expect(output).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'function']);
  });
});
