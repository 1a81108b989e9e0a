import { describe, expect, it } from 'vitest';
import {
  ADDRESSES,
  BYTES,
  CLIENT,
  dateField,
  FRACTION,
  freeText,
  HEXADECIMAL,
  HOST,
  INTEGER,
  MICROSECONDS,
  PROTOCOL,
  REQUEST_METHOD,
  RESPONSE_LENGTHS,
  RESPONSE_TIMES,
  SECONDS,
  STATUS,
  STATUSES,
  type FieldType,
} from '../../../../plugins/lib/format/log_fields.ts';
import { EpochDate } from '../../../../plugins/base/dates.ts';
import { upTo, upToQuote, upToSpace } from '../../../../plugins/base/scan.ts';
import { written } from '../../support/field_types.ts';

describe('types of fields', () => {
  it.each<[name: string, type: FieldType, value: string, calls: unknown[] | null]>([
    ['INTEGER', INTEGER, '42', [['x', 42]]],
    ['INTEGER', INTEGER, '', null],
    ['INTEGER', INTEGER, '-1', null],
    ['HEXADECIMAL', HEXADECIMAL, '7fA', [['x', 0x7fa]]],
    ['HEXADECIMAL', HEXADECIMAL, 'x', null],
    ['MICROSECONDS', MICROSECONDS, '7', [['x (us)', 7]]],
    ['SECONDS', SECONDS, '0.250', [['x (s)', 0.25]]],
    ['SECONDS', SECONDS, '7', null],
    ['FRACTION', FRACTION, '250', [['x', 0.25]]],
    ['STATUS', STATUS, '404', [['x', 404]]],
    ['STATUS', STATUS, '40', null],
    ['BYTES', BYTES, '1234', [['x (B)', 1234]]],
    ['BYTES', BYTES, '-', [['x (B)', 0]]],
    ['HOST', HOST, '192.0.2.1', [['x (ipv4)', '192.0.2.1']]],
    ['HOST', HOST, '2001:db8::7', [['x (ipv6)', '2001:db8::7']]],
    ['HOST', HOST, 'www.example.org', [['x (hostname)', 'www.example.org']]],
    ['CLIENT', CLIENT, 'unix:', [['x (unix)', 'unix:']]],
    ['REQUEST_METHOD', REQUEST_METHOD, 'PROPFIND', [['x', 'PROPFIND']]],
    ['REQUEST_METHOD', REQUEST_METHOD, 'get', null],
    ['PROTOCOL', PROTOCOL, 'HTTP/1.1', [['x', 'HTTP/1.1']]],
    ['PROTOCOL', PROTOCOL, 'HTTP/3', [['x', 'HTTP/3']]],
    ['PROTOCOL', PROTOCOL, 'HTTP/', null],
    ['ADDRESSES', ADDRESSES, '10.0.0.1:80, 10.0.0.2:80 : unix:/s', [['x', ['10.0.0.1:80', '10.0.0.2:80', 'unix:/s']]]],
    ['RESPONSE_TIMES', RESPONSE_TIMES, '0.010, - : 1.5', [['x (s)', [0.01, 0, 1.5]]]],
    ['RESPONSE_LENGTHS', RESPONSE_LENGTHS, '12, 7', [['x (B)', [12, 7]]]],
    ['RESPONSE_LENGTHS', RESPONSE_LENGTHS, '-', [['x', '-']]],
    ['STATUSES', STATUSES, '502, 200', [['x', [502, 200]]]],
    ['STATUSES', STATUSES, '502,200', null],
    ['dateField', dateField(new EpochDate(3)), '1614949679250', [['timestamp', 1614949679250000000]]],
    ['dateField', dateField(new EpochDate(3), ({ seconds }) => seconds), '1614949679250', [['timestamp', 1614949679]]],
    ['freeText', freeText(upToSpace), 'a"b', [['x', 'a"b']]],
    ['freeText', freeText(upToQuote), 'a b', [['x', 'a b']]],
    ['freeText', freeText(upTo(']')), 'a]', null],
  ])('%s %j', (_, type, value, calls) => {
    const shown = written(type, value);
    expect(JSON.stringify(shown, (__, v: unknown) => (typeof v === 'bigint' ? Number(v) : v))).toBe(JSON.stringify(calls));
  });

  it('take further texts where a delimiter marks the end', () => {
    expect(HOST.further?.('fe80::1%eth0 x', 0, 14)).toBe(12);
    expect(REQUEST_METHOD.further?.('\\x16\\x03 x', 0, 10)).toBe(8);
    expect([freeText(upToSpace).isText, INTEGER.isText, dateField(new EpochDate(0)).required, INTEGER.required]).toEqual([
      true,
      undefined,
      true,
      undefined,
    ]);
  });

  it('have code of their own where they are frequent', () => {
    const types = {
      INTEGER,
      STATUS,
      BYTES,
      CLIENT,
      HOST,
      SECONDS,
      quoted: freeText(upToQuote),
      word: freeText(upToSpace),
      other: freeText(upTo(']')),
    };
    expect(Object.entries(types).flatMap(([name, { code }]) => (code === undefined ? [] : [name]))).toEqual([
      'INTEGER',
      'STATUS',
      'BYTES',
      'CLIENT',
      'quoted',
      'word',
    ]);
  });
});
