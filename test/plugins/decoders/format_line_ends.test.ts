import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import type { Value } from '../support/message.ts';

type Case = readonly [decoder: string, config: Record<string, Value>, lines: readonly string[], fields: Record<string, unknown>];

/** Formats with line ends as configurations have them, behind the last item and within; `lines` are the lines of one record. */
const CASES: readonly Case[] = [
  ['nginx_access', { log_format: '$status $request_length\\n' }, ['200 5'], { status: 200 }],
  ['nginx_access', { log_format: '$status $request_length\n' }, ['200 5'], { status: 200 }],
  ['nginx_access', { log_format: 'log_format m \'$status "$http_x"\\n\';' }, ['200 "a b"'], { status: 200, http_x: 'a b' }],
  ['nginx_access', { log_format: '$status\\n$pid' }, ['200', '7'], { status: 200, pid: 7 }],
  ['apache_access', { log_format: '%s "%{X}i"\\n' }, ['200 "a b"'], { status: 200, http_x: 'a b' }],
  ['apache_access', { log_format: 'LogFormat "%s \\"%{X}i\\"\\n" m' }, ['200 "a b"'], { status: 200, http_x: 'a b' }],
  ['apache_access', { log_format: '%s\\n%{pid}P\\n' }, ['200', '7'], { status: 200, pid: 7 }],
  ['apache_error', { log_format: '[%{uc}t] [%l] %M\\n' }, ['[2021-03-05 13:07:59.250000] [error] x y'], { Payload: 'x y', Severity: 3 }],
  [
    'apache_error',
    { log_format: '[%{uc}t] [%l]\\n%M\\n' },
    ['[2021-03-05 13:07:59.250000] [error]', 'x y'],
    { Payload: 'x y', Severity: 3 },
  ],
  ['envoy_access', { log_format: '[%START_TIME%] %RESPONSE_CODE%\\n' }, ['[2021-03-05T13:07:59.250Z] 200'], { status: 200 }],
  ['envoy_access', { log_format: '[%START_TIME%] %RESPONSE_CODE%\n' }, ['[2021-03-05T13:07:59.250Z] 200'], { status: 200 }],
  ['rsyslog', { template: '%pri% %msg%\\n' }, ['30 a b'], { Severity: 6, Payload: 'a b' }],
  ['rsyslog', { template: '%pri% %msg%\n' }, ['30 a b'], { Severity: 6, Payload: 'a b' }],
  ['rsyslog', { template: '%pri%\\n%msg%\\n' }, ['30', 'a b'], { Severity: 6, Payload: 'a b' }],
  ['rsyslog', { template: '%pri%\\r\\n%msg%\\r\\n' }, ['30', 'a b'], { Severity: 6, Payload: 'a b' }],
];

describe.each(CASES)('%s with %j', (name, config, lines, fields) => {
  const decode = decoder(name, config);

  test.each([
    ['whose end the splitter took', lines.join('\n')],
    ['with its end', `${lines.join('\n')}\n`],
    ['of Windows', `${lines.join('\r\n')}\r\n`],
    ['of Windows, whose end the splitter took', lines.join('\r\n')],
    ['of Windows, half of whose end the splitter took', `${lines.join('\r\n')}\r`],
  ])('takes a record %s', (_, record) => {
    expect(decode(record)).toMatchObject(fields);
  });
});
