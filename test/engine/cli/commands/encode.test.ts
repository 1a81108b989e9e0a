import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { frame } from '../../../../engine/message/protobuf/framing.ts';
import { fileOf, sluicebox } from '../run-cli.ts';

const ENCODER = fileOf(
  'encoder.js',
  `function process_message() {
  const payload = read_message('Payload');
  if (payload === 'skip') return -2;
  if (payload === 'bad') return [-1, 'bad payload'];
  if (payload === 'die') throw new Error('enough');
  if (payload !== 'pass') inject_payload('txt', '', payload, '!');
  return 0;
}
`,
);
const line = (Payload: string, more: object = {}): string => `${JSON.stringify({ Timestamp: '1614949679000000000', Payload, ...more })}\n`;

describe('sluicebox encode', () => {
  it.each<{ args: string[]; code: number; out?: RegExp; err?: RegExp }>([
    { args: ['encode'], code: 2, err: /encode needs the name of an encoder/ },
    { args: ['encode', '--help'], code: 0, out: /Usage: sluicebox encode ENCODER/ },
    { args: ['encode', 'es_paylod'], code: 2, err: /there is no encoder es_paylod; did you mean es_payload\?/ },
    { args: ['encode', 'alert', '-s', 'x=1'], code: 2, err: /unknown parameter x/ },
    { args: ['encode', 'alert', './absent.json'], code: 2, err: /absent\.json/ },
  ])('$args ends with $code', async ({ args, code, out, err }) => {
    const result = await sluicebox(args);
    expect(result.code, result.err).toBe(code);
    expect(result.out).toMatch(out ?? /^$/);
    expect(result.err).toMatch(err ?? /^$/);
  });

  it('writes the bytes of all files one behind the other', async () => {
    const [one, two] = [fileOf('one.json', line('{"a":1}') + line('{"b":"é"}')), fileOf('two.json', line('{}\n'))];
    const result = await sluicebox(['encode', 'es_payload', '-s', 'index=web', '-s', 'es_index_from_timestamp=true', one, two]);
    const index = '{"index":{"_index":"web","_type":"message"}}\n';
    expect(result).toMatchObject({ code: 0, err: '', out: `${index}{"a":1}\n${index}{"b":"é"}\n${index}{}\n` });
  });

  it('says what is refused, leaves out what has no output, and ends with the encoder', async () => {
    const input = line('a') + line('skip') + line('bad') + line('b') + 'no json\n' + line('die') + line('c');
    const result = await sluicebox(['encode', ENCODER], input);
    expect(result).toMatchObject({ code: 2, out: 'a!b!' });
    expect(result.err.split('\n').map((text) => /^standard input:\d+: (bad payload|the encoder has ended)?/.exec(text)?.[0])).toEqual([
      ...['standard input:3: bad payload', 'standard input:5: ', 'standard input:6: the encoder has ended', undefined],
    ]);
  });

  it('prints one line for each input with --each, in order', async () => {
    const input = [line('a'), line('skip'), line('bad'), '{"timer":"5"}\n', 'junk\n', line('é'), line('die'), line('b')].join('');
    const result = await sluicebox(['encode', ENCODER, '--each'], input);
    expect(result.code).toBe(2);
    expect(result.lines()).toEqual([
      { status: 0, payload: 'a!' },
      { status: -2 },
      { status: -1, error: 'bad payload' },
      { status: -1, error: 'encoders have no timer' },
      { status: -1, error: expect.stringContaining('JSON') as string },
      { status: 0, payload: 'é!' },
      { status: 1, error: expect.stringContaining('enough') as string },
      { status: 1, error: expect.stringContaining('enough') as string },
    ]);
  });

  it('writes messages that the script leaves alone as protobuf', async () => {
    const message = { uuid: new Uint8Array(16).fill(0xff), timestamp: 1n, payload: 'pass', fields: [] };
    const input = frame(encodeMessage(message));
    const each = await sluicebox(['encode', ENCODER, '--each'], input);
    const [{ payload, ...rest } = {}] = each.lines();
    expect(rest).toEqual({ status: 0, encoding: 'base64' });
    expect(decodeMessage(Buffer.from(String(payload), 'base64'))).toEqual(message);
  });

  it.each<[encoder: string, output: string]>([
    ['alert', 'Timestamp: 2021-03-05T13:07:59Z\nHostname: box1\nPlugin: \nAlert: hi\n'],
    ['plain_text', 'hi\n'],
    ['json_lines', '{"Timestamp":"2021-03-05T13:07:59Z","Payload":"hi","Hostname":"box1","load":0.5}\n'],
    ['schema_influx_line', 'load,Hostname=box1 value=0.500000 1614949679000\n'],
    [
      'schema_influx',
      '[{"points":[[1614949679000,"","hi","box1",null,"",null,"",0.5]],"name":"series","columns":["time","Type","Payload","Hostname","Pid","Logger","Severity","EnvVersion","load"]}]',
    ],
  ])('%s in its sandbox', async (encoder, output) => {
    const Fields = [{ name: 'load', value_type: 3, value: [0.5] }];
    expect(await sluicebox(['encode', encoder], line('hi', { Hostname: 'box1', Fields }))).toMatchObject({ code: 0, err: '', out: output });
  });

  it('keeps up with graphs and statistics', async () => {
    const graph = '{"time":0,"rows":3,"columns":1,"seconds_per_row":1,"column_info":[{"name":"c"}]}\n1\n2\n3\n';
    const gauges = await sluicebox(['encode', 'cbuf_librato', '--each'], line(graph) + line(graph) + line('x'));
    expect(gauges.lines()).toMatchObject([{ status: 0 }, { status: -2 }, { status: -1, error: 'the payload is not a graph' }]);
    const stats = await sluicebox(['encode', 'statmetric_influx', '--each'], line(''));
    expect(stats.lines()).toEqual([{ status: -1, error: 'timestamp is not a number' }]);
  });

  it('formats times in a zone by its name', async () => {
    const args = ['encode', 'plain_text', '-s', 'prefix_ts=true', '-s', 'ts_format=%H:%M', '-s', 'tz=Asia/Tokyo'];
    expect((await sluicebox(args, line('hi'))).out).toBe('22:07 hi\n');
  });
});
