/** The commands `filter` and `encode` with lines that are odd, broken, huge, or none. */
import { describe, expect, it } from 'vitest';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { fileOf, sluicebox, type CliResult } from './run-cli.ts';

/** Says what it gets, and when. */
const FILTER = fileOf(
  'lines.js',
  `let seen = 0;
function process_message() { seen++; inject_payload('txt', '', read_message('Payload').slice(0, 20)); return 0; }
function timer_event(ns) { inject_payload('txt', '', 'tick ', String(BigInt(ns)), ' after ', seen); }
`,
);

/** Result of each input: its status, and the payloads. */
function outcomes({ lines }: CliResult): unknown[][] {
  return lines().map(({ status, messages }) => [status, ...(messages as { Payload: string }[]).map(({ Payload }) => Payload)]);
}

const each = (input: string | Uint8Array, ...args: string[]): Promise<CliResult> => sluicebox(['filter', FILTER, '--each', ...args], input);

describe('lines of a filter', () => {
  it.each<{ title: string; input: string; lines: unknown[][] }>([
    { title: 'empty ones', input: '\n \t\n\r\n', lines: [] },
    {
      title: 'a byte order mark, CRLF, and no end of the last one',
      input: '\ufeff{"Payload":"a"}\r\n\r\n{"Payload":"b"}\r\n  {"Payload":"c"}  ',
      lines: [
        [0, 'a'],
        [0, 'b'],
        [0, 'c'],
      ],
    },
    {
      title: 'ticks in any order, before the first message and behind the last',
      input: '{"timer":"7"}\n{"timer":5}\n{"Payload":"a","Timestamp":"900000000000"}\n{"timer":" 6"}\n{"timer":"6"}',
      lines: [[0, 'tick 7 after 0'], [0, 'tick 5 after 0'], [0, 'a'], [-1], [0, 'tick 6 after 1']],
    },
    {
      title: 'what is not a message',
      input: [
        '{',
        '[]',
        '1',
        'null',
        '"x"',
        '{"Payload":7}',
        '{"Timestamp":"noon"}',
        '{"Fields":[{"value":1}]}',
        '{"timer":"soon"}',
        '{"Payload":"ok"}',
      ].join('\n'),
      lines: [...Array.from({ length: 9 }, () => [-1]), [0, 'ok']],
    },
    {
      title: 'a huge one',
      input: `{"Payload":"${'x'.repeat(5_000_000)}"}\n{"Payload":"y"}\n`,
      lines: [
        [0, 'x'.repeat(20)],
        [0, 'y'],
      ],
    },
  ])('$title', async ({ input, lines }) => {
    const result = await each(input);
    expect(outcomes(result)).toEqual(lines);
    const broken = lines.flatMap(([status], i) => (status === -1 ? [i + 1] : []));
    expect(result.code).toBe(broken.length > 0 ? 2 : 0);
    const named = result.err.split('\n').filter((line) => line !== '');
    expect(named.map((line) => /^standard input:(\d+): \S/.exec(line)?.[1])).toEqual(broken.map(String));
  });

  it('takes the names of files, and the numbers of their lines', async () => {
    const [one, two] = [fileOf('one.jsonl', '{"Payload":"a"}\n\n\nnonsense\n'), fileOf('two.jsonl', 'junk\n{"Payload":"b"}')];
    const result = await each('', one, two);
    expect(outcomes(result)).toEqual([[0, 'a'], [-1], [-1], [0, 'b']]);
    expect(result.err.split('\n').map((line) => line.replace(/^(.*:\d+): .*/, '$1'))).toEqual([`${one}:4`, `${two}:1`, '']);
  });
});

describe('ticks of the message clock', () => {
  const at = (...seconds: number[]): string =>
    seconds.map((second) => `{"Timestamp":"${second}000000000","Payload":"${second}"}\n`).join('');

  it('come in every interval of a gap, at a boundary before its message, and at the end', async () => {
    expect(outcomes(await each(at(0, 3 * 3600, 3 * 3600 + 1, 4 * 3600), '--ticker', '3600'))).toEqual([
      [0, '0'],
      [0, 'tick 3600000000000 after 1', 'tick 7200000000000 after 1', 'tick 10800000000000 after 1', '10800'],
      [0, '10801'],
      [0, 'tick 14400000000000 after 3', '14400', 'tick 14400000000000 after 4'],
    ]);
  });

  it('are not moved back by messages that come late', async () => {
    expect(outcomes(await each(at(100, 30, 159, 40, 160), '--ticker', '60'))).toEqual([
      ...[
        [0, '100'],
        [0, '30'],
        [0, '159'],
        [0, '40'],
      ],
      [0, 'tick 160000000000 after 4', '160', 'tick 160000000000 after 5'],
    ]);
  });

  it('go on over the files of a command', async () => {
    const [one, two] = [fileOf('first.jsonl', at(0, 30)), fileOf('second.jsonl', at(70))];
    expect(outcomes(await each('', '--ticker', '60', one, two))).toEqual([
      ...[
        [0, '0'],
        [0, '30'],
      ],
      [0, 'tick 60000000000 after 2', '70', 'tick 70000000000 after 3'],
    ]);
  });
});

describe('protobuf', () => {
  const bytesOf = (payload: string): Uint8Array => encodeMessage({ uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] });

  it('is told from JSON by its first byte, and what is not a record is passed over', async () => {
    const stream = Buffer.concat([frame(bytesOf('a')), Buffer.from('noise'), frame(bytesOf('b')), frame(bytesOf('c')).subarray(0, 9)]);
    for (const input of [stream, fileOf('noisy.pb', stream)]) {
      const result = typeof input === 'string' ? await each('', input) : await each(input);
      expect(outcomes(result)).toEqual([
        [0, 'a'],
        [0, 'b'],
      ]);
      expect(result.err).toMatch(/5 bytes from byte \d+ on are not a record and are skipped\n.*ends within a record: 9 bytes/);
    }
  });
});

it('a parameter may hold an equals sign, digits that are a text, or nothing', async () => {
  const settings = ['index=a=b', 'id=007', 'type_name='].flatMap((setting) => ['-s', setting]);
  const out = '{"index":{"_index":"a=b","_id":"007"}}\n{}\n';
  expect(await sluicebox(['encode', 'es_payload', ...settings], '{"Payload":"{}"}\n')).toMatchObject({ code: 0, err: '', out });
});
