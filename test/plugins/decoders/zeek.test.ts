import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import { AT } from '../support/reads.ts';

describe('zeek', () => {
  test('takes all from the head of the log, and new names from then on', () => {
    const decode = decoder('zeek');
    expect(decode('1614949679.25|C1')).toBe('refused: no line #fields before it');
    const head = [
      '#separator \\x7c',
      '#set_separator|;',
      '#empty_field|EMPTY',
      '#unset_field|NONE',
      '#path|dns',
      '#open|2021-03-05-13-07-59',
    ];
    for (const line of [...head, '#fields|ts|q|n|b|set', '#types|time|string|vector[count]|bool|set[addr]'])
      expect(decode(line)).toBe('passed on');
    expect(decode('1614949679.250000|é\\xc3\\xa9|1;NONE;2|F|EMPTY\r\n')).toEqual({ ...AT, Type: 'zeek.dns', q: 'éé', n: [1, 2], b: false });
    expect(decode('NONE|EMPTY|x;1|NONE|NONE')).toEqual({ Type: 'zeek.dns', q: '', n: ['x', '1'] });
    expect(decode('#fields|ts|t')).toBe('passed on');
    expect(decode('#types|time|time')).toBe('passed on');
    expect(decode('1614949679.25|1614949680.5')).toEqual({ ...AT, Type: 'zeek.dns', t: 1614949680.5 });
    expect(decode('later|1')).toBe('refused: no time that can be read');
    expect(decode('1614949679.25')).toBe('refused: 1 values for 2 fields');
    expect(decode('#close|2021-03-05-14-00-00')).toBe('passed on');
  });
});
