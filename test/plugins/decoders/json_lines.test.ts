import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const at = { Timestamp: '1614949679000000000' };
const time = '"time":"2021-03-05T13:07:59Z"';

describe('members', () => {
  test.each([
    ['{}', {}],
    [' {"a":1} \n', { a: 1 }],
    ['{"a":1,"b":"x","c":true,"d":-1.5e3}', { a: 1, b: 'x', c: true, d: -1500 }],
    ['{"a":null,"b":[],"c":{}}', {}],
    ['{"a":{"b":{"c":1,"d":null}},"a.e":2}', { 'a.b.c': 1, 'a.e': 2 }],
    ['{"a":[1,2],"b":["x"],"c":[true,false]}', { a: [1, 2], b: 'x', c: [true, false] }],
    ['{"a":[1,"x"]}', { a: ['[1,"x"]', 'json'] }],
    ['{"a":[{"b":1}],"c":[[1]],"d":[null]}', { a: ['[{"b":1}]', 'json'], c: ['[[1]]', 'json'], d: ['[null]', 'json'] }],
    ['{"constructor":1,"toString":"x"}', { constructor: 1, toString: 'x' }],
    ['{"a":"\\ud83d\\ude00\\n"}', { a: '😀\n' }],
  ])('%s', (line, expected) => {
    expect(decoder('json_lines')(line)).toEqual(expected);
  });

  test.each([
    ['{"id":1150123456789012345,"n":-9223372036854775808}', { id: 1150123456789012345n, n: -(2n ** 63n) }],
    ['{"a":{"id":9007199254740993},"b":9007199254740991}', { 'a.id': 9007199254740993n, b: 9007199254740991 }],
    ['{"a":9007199254740993.5,"b":9007199254740993e0}', { a: 9007199254740994, b: 9007199254740992 }],
    [
      '{"ids":[1150123456789012345,7],"mixed":[9007199254740993,1.5]}',
      { ids: [1150123456789012345n, 7n], mixed: ['[9007199254740993,1.5]', 'json'] },
    ],
    ['{"a":[{"id":9007199254740993,"t":"9007199254740993"}]}', { a: ['[{"id":9007199254740993,"t":"9007199254740993"}]', 'json'] }],
    [
      '{"u":18446744073709551615,"d":18446744073709552000,"e":100000000000000000000}',
      { u: '18446744073709551615', d: 18446744073709552000, e: 1e20 },
    ],
    [
      '{"level":9007199254740993,"pid":9007199254740993,"host":"x","hostname":9007199254740993}',
      { level: 9007199254740993n, pid: 9007199254740993n, host: 'x', Hostname: '9007199254740993' },
    ],
    ['{"time":1614949679123456789,"text":"a:9007199254740993,"}', { Timestamp: '1614949679123456789', text: 'a:9007199254740993,' }],
  ])('keeps all digits of integers: %s', (line, expected) => {
    expect(decoder('json_lines')(line)).toEqual(expected);
  });

  test.each(['', 'x', '[]', '1', 'null', '{"a":1', '{"a":1}{"b":', "{'a':1}"])('refuses %j', (line) => {
    expect(decoder('json_lines')(line)).toBe('refused: no JSON object');
  });
});

