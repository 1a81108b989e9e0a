import { messageOf } from '../../engine/message/json/json-parse.ts';
import type { Message } from '../../engine/message/types.ts';

const message = (severity: number, payload: string, fields: Record<string, unknown>): Message =>
  messageOf({
    Uuid: '0f6a1c2e-1111-4222-8333-944455556666',
    Timestamp: 0,
    Type: 'nginx.access',
    Severity: severity,
    Payload: payload,
    Fields: Object.entries(fields).map(([name, value]) => ({ name, value: [value] })),
  });

/** The messages that the cases select from. */
export const MESSAGES: readonly Message[] = [
  message(3, 'GET / took 12 ms', { status: 500, uri: '/api/a', level: 'x', remote_addr: '10.1.2.3' }),
  message(4, 'Connection timeout', { status: 503, uri: '/', user: 'ann', remote_addr: '192.0.2.1' }),
  message(6, 'rm -rf "a b"', { status: 200, uri: '/api/b' }),
  message(7, '', { status: '500', message: 'connection refused' }),
  message(6, '', { status: 200, msg: 'job ended', 'error.stack': 'Error: deadline exceeded\n  at run (jobs.js:1)' }),
];

/** Expressions with the numbers of the messages that each door lets through. */
export const CASES: readonly (readonly [expression: string, rows: readonly number[]])[] = [
  // Of the matcher's language: exactly what it says.
  ['Severity == 3', [0]],
  ['Fields[status] == 500', [0]],
  ["Fields[status] == '500'", [3]],
  ["Fields[status] != '500'", []],
  ["Payload == '' || Fields[user] == 'ann'", [1, 3, 4]],
  ['Payload =~ /timeout/ && TRUE', [1]],
  ['Fields[remote_addr] in 10.0.0.0/8', [0]],
  ['TRUE', [0, 1, 2, 3, 4]],
  ['FALSE', []],
  // Levels.
  ['level:error', [0]],
  ['level>=warn', [0, 1]],
  ['lvl in (warn, error)', [0, 1]],
  ['level:x', [0]],
  ['-level:debug', [0, 1, 2, 4]],
  // Values, lists, families, ranges.
  ['status == 500', [0]],
  ['status = 500', [0]],
  ['status:500', [0, 3]],
  ['status:5xx', [0, 1]],
  ['status:(500 or 503)', [0, 1, 3]],
  ['status in (500, 503)', [0, 1, 3]],
  ['status:>=500', [0, 1]],
  ['status >= 201 status < 503', [0]],
  ['-status:200 uri:*', [0, 1]],
  ['not user:*', [0, 2, 3, 4]],
  ['uri:/api/*', [0, 2]],
  ["uri:'/'", [1]],
  ['user:*', [1]],
  ['Payload:*12*', [0]],
  ['type:nginx.access', [0, 1, 2, 3, 4]],
  // Networks.
  ['remote_addr in 10.0.0.0/8', [0]],
  ['remote_addr:10.0.0.0/8', [0]],
  ['remote_addr not in 10.0.0.0/8', [1, 2, 3, 4]],
  // Any text of the record: its Payload, or a field.
  ['timeout', [1]],
  ['connection', [1, 3]],
  ['connection refused', [3]],
  ['CONNECTION', [1, 3]],
  ['12', [0]],
  ['rm -rf', [2]],
  ['"connection refused"', [3]],
  ["'A B'", [2]],
  ['"\\"a b"', [2]],
  ['/took \\d+/', [0]],
  ['/TOOK/', []],
  ['-connection', [0, 2, 4]],
  ['not "took 12"', [1, 2, 3, 4]],
  ['deadline', [4]],
  ['DEADLINE exceeded', [4]],
  ['/at run \\(/', [4]],
  ['/^job ended$/', [4]],
  ['ann', [1]],
  ['api', [0, 2]],
  ['-"api" -"connection"', [4]],
  ['* =~ /api|ended/', [0, 2, 4]],
  ['* !~ /./', []],
  // The record's text: its Payload, or its field message.
  ['message:api', []],
  ['message:timeout', [1]],
  ['message:(timeout or refused)', [1, 3]],
  ['message:"connection refused"', [3]],
  ['message:/^conn/', [3]],
  ['message:conn*', [3]],
  ['-message:connection', [0, 2, 4]],
  ['message:*', [0, 1, 2, 3]],
  ['message == "Connection timeout"', [1]],
  ['message ~ ^[Cc]onn', [1, 3]],
  ['message !~ /onn/', [0, 2, 4]],
  // Together.
  ['status:5xx && Severity < 4', [0]],
  ['status:5xx remote_addr in 10.0.0.0/8', [0]],
  ['status:5xx timeout', [1]],
  ['timeout status:5xx', [1]],
  ['"timeout" or /refused/', [1, 3]],
  ['(timeout or level:debug) -status:503', [3]],
  ['level:warn -took', [1]],
  ['Severity == 4 status:5xx', [1]],
];

/** Mistakes: the expression, and what each door says. */
export const MISTAKES: readonly (readonly [expression: string, said: RegExp])[] = [
  // Of the matcher's language: refused as ever.
  ['Type = ', /column 6: .*equality is ==/],
  ["Type = 'x'", /column 6: .*equality is ==/],
  ["type == 'x'", /column 1: .*write Type/],
  ["Severity == '6'", /column 13: .*Severity is a number/],
  ['Type == 6', /column 9/],
  ['Type == NIL', /column 9: .*only a field is compared with NIL/],
  ['Fields[a] != TRUE', /column 14: .*compared with == only/],
  ['Fields[a] > NIL', /column 13/],
  ["Type == 'a' & TRUE", /column 13/],
  ["Type =~ 'x'", /column 9/],
  ["'x' == Type", /column 1: .*variable stands on the left/],
  ["(Type == 'x'", /column 13: .*column 1 is not closed/],
  ["Type == 'x", /column 11: .*closing quote/],
  ['Pid == -1', /column 8: .*negative number/],
  ["* == 'x'", /column 3/],
  ['* =~ "x"', /column 6/],
  ['TRUE FALSE', /column 6/],
  ["Type == 'x' foo", /column 13/],
  ["Type == 'x' Pid == 1", /column 13/],
  ['NIL', /column 1/],
  ['', /column 1/],
  // Of the short forms.
  ['status:(500', /column 12: expected a comma or a closing bracket/],
  ['status:5xx &&', /column 14: expected the name of a field/],
  ['status:NIL', /column 8: write -status:\* for records without it/],
  ['status:500 Payload =~ /(/', /column 23/],
  ['level:error uri =~ /a', /column 20: the closing \/ is missing/],
  ["level:error Type = 'x'", /column 18: .*equality is ==/],
  ['remote_addr in 10.0.0.0/33', /column 16: .*0 to 32/],
];
