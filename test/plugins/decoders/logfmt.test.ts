import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const NO_HEADERS = { time_field: '', severity_field: '', message_field: '', hostname_field: '', logger_field: '', pid_field: '' };

describe('logfmt', () => {
  test.each([
    ['a=1', { a: 1 }],
    ['  a=1\tb=x \n', { a: 1, b: 'x' }],
    [
      'a=-1.50 b=0 c=0.5 d=007 e=1e3 f=+1 g=.5 h=1. i=1234567890123456 j=12345678901234567',
      {
        ...{ a: '-1.50', b: 0, c: 0.5, d: '007', e: '1e3', f: '+1', g: '.5', h: '1.' },
        ...{ i: 1234567890123456, j: '12345678901234567' },
      },
    ],
    ['a=true b=false c=TRUE d', { a: true, b: false, c: 'TRUE', d: true }],
    ['a="1" b="true" c=""', { a: '1', b: 'true', c: '' }],
    ['a= b=1', { b: 1 }],
    ['a="x y" b="q\\"\\\\" c="\\n\\t\\u00e9\\z"', { a: 'x y', b: 'q"\\', c: '\n\téz' }],
    ['a=b=c d=x"y', { a: 'b=c', d: 'x"y' }],
    ['a=1 a=2', { a: { first: 1, then: 2 } }],
    ['a.b=1 c[0]=2 @x/y=3', { 'a.b': 1, 'c[0]': 2, '@x/y': 3 }],
    [
      'time=2021-03-05T13:07:59Z level=info msg=m hostname=h logger=l pid=7',
      {
        ...{ Timestamp: '1614949679000000000', Severity: 6, Payload: 'm', Hostname: 'h', Logger: 'l', Pid: 7 },
      },
    ],
    ['ts=1614949679.123456789 level=30 msg=5', { Timestamp: '1614949679123456789', Severity: 6, Payload: '5' }],
    ['ts=1614949679.25 msg="a b"', { Timestamp: '1614949679250000000', Payload: 'a b' }],
    ['time=soon level=high pid=main msg', { time: 'soon', level: 'high', pid: 'main', Payload: 'true' }],
    ['pid=99999999999', { pid: 99999999999 }],
    ['pri=6 msg=m', { Severity: 6, Payload: 'm' }],
    ['pri=warning level=info', { Severity: 6, pri: 'warning' }],
  ])('%j', (line, expected) => {
    expect(decoder('logfmt')(line)).toEqual(expected);
  });

  test.each([
    ['', 'no pair of a name and a value'],
    ['plain text', 'no pair of a name and a value'],
    ['=1', 'a value without a name'],
    ['a=1 =1', 'a value without a name'],
    ['a="x', 'a quote that does not end'],
    ['a="x\\"', 'a quote that does not end'],
    ['a="x\\', 'a quote that does not end'],
    ['a="x"y', 'text behind a closing quote'],
    ['a=1 "b"', 'a quote outside of a value'],
  ])('refuses %j', (line, reason) => {
    expect(decoder('logfmt')(line)).toBe(`refused: ${reason}`);
  });

  test('parameters', () => {
    const config = { time_field: 'at', tz: '+01:00', number_fields: 'size:B, n', message_field: 'text', type: 't', payload_keep: true };
    const line = 'at="2021-03-05 14:07:59,5" size=1.5e3 n=007 m=7 text=x';
    expect(decoder('logfmt', config)(line)).toEqual({
      ...{ Timestamp: '1614949679500000000', Type: 't', Payload: line },
      ...{ size: [1500, 'B'], n: 7, m: '7', text: 'x' },
    });
    expect(decoder('logfmt', config)('at=soon')).toBe('refused: at is not a time that can be read');
    expect(decoder('logfmt', { number_fields: '*, size:B' })('size=7 n=8 m=x')).toEqual({ size: [7, 'B'], n: 8, m: 'x' });
    expect(
      decoder('logfmt', { number_fields: '*, id' })('id=9007199254740993 n=9007199254740993 m=-900719925474099 x=0.12345678901234'),
    ).toEqual({
      ...{ id: '9007199254740993', n: '9007199254740993', m: -900719925474099, x: 0.12345678901234 },
    });
  });

  test('reads any pairs back', () => {
    const plugin = startPlugin('decoders/logfmt.ts', NO_HEADERS);
    const name = fc.stringMatching(/^[a-z][a-z0-9_.]{0,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: 'binary' }), { minKeys: 1 }), (record) => {
        const line = Object.entries(record)
          .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
          .join(' ');
        expect(decodeWith(plugin, line)).toEqual({ ...record });
      }),
    );
  });
});
