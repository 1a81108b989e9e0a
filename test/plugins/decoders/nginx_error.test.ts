import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const base = { Timestamp: '1614949679000000000', Type: 'nginx.error', Pid: 4123, tid: 0 };

test.each([
  [
    '2021/03/05 13:07:59 [error] 4123#7: *99 open() "/srv/x" failed (2: No such file or directory), client: 192.0.2.1',
    { ...base, Severity: 3, tid: 7, connection: 99, Payload: 'open() "/srv/x" failed (2: No such file or directory), client: 192.0.2.1' },
  ],
  ['2021/03/05 13:07:59 [notice] 4123#0: signal process started', { ...base, Severity: 5, Payload: 'signal process started' }],
  ['2021/03/05 13:07:59 [warn] 4123#0: ', { ...base, Severity: 4, Payload: '' }],
  ['2021/03/05 13:07:59 [emerg] 4123#0: *5 a\nb', { ...base, Severity: 0, connection: 5, Payload: 'a\nb' }],
  ['2021/03/05 13:07:59 [alert] 4123#0: a\nb\n', { ...base, Severity: 1, Payload: 'a\nb\n' }],
  ['2021/03/05 13:07:59 [alert] 4123#0: a\n', { ...base, Severity: 1, Payload: 'a' }],
  ['2021/03/05 13:07:59 [error] 4123#0: *5x', { ...base, Severity: 3, Payload: '*5x' }],
  ['2021/03/05 13:07:59 [error] 4123#0: *5', { ...base, Severity: 3, Payload: '*5' }],
  ['2021/03/05 13:07:59 [error] 4123#0: * x', { ...base, Severity: 3, Payload: '* x' }],
  ['2021/03/05 13:07:59 [info] 4123#0: *5 ', { ...base, Severity: 6, connection: 5, Payload: '' }],
  ['2021/03/05\t13:07:59\t[debug]\t4123#0:\tx', { ...base, Severity: 7, Payload: 'x' }],
  ['2021/03/05 13:07:60 [crit] 4123#0: x', { ...base, Timestamp: '1614949680000000000', Severity: 2, Payload: 'x' }],
  ['2021/02/31 00:00:00 [crit] 4123#0: x', { ...base, Timestamp: '1614729600000000000', Severity: 2, Payload: 'x' }],
  ['2021/03/05 13:07:59 [crit] 99999999999#0: x', { Timestamp: base.Timestamp, Type: base.Type, tid: 0, Severity: 2, Payload: 'x' }],
])('%j', (line, expected) => {
  expect(decoder('nginx_error')(line)).toEqual(expected);
});

test.each([
  ['', 'no date at the start'],
  ['2021-03-05 13:07:59 [error] 4123#0: x', 'no date at the start'],
  ['2021/13/05 13:07:59 [error] 4123#0: x', 'no date at the start'],
  ['2021/03/05 24:07:59 [error] 4123#0: x', 'no date at the start'],
  ['2021/03/05 13:07:5', 'no date at the start'],
  ['2021/03/05 13:07:59 [fatal] 4123#0: x', 'no level where it belongs'],
  ['2021/03/05 13:07:59 [ERROR] 4123#0: x', 'no level where it belongs'],
  ['2021/03/05 13:07:59 error: 4123#0: x', 'no level where it belongs'],
  ['2021/03/05 13:07:59  [error] 4123#0: x', 'no level where it belongs'],
  ['2021/03/05 13:07:59 [error]', 'no process and thread where they belong'],
  ['2021/03/05 13:07:59 [error] x#0: x', 'no process and thread where they belong'],
  ['2021/03/05 13:07:59 [error] 4123: x', 'no process and thread where they belong'],
  ['2021/03/05 13:07:59 [error] 4123#0:x', 'no process and thread where they belong'],
  ['2021/03/05 13:07:59 [error] 4123#0:', 'no process and thread where they belong'],
])('refuses %j', (line, reason) => {
  expect(decoder('nginx_error')(line)).toBe(`refused: ${reason}`);
});

test('parameters', () => {
  const decode = decoder('nginx_error', { type: 'web.err', payload_keep: true, tz: '-05:00' });
  const line = '2021/03/05 13:07:59 [crit] 1#2: *3 boom';
  expect(decode(line)).toEqual({
    Type: 'web.err',
    Timestamp: '1614967679000000000',
    Severity: 2,
    Pid: 1,
    tid: 2,
    connection: 3,
    Payload: line,
  });
});
