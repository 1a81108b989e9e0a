import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const at1 = { Timestamp: '1000000000' };

test.each([
  [
    '{"version":"1.1","host":"h1","short_message":"hi","full_message":"long\\ntext","timestamp":1614949679.5,"level":3,"_user_id":42,"_env":"prod","_ok":true}',
    {
      ...{ EnvVersion: '1.1', Hostname: 'h1', Severity: 3, Timestamp: '1614949679500000000' },
      ...{ short_message: 'hi', full_message: 'long\ntext', _user_id: 42, _env: 'prod', _ok: true },
    },
  ],
  ['{"host":"h1","short_message":"hi","timestamp":0}', { Hostname: 'h1', short_message: 'hi', Timestamp: '0' }],
  ['{"timestamp":1,"_a":[1,2]}', { ...at1, _a: [1, 2] }],
  ['{"timestamp":1,"_a":["x"],"_b":[true,false]}', { ...at1, _a: 'x', _b: [true, false] }],
  ['{"timestamp":1,"_n":null,"host":null,"level":null,"version":null}', at1],
  ['{"timestamp":1,"level":"3","host":5,"version":1}', { ...at1, Severity: 3, Hostname: '5', EnvVersion: '1' }],
  ['{"timestamp":1,"level":"high","host":true}', at1],
  ['{"timestamp":1,"level":" "}', at1],
  ['{"timestamp":1,"level":2147483648}', at1],
  ['{"timestamp":1,"level":12345678901234567890}', at1],
  ['{"timestamp":1,"level":" 3 "}', { ...at1, Severity: 3 }],
  [
    '{"timestamp":1,"host":9007199254740993,"version":12345678901234567890}',
    { ...at1, Hostname: '9007199254740993', EnvVersion: '12345678901234567890' },
  ],
  ['{"timestamp":9007199254740994}', { Timestamp: '9007199254740994000000000' }],
  ['{"timestamp":1}', at1],
  [' {"timestamp":-1.5}\n', { Timestamp: '-1500000000' }],
  ['{"timestamp":1,"facility":"f","line":7,"":"e"}', { ...at1, facility: 'f', line: 7, '': 'e' }],
])('%s', (text, expected) => {
  expect(decoder('graylog_extended')(text)).toEqual(expected);
});

test.each([
  ['', 'no JSON object'],
  ['not json', 'no JSON object'],
  ['[]', 'no JSON object'],
  ['[1]', 'no JSON object'],
  ['"x"', 'no JSON object'],
  ['5', 'no JSON object'],
  ['true', 'no JSON object'],
  ['null', 'no JSON object'],
  ['{"timestamp":1} x', 'no JSON object'],
  ['{}', 'no timestamp that is a number'],
  ['{"timestamp":null}', 'no timestamp that is a number'],
  ['{"timestamp":1e999}', 'no timestamp that is a number'],
  ['{"timestamp":"1614949679"}', 'no timestamp that is a number'],
  ['{"timestamp":1,"_o":{"a":1}}', '_o is neither a scalar nor a list of one type'],
  ['{"timestamp":1,"_a":[]}', '_a is neither a scalar nor a list of one type'],
  ['{"timestamp":1,"_a":[1,"x"]}', '_a is neither a scalar nor a list of one type'],
  ['{"timestamp":1,"_a":[[1]]}', '_a is neither a scalar nor a list of one type'],
  ['{"timestamp":1,"_a":[null]}', '_a is neither a scalar nor a list of one type'],
])('refuses %s', (text, reason) => {
  expect(decoder('graylog_extended')(text)).toBe(`refused: ${reason}`);
});

test('parameters', () => {
  const text = '{"timestamp":1}';
  expect(decoder('graylog_extended', { type: 'gelf', payload_keep: true })(text)).toEqual({ ...at1, Type: 'gelf', Payload: text });
});

test.each([
  ['{"short_message":"hi","_a":1,"__b":2,"full_message":"long"}', { Payload: 'hi', a: 1, _b: 2, full_message: 'long' }],
  ['{"timestamp":"1.5","short_message":7}', { Timestamp: '1500000000', short_message: 7 }],
  ['{"timestamp":1,"short_message":"level=warn msg=full","_a":1}', { ...at1, Severity: 4, Payload: 'full', a: 1 }],
])('maps %s', (text, expected) => {
  expect(decoder('graylog_extended', { mapped: true })(text)).toMatchObject(expected);
});

test('mapped: no time, and the JSON as the Payload', () => {
  expect(decoder('graylog_extended', { mapped: true })('{"timestamp":"now"}')).toBe('refused: no timestamp that is a number');
  const text = '{"timestamp":1,"short_message":"hi"}';
  expect(decoder('graylog_extended', { mapped: true, payload_keep: true })(text)).toEqual({ ...at1, Payload: text, short_message: 'hi' });
});
