import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base64 } from '../../../plugins/lib/json/base64.ts';
import { zoneOffset } from '../../../plugins/base/zone_offset.ts';
import { plainMessage, type Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const AT = 1614949679e9;
/** The last nanosecond of a day, of which the nearest double is the next day. */
const MIDNIGHT = 1614988799999999999n;

function encode(file: string, config: Record<string, Value>, message: InjectMessage): string | number {
  const { rc, injected } = startPlugin(`encoders/${file}.ts`, config).process(plainMessage(message));
  return rc === 0 ? (injected[0]?.Payload ?? '') : rc;
}

test.each<[title: string, config: Record<string, Value>, payload: string, text: string | number]>([
  ['a line', {}, 'hi', 'hi\n'],
  ['a line with its end', {}, 'hi\n', 'hi\n\n'],
  ['no end', { append_newlines: false }, 'hi', 'hi'],
  ['nothing', { append_newlines: false }, '', -2],
  ['an empty line', {}, '', '\n'],
  ['another form', { prefix_ts: true, ts_format: '%H:%M ', tz: '-03:30' }, 'hi', '09:37 hi\n'],
  ['a named zone', { prefix_ts: true, ts_format: '%F %T %z', tz: 'Europe/Berlin' }, 'hi', '2021-03-05 14:07:59 +0100 hi\n'],
])('plain text: %s', (_title, config, Payload, text) => {
  expect(encode('plain_text', config, { Timestamp: AT, Payload })).toBe(text);
});

test('plain text in the local zone, with the time of the system', () => {
  const text = encode('plain_text', { prefix_ts: true, ts_from_message: false, ts_format: '%s' }, { Timestamp: 1, Payload: 'x' });
  expect(Math.abs(Number.parseInt(String(text)) - Date.now() / 1000)).toBeLessThan(10);
});

test.each<[encoder: string, config: Record<string, Value>, text: string]>([
  ['alert', {}, 'Timestamp: 2021-03-05T23:59:59Z\nHostname: \nPlugin: \nAlert: hi\n'],
  ['es_payload', { es_index_from_timestamp: true }, '{"index":{"_index":"heka-2021.03.05","_type":"message"}}\nhi\n'],
  ['plain_text', { prefix_ts: true, tz: 'UTC' }, '[2021/Mar/05:23:59:59 +0000] hi\n'],
  ['schema_carbon_line', {}, 'a 1 1614988799\n'],
])('the last nanosecond of a second: %s', (encoder, config, text) => {
  expect(encode(encoder, config, { Timestamp: MIDNIGHT, Payload: 'hi', Fields: { a: 1 } })).toBe(text);
});

test.each<[zone: string, date: string, offset: number]>([
  ['UTC', '2021-07-01', 0],
  ['+05:45', '2021-07-01', 20700],
  ['Europe/Berlin', '2021-03-28T00:59:59Z', 3600],
  ['Europe/Berlin', '2021-03-28T01:00:00Z', 7200],
  ['Australia/Lord_Howe', '2021-07-01', 37800],
  ['America/New_York', '2021-01-01', -18000],
])('the clock of %s at %s', (zone, date, offset) => {
  const clock = zoneOffset(zone);
  expect([clock(Date.parse(date) / 1000), clock(Date.parse(date) / 1000)]).toEqual([offset, offset]);
});

test('a zone that there is not', () => {
  expect(() => startPlugin('encoders/plain_text.ts', { tz: 'Mars/Olympus' })).toThrow('there is no time zone Mars/Olympus');
});

test.each<[title: string, config: Record<string, Value>, message: InjectMessage, line: object]>([
  ['headers that are not set', {}, { Timestamp: AT }, { Timestamp: '2021-03-05T13:07:59Z' }],
  [
    'all headers',
    { timestamp: 's' },
    { Timestamp: AT, Type: 'T', Logger: 'L', Severity: 0, Payload: 'P', EnvVersion: 'E', Pid: 7, Hostname: 'H' },
    { Timestamp: 1614949679, Type: 'T', Logger: 'L', Severity: 0, Payload: 'P', EnvVersion: 'E', Pid: 7, Hostname: 'H' },
  ],
  [
    'names that are taken',
    { skip_fields: 'Timestamp b' },
    {
      Timestamp: AT,
      Type: 'T',
      Fields: [
        { name: 'Type', value: 1 },
        { name: 'a', value: 2 },
        { name: 'a', value: 3 },
        { name: 'b', value: 4 },
      ],
    },
    { Type: 'T', Type2: 1, a: 2, a2: 3 },
  ],
  [
    'values of all kinds',
    { timestamp: 'us', nested_fields: 'f' },
    { Timestamp: AT + 1e3, Fields: { s: 'é"', raw: { value: 'ab', value_type: 1 }, list: [1.5, -2], ok: false, nan: NaN, Type: 'x' } },
    { Timestamp: 1614949679000001, f: { s: 'é"', raw: 'YWI=', list: [1.5, -2], ok: false, nan: null, Type: 'x' } },
  ],
  ['a time before 1970', {}, { Timestamp: -1e6 }, { Timestamp: '1969-12-31T23:59:59.999Z' }],
])('JSON lines: %s', (_title, config, message, line) => {
  expect(encode('json_lines', config, message)).toBe(`${JSON.stringify(line)}\n`);
});

test('JSON lines: nanoseconds with all their digits', () => {
  for (const Timestamp of [1614949679123456789n, -9223372036854775808n, 0n])
    expect(encode('json_lines', { timestamp: 'ns' }, { Timestamp })).toBe(`{"Timestamp":${Timestamp}}\n`);
});

test('JSON lines: a form of the time that there is not', () => {
  expect(() => startPlugin('encoders/json_lines.ts', { timestamp: 'h' })).toThrow('timestamp must be one of rfc3339, s, ms, us, ns');
});

test('JSON lines: names that mean something in JavaScript', () => {
  const Fields = [
    { name: '__proto__', value: 1 },
    { name: 'constructor', value: 2 },
  ];
  expect(encode('json_lines', { skip_fields: 'Timestamp' }, { Timestamp: AT, Fields })).toBe('{"__proto__":1,"constructor":2}\n');
});

test('base64 as Node writes it', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }),
  );
});

test('JSON lines: many names, again and again, keep their order', () => {
  const plugin = startPlugin('encoders/json_lines.ts', { skip_fields: 'Timestamp' });
  for (let i = 0; i < 1200; i++) {
    const Fields = [`n${i % 700}`, '7', 'é"'].map((name, value) => ({ name, value }));
    const { injected } = plugin.process(plainMessage({ Timestamp: AT, Fields }));
    expect(injected[0]?.Payload).toBe(`{"n${i % 700}":0,"7":1,"é\\"":2}\n`);
  }
});

test('JSON lines: times of one second, and of the next', () => {
  const plugin = startPlugin('encoders/json_lines.ts');
  const times = [0, 1e3, 999_999e3, 1e9, 1e9 + 120e6, 0].map(
    (ns) => plugin.process(plainMessage({ Timestamp: AT + ns })).injected[0]?.Payload,
  );
  expect(times).toEqual(
    ['07:59Z', '07:59.000001Z', '07:59.999999Z', '08:00Z', '08:00.12Z', '07:59Z'].map((time) => `{"Timestamp":"2021-03-05T13:${time}"}\n`),
  );
});
