/** Characters that end a line for JavaScript's regular expressions alone are plain characters of a record. */
import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import type { Value } from '../support/message.ts';

type Case = readonly [decoder: string, config: Record<string, Value>, record: (text: string) => string, expected: (text: string) => object];

const CASES: readonly Case[] = [
  [
    'haproxy',
    {},
    (text) => `Mar  5 13:07:59 box1 haproxy[1]: 192.0.2.1:3 [05/Mar/2021:13:07:59.655] fe/1: ${text}`,
    (Payload) => ({ frontend: 'fe', listener: '1', Payload }),
  ],
  [
    'haproxy',
    {},
    (text) => `192.0.2.7:1 [05/Mar/2021:13:08:00.000] fe be/s 0/0/1/2/3 404 17 - - ---- 1/2/3/4/5 6/7 "${text}"`,
    (request) => ({ status: 404, request }),
  ],
  ['haproxy', {}, (text) => `Mar  5 13:07:59 box1 haproxy[1]: ${text}`, (Payload) => ({ programname: 'haproxy', Payload })],
  ['npm', {}, (text) => `npm ERR! ${text}`, (Payload) => ({ Severity: 3, Payload })],
  ['journal_export', {}, (text) => `__REALTIME_TIMESTAMP=1614949679250000\nMESSAGE=${text}\n_PID=7\n`, (Payload) => ({ Payload, Pid: 7 })],
  [
    'windows_event_list',
    {},
    (text) => `TimeCreated : 3/5/2021 1:07:59 PM\nMessage : ${text}\nId : 7\n`,
    (Payload) => ({ Payload, EventID: 7 }),
  ],
  ['w3c_extended', { fields: 'sc-status cs-uri-stem' }, (text) => `200\t"${text}"`, (uri) => ({ status: 200, uri })],
  [
    'linux_auth',
    {},
    (text) => `Mar  5 13:07:59 box1 sudo: alice : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=${text}`,
    (command) => ({ event: 'sudo', user: 'root', command }),
  ],
];

describe.each(CASES)('%s %j', (name, config, record, expected) => {
  test.each(['\u2028', '\u2029', '\r'])('%j', (separator) => {
    const text = `a b${separator}_HOSTNAME=c d`;
    expect(decoder(name, config)(record(text))).toMatchObject(expected(text));
  });
});

test('an entry of the journal with line ends of Windows', () => {
  expect(decoder('journal_export')('__REALTIME_TIMESTAMP=1614949679250000\r\nMESSAGE=a b\r\n_PID=7\r\n')).toEqual({
    ...{ Timestamp: '1614949679250000000', Payload: 'a b', Pid: 7 },
  });
});
