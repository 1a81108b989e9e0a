import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import { WHOLE } from '../support/reads.ts';

describe('w3c_extended', () => {
  test('takes the names from the source, and new ones from then on', () => {
    const decode = decoder('w3c_extended');
    expect(decode('2021-03-05 13:07:59')).toBe('refused: no line #Fields: before it');
    for (const line of ['#Software: Microsoft Internet Information Services 10.0\r\n', '#Fields: date time c-ip cs(Cookie)\r\n']) {
      expect(decode(line)).toBe('passed on');
    }
    expect(decode('2021-03-05 13:07:59 192.0.2.1 "a ""b"" c"\r\n')).toEqual({
      ...WHOLE,
      remote_addr: ['192.0.2.1', 'ipv4'],
      http_cookie: 'a "b" c',
    });
    expect(decode('#fields: time x-note')).toBe('passed on');
    expect(decode('13:07:59 -')).toEqual({});
    expect(decode('13:07:59')).toBe('refused: 1 values for 2 fields');
  });

  test('values that tabs separate may hold blanks or be empty', () => {
    const decode = decoder('w3c_extended', { fields: 'date\ttime\tx-note\tcs(Cookie)\tsc-status' });
    expect(decode('2021-03-05\t13:07:59\ta b\t"c"\t200\r\n')).toEqual({ ...WHOLE, x_note: 'a b', http_cookie: 'c', status: 200 });
    expect(decode('2021-03-05\t13:07:59\t\t\t200')).toEqual({ ...WHOLE, status: 200 });
    expect(decode('2021-03-05\t13:07:59\ta\t200')).toBe('refused: 4 values for 5 fields');
  });

  test.each(['#Date: 2021-03-05 00:00:00\r\n', '#Date: 05-Mar-2021 00:00:00', '\ufeff#date:2021-03-05'])(
    'a time of the day of %j',
    (directive) => {
      const decode = decoder('w3c_extended', { fields: 'time sc-status' });
      expect(decode('13:07:59 200')).toEqual({ status: 200 });
      expect(decode(directive)).toBe('passed on');
      expect(decode('13:07:59 200')).toEqual({ ...WHOLE, status: 200 });
      expect(decode('- 200')).toEqual({ status: 200 });
      expect(decode('25:07:59 200')).toBe('refused: no date that there is');
    },
  );

  test('a date of the line counts more than that of the source', () => {
    const decode = decoder('w3c_extended', { fields: 'date time' });
    expect(decode('#Date: 2020-01-01 00:00:00')).toBe('passed on');
    expect(decode('2021-03-05 13:07:59')).toEqual(WHOLE);
  });

  test('a date that there is not', () => {
    expect(decoder('w3c_extended', { fields: 'date time' })('2021-13-05 13:07:59')).toBe('refused: no date that there is');
  });
});
