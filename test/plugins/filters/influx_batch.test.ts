import { describe, expect, test } from 'vitest';
import { readCases, type FixtureEvent, type Step } from '../support/conformance.ts';
import { sortedLines } from '../support/lines.ts';
import { plainMessage } from '../support/message.ts';
import { startPlugin, type Outcome } from '../support/sandbox.ts';

const FILE = 'filters/influx_batch.ts';

describe('reference answers', () => {
  const cases = readCases<{ steps: Step[] }, { events: FixtureEvent[] }>('encoders.jsonl', 'encoder:influx_batch');

  test.each(cases)('$case', ({ config, input, expect: { events } }) => {
    const plugin = startPlugin(FILE, config);
    for (const [i, step] of input.steps.entries()) {
      const { rc, injected } =
        'timer' in step
          ? plugin.timer(BigInt(step.timer))
          : plugin.process({ ...step, Timestamp: BigInt(step.Timestamp), Fields: step.Fields ?? [] });
      expect(rc, `step ${i}`).toBe(0);
      const expected = events.filter((event) => event.step === i).map(({ payload = '' }) => sortedLines(payload));
      expect(
        injected.map(({ Payload = '' }) => sortedLines(Payload)),
        `step ${i}`,
      ).toEqual(expected);
    }
  });
});

const BASE = { Type: 'my type', Pid: 12, Severity: 4, Hostname: 'h,1', Logger: 'L=1', Timestamp: 54321e9, Payload: 'p' };
const TAGS = ',Hostname=h\\,1,Logger=L=1,Severity=4,Type=my\\ type';

const LINES: { title: string; config?: Record<string, string>; fields: NonNullable<InjectMessage['Fields']>; lines: string[] }[] = [
  { title: 'defaults', fields: { load: 1 }, lines: [`load${TAGS} value=1.000000 54321000`] },
  {
    title: 'prefix, tags, precision and key',
    config: {
      decimal_precision: '2',
      name_prefix: '%{Hostname}.%{env}.%{nope}',
      name_prefix_delimiter: '.',
      skip_fields: 'all_base env',
      tag_fields: 'Hostname env',
      timestamp_precision: 's',
      value_field_key: 'v',
    },
    fields: { load: 0.5, env: 'prod uk' },
    lines: ['h\\,1.prod\\ uk.%{nope}.load,Hostname=h\\,1,env=prod\\ uk v=0.50 54321'],
  },
  {
    title: 'one source',
    config: { name_prefix: 'cpu', source_value_field: 'load', tag_fields: 'Type', timestamp_precision: 'm' },
    fields: { load: 0.5, other: 9 },
    lines: ['cpu,Type=my\\ type value=0.500000 905'],
  },
  {
    title: 'the last value of the source',
    config: { source_value_field: 'a', tag_fields: '-' },
    fields: [
      { name: 'a', value: [1, 2] },
      { name: 'a', value: [3, 4] },
    ],
    lines: [' value=4.000000 54321000'],
  },
  {
    title: 'arrays and repeated fields',
    config: { tag_fields: 'nothing', timestamp_precision: 'h' },
    fields: [
      { name: 'arr', value: [1, 2, 3] },
      { name: 'rep', value: 1 },
      { name: 'rep', value: [2, 4] },
    ],
    lines: [
      ...['arr value=1.000000 15', 'arr_vidx_1 value=2.000000 15', 'arr_vidx_2 value=3.000000 15'],
      ...['rep value=1.000000 15', 'rep_fidx_1 value=2.000000 15', 'rep_fidx_1_vidx_1 value=4.000000 15'],
    ],
  },
  {
    title: 'all tags, in both spellings',
    config: { tag_fields: '**all**' },
    fields: { a: 1, b: 'x y' },
    lines: [`a${TAGS},a=1,b=x\\ y value=1.000000 54321000`, `b${TAGS},a=1,b=x\\ y value="x y" 54321000`],
  },
  {
    title: 'texts and large numbers',
    config: { tag_fields: 'Type', skip_fields: 'skipme' },
    fields: { a: '12.5', e: -3.14159265, f: 1e21, h: 'x,y=z "q"', skipme: 1 },
    lines: [
      'a,Type=my\\ type value="12.5" 54321000',
      'e,Type=my\\ type value=-3.141593 54321000',
      'f,Type=my\\ type value=1000000000000000000000.000000 54321000',
      'h,Type=my\\ type value="x,y=z \\"q\\"" 54321000',
    ],
  },
  {
    title: 'bools, bytes and a line end in a tag',
    config: { tag_fields: 't', decimal_precision: '0', timestamp_precision: 'ms' },
    fields: { t: 'a\nb', ok: true, raw: { value: 'né', value_type: 1 }, half: 2.5, up: 3.5 },
    lines: ['t', 'ok', 'raw', 'half', 'up'].map((name, i) => `${name},t=a\\ b value=${['"a\nb"', 'true', '"né"', '2', '4'][i]} 54321000`),
  },
  {
    title: 'headers in the prefix, the Payload too',
    config: { tag_fields: '-', name_prefix: '%{Type}/%{Payload}/%{Pid}/%{EnvVersion}/%{Uuid}/' },
    fields: { a: 1, Payload: 'field', Pid: 'field' },
    lines: ['a', 'Payload', 'Pid'].map(
      (name, i) => `my\\ type/p/12//%{Uuid}/${name} value=${['1.000000', '"field"', '"field"'][i]} 54321000`,
    ),
  },
  { title: 'all fields left out', config: { skip_fields: 'a' }, fields: { a: 1 }, lines: [''] },
];