describe('headers', () => {
  test.each([
    [
      `{${time},"level":"warn","message":"m","hostname":"h","logger":"l","pid":7}`,
      { ...at, Severity: 4, Payload: 'm', Hostname: 'h', Logger: 'l', Pid: 7 },
    ],
    ['{"ts":1614949679.5,"level":"INFO","msg":"m"}', { Timestamp: '1614949679500000000', Severity: 6, Payload: 'm' }],
    [
      '{"@timestamp":"2021-03-05T13:07:59.250Z","log":{"level":"error","logger":"l"},"host":{"name":"h"},"process":{"pid":7}}',
      {
        ...{ Timestamp: '1614949679250000000', Severity: 3, Logger: 'l', Hostname: 'h', Pid: 7 },
      },
    ],
    [
      '{"log":"line\\n","stream":"stdout","time":"2021-03-05T13:07:59.123456789Z"}',
      { Timestamp: '1614949679123456789', Payload: 'line\n', stream: 'stdout' },
    ],
    [
      '{"__REALTIME_TIMESTAMP":"1614949679123456","PRIORITY":"3","MESSAGE":"m","_HOSTNAME":"h","_PID":"812","SYSLOG_IDENTIFIER":"sshd"}',
      { Timestamp: '1614949679123456000', Severity: 3, Payload: 'm', Hostname: 'h', Pid: 812, SYSLOG_IDENTIFIER: 'sshd' },
    ],
    [`{${time},"Severity":"Error","Msg":"m"}`, { ...at, Severity: 3, Payload: 'm' }],
    [`{${time},"LEVEL":"WARN","body":"m"}`, { ...at, Severity: 4, Payload: 'm' }],
    [`{${time},"severityText":"ERROR","body":{"stringValue":"m"}}`, { ...at, Severity: 3, Payload: 'm' }],
    ['{"time":"20210305T130759Z","_raw":"m"}', { ...at, Payload: 'm' }],
    [
      '{"name":"a","hostname":"h","pid":1,"level":50,"msg":"m","time":"2021-03-05T13:07:59.000Z","v":0}',
      {
        ...{ ...at, Severity: 3, Hostname: 'h', Pid: 1, Payload: 'm', name: 'a', v: 0 },
      },
    ],
  ])('%s', (line, expected) => {
    expect(decoder('json_lines')(line)).toEqual(expected);
  });

  test.each([
    ['{"date":"2021-03-05","time":"13:07:59","msg":"m"}', { ...at, Payload: 'm' }],
    ['{"Date":"05.03.2021","Time":"13:07:59","msg":"m"}', { ...at, Payload: 'm' }],
    ['{"timestampSeconds":1614949679,"timestampNanos":0,"msg":"m"}', { ...at, Payload: 'm' }],
    [`{${time},"levelno":40,"msg":"m"}`, { ...at, Severity: 3, Payload: 'm' }],
    [`{${time},"severityNumber":17,"body":"m"}`, { ...at, Severity: 3, Payload: 'm' }],
    [`{${time},"level_value":30000,"msg":"m"}`, { ...at, Severity: 4, Payload: 'm' }],
  ])('that are one header: %s', (line, expected) => {
    expect(decoder('json_lines')(line)).toEqual(expected);
  });

  test.each([
    ['{"time":"soon","level":"high","pid":"main"}', { time: 'soon', level: 'high', pid: 'main' }],
    ['{"time":12,"level":true,"pid":-1}', { time: 12, level: true, pid: -1 }],
    ['{"time":{"a":1},"message":["x","y"]}', { 'time.a': 1, message: ['x', 'y'] }],
    [`{"timestamp":"2020-01-01T00:00:00Z",${time}}`, { ...at, timestamp: '2020-01-01T00:00:00Z' }],
    [`{${time},"timestamp":"2020-01-01T00:00:00Z"}`, { ...at, timestamp: '2020-01-01T00:00:00Z' }],
    ['{"msg":"short","message":"long"}', { Payload: 'long', msg: 'short' }],
    ['{"message":5}', { Payload: '5' }],
  ])('what does not fit stays a field: %s', (line, expected) => {
    expect(decoder('json_lines')(line)).toEqual(expected);
  });

  test('parameters', () => {
    const line = `{${time},"at":"05.03.2021 13:07","sev":20,"text":"m","host":"h","unit":"u","proc":9}`;
    const config = {
      ...{ time_field: 'when, at', time_format: '%d.%m.%Y %H:%M', severity_field: 'sev', severity_scale: 'python', message_field: 'text' },
      ...{ hostname_field: 'host', logger_field: 'unit', pid_field: 'proc', type: 'app', tz: '+01:00' },
    };
    const headers = { Timestamp: '1614946020000000000', Type: 'app', Severity: 6, Hostname: 'h', Logger: 'u', Pid: 9 };
    const other = { time: '2021-03-05T13:07:59Z' };
    expect(decoder('json_lines', config)(line)).toEqual({ ...headers, ...other, Payload: 'm' });
    expect(decoder('json_lines', { ...config, payload_keep: true })(line)).toEqual({ ...headers, ...other, Payload: line, text: 'm' });
  });

  test('a time that must be read', () => {
    const decode = decoder('json_lines', { time_field: 'at' });
    expect(decode('{"at":"soon"}')).toBe('refused: at is not a time that can be read');
    expect(decode('{"b":1}')).toEqual({ b: 1 });
  });

  test('a number of seconds that is beyond all numbers is no time', () => {
    const decode = decoder('json_lines', { time_field: 'at', time_format: '%s' });
    expect(decode(`{"at":"${'9'.repeat(400)}"}`)).toBe('refused: at is not a time that can be read');
  });

  test('no field is a header', () => {
    const config = { time_field: '', severity_field: '', message_field: '', hostname_field: '', logger_field: '', pid_field: '' };
    const record = { time: '2021-03-05T13:07:59Z', level: 'info', msg: 'm', pid: 3 };
    expect(decoder('json_lines', config)(JSON.stringify(record))).toEqual(record);
  });

  test.each([
    [{ time_format: '%Q' }, 'unknown date specifier'],
    [{ severity_scale: 'x' }, 'severity_scale must be one of'],
  ])('refuses to start with %j', (config, reason) => {
    expect(() => startPlugin('decoders/json_lines.ts', config)).toThrow(reason);
  });
});

