import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('morgan');

test.each<[line: string, fields: Record<string, unknown>]>([
  ['GET / 304 0.250 ms - -', { request_method: 'GET', uri: '/', status: 304, request_time: [0.25, 'ms'] }],
  ['PROPFIND /a 207 7 ms - 0\r\n', { request_method: 'PROPFIND', uri: '/a', status: 207, request_time: [7, 'ms'], bytes_sent: [0, 'B'] }],
  ['GET /a - - - - ms', { request_method: 'GET', uri: '/a' }],
  [
    'GET /a?b=c%20d 200 5 - 1.5 ms',
    { request_method: 'GET', uri: '/a?b=c%20d', status: 200, request_time: [1.5, 'ms'], bytes_sent: [5, 'B'] },
  ],
])('%j', (line, fields) => expect(decode(line)).toEqual({ ...fields, undated: true }));

test.each([
  '',
  'GET / 200',
  'get / 200 1 ms - 1',
  'GET /a b 200 1 ms - 1',
  'GET / 2000 1 ms - 1',
  'GET / 200 1 ms - 1 x',
  'GET / 200 1 s - 1',
])('%j is refused', (line) => expect(decode(line)).toBe('refused: no request of morgan'));