test.each(LINES)('$title', ({ config = {}, fields, lines }) => {
  const plugin = startPlugin(FILE, config);
  expect(plugin.process(plainMessage({ ...BASE, Fields: fields }))).toMatchObject({ rc: 0, injected: [] });
  expect(plugin.timer(0n).injected.map(({ Payload }) => Payload)).toEqual([`${lines.join('\n')}\n`]);
  expect(plugin.timer(1n).injected).toEqual([]);
});

test('tags without a value are left out', () => {
  const plugin = startPlugin(FILE);
  plugin.process(plainMessage({ Timestamp: 1e9, Fields: { a: 1, b: '' } }));
  expect(plugin.timer(0n).injected[0]?.Payload).toBe('a value=1.000000 1000\nb value="" 1000\n');
});

test('messages without fields bring nothing', () => {
  const plugin = startPlugin(FILE, { flush_count: '1' });
  expect(plugin.process(plainMessage(BASE)).injected).toEqual([]);
  expect(plugin.timer(0n).injected).toEqual([]);
});

test.each<[count: string, flushes: number[]]>([
  ['2', [2, 4]],
  ['0', []],
  ['-1', []],
  ['', []],
])('flush_count %s', (flush_count, flushes) => {
  const plugin = startPlugin(FILE, { flush_count });
  const outcomes = [1, 2, 3, 4, 5].map((a): Outcome => plugin.process(plainMessage({ ...BASE, Fields: { a } })));
  expect(outcomes.flatMap(({ injected }, i) => (injected.length > 0 ? [i + 1] : []))).toEqual(flushes);
  const rest = plugin.timer(0n).injected[0]?.Payload?.trimEnd().split('\n').length;
  expect(rest).toBe(5 - flushes.length * 2);
});

test.each(['u', 'n', 'ns', 'banana', ''])('refuses a timestamp_precision of %j', (timestamp_precision) => {
  expect(() => startPlugin(FILE, { timestamp_precision })).toThrow('timestamp_precision');
});

test.each(['x', '1.5', '1 2', 'NaN'])('refuses a flush_count of %j', (flush_count) => {
  expect(() => startPlugin(FILE, { flush_count })).toThrow(`flush_count must be a whole number, not ${JSON.stringify(flush_count)}`);
});