describe('deep nesting', () => {
  const nested = (name: string, depth: number): string => `${`{"${name}":`.repeat(depth)}1${'}'.repeat(depth)}`;

  test('ends as text', () => {
    expect(decoder('json_lines')(nested('a', 25))).toEqual({ [`${'a.'.repeat(20)}a`]: [nested('a', 4), 'json'] });
  });

  test.each(['a', '1'])('stops nothing: %s', (name) => {
    expect(JSON.stringify(decoder('json_lines')(nested(name, 100_000))).slice(0, 100)).toMatch(/^(?:\{"|"refused: nested too deeply)/);
  });
});

test('takes every object, and nothing stops it', () => {
  const plugin = startPlugin('decoders/json_lines.ts');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      expect(typeof decodeWith(plugin, JSON.stringify(record))).toBe('object');
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(JSON.stringify(decodeWith(plugin, text))).not.toMatch(/^"rc /);
    }),
  );
});

test('a byte order mark in front of an object', () => {
  expect(decoder('json_lines')('\ufeff{"a":1}')).toEqual({ a: 1 });
});

test('an object in colours', () => {
  expect(decoder('json_lines')('\x1b[32m{"a":1}\x1b[0m')).toEqual({ a: 1 });
});

test.each([
  ['a level at the beginning', '{"message":"ERROR: no route","pod":"a"}', { Severity: 3, Payload: 'ERROR: no route', pod: 'a' }],
  ['the level of its own', '{"level":"info","message":"ERROR: no route"}', { Severity: 6, Payload: 'ERROR: no route' }],
  ['a sentence', '{"message":"Error handling is on"}', { Payload: 'Error handling is on' }],
  [
    "logrus' colours",
    '{"log":"\\u001b[31mERRO\\u001b[0m[0013] no                            \\u001b[31mtill\\u001b[0m=7"}',
    { Severity: 3, Payload: 'no', uptime: [13, 's'], till: 7 },
  ],
])('a text with %s', (_, line, message) => {
  expect(decoder('json_lines')(line)).toEqual(message);
});