test('refuses variables where names of fields are meant', () => {
  for (const name of ['tag_fields', 'skip_fields']) {
    expect(() => startPlugin(FILE, { [name]: 'a Fields[b]' })).toThrow(`${name}: write b, not Fields[b]`);
  }
});

test.each([
  ['Pid', ''],
  ['EnvVersion Payload Timestamp Uuid', ''],
  ['Payload EnvVersion Pid Hostname', ',Hostname=h\\,1'],
  ['all_base Pid', TAGS],
  ['all_base', TAGS],
])('no other header than those of all_base is a tag: tag_fields %s', (tag_fields, tags) => {
  const plugin = startPlugin(FILE, { tag_fields });
  plugin.process(plainMessage({ ...BASE, EnvVersion: '1', Payload: 'p\nq', Fields: { a: 1 } }));
  expect(plugin.timer(0n).injected[0]?.Payload).toBe(`a${tags} value=1.000000 54321000\n`);
});

test('a field with the name of such a header is a tag when it is named', () => {
  const plugin = startPlugin(FILE, { tag_fields: 'Pid Payload' });
  plugin.process(plainMessage({ ...BASE, Fields: { Pid: 7, a: 1 } }));
  expect(plugin.timer(0n).injected[0]?.Payload).toBe('Pid,Pid=7 value=7.000000 54321000\na,Pid=7 value=1.000000 54321000\n');
});

test('times are those of the encoder schema_influx', () => {
  const plugin = startPlugin(FILE, { tag_fields: '-' });
  const times = Array.from({ length: 1000 }, (_, ms) => 1_614_949_679_000 + ms);
  for (const ms of times) plugin.process({ Timestamp: BigInt(ms) * 1_000_000n, Fields: [{ name: 'a', value: [1], type: 3 }] as never });
  const lines = plugin.timer(0n).injected[0]?.Payload?.trimEnd().split('\n') ?? [];
  expect(lines.map((line) => Number(line.split(' ')[2]))).toEqual(times);
});

test.each(['-1', '1.5', 'x', '', '101'])('refuses a decimal_precision of %j', (decimal_precision) => {
  expect(() => startPlugin(FILE, { decimal_precision })).toThrow('decimal_precision must be a whole number from 0 to 100');
});

test('tags and names follow the messages, however often they change', () => {
  const plugin = startPlugin(FILE, { tag_fields: 'Hostname Severity' });
  const messages = ['a', 'b', '', 'a', 'b c'].flatMap((Hostname, i) => [
    { Timestamp: 0, Hostname, Severity: i % 2, Fields: { [`f ${i % 2}`]: i } },
    { Timestamp: 0, Hostname, Fields: { [`f ${i % 2}`]: i } },
  ]);
  for (const message of messages) plugin.process(plainMessage(message));
  const lines = messages.map(({ Hostname, Severity, Fields }) => {
    const [[name, value] = []] = Object.entries(Fields);
    const tags = `${Hostname === '' ? '' : `,Hostname=${Hostname.replace(' ', '\\ ')}`}${Severity === undefined ? '' : `,Severity=${Severity}`}`;
    return `${name?.replace(' ', '\\ ')}${tags} value=${value}.000000 0\n`;
  });
  expect(plugin.timer(0n).injected[0]?.Payload).toBe(lines.join(''));
});

test('more names than are remembered', () => {
  const plugin = startPlugin(FILE, { tag_fields: '-', flush_count: '1' });
  for (let i = 0; i < 2500; i++) {
    const name = `n ${i % 1200}`;
    const [batch] = plugin.process(plainMessage({ Timestamp: 0, Fields: { [name]: true } })).injected;
    expect(batch?.Payload).toBe(`n\\ ${i % 1200} value=true 0\n`);
  }
});
