import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileOf, sluicebox } from '../../engine/cli/run-cli.ts';
import { READ_AT, decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const decode = decoder('influx_line');
const AT = { Timestamp: '1614949679250000001' };

describe('points', () => {
  test.each([
    ['m v=1 1614949679250000001', { ...AT, v: 1 }],
    ['m v=1', { v: 1 }],
    ['m v=1 -5', { Timestamp: '-5', v: 1 }],
    ['m v=1.5,w=-2e3,x=+.5,y=1. 1614949679250000001', { ...AT, v: 1.5, w: -2000, x: 0.5, y: 1 }],
    ['m a=1i,b=-9i,c=18u', { a: 1, b: -9, c: 18 }],
    ['m a=18446744073709551615u', { a: '18446744073709551615' }],
    [
      'm a=t,b=T,c=true,d=True,e=TRUE,f=f,g=F,h=false,i=False,j=FALSE',
      { ...Object.fromEntries([...'abcde'].map((name) => [name, true])), ...Object.fromEntries([...'fghij'].map((name) => [name, false])) },
    ],
    ['m s="a b,c=d" 1614949679250000001', { ...AT, s: 'a b,c=d' }],
    ['m s="a\\"b\\\\c\\nd"', { s: 'a"b\\c\\nd' }],
    ['m s=""', { s: '' }],
    ['m,t=a\\ b\\,c\\=d v=1', { t: 'a b,c=d', v: 1 }],
    ['m,t\\ n=x f\\ n=1', { 't n': 'x', 'f n': 1 }],
    ['m,t=C:\\x v=1', { t: 'C:\\x', v: 1 }],
    ['m,a=1 a=2', { a: { first: '1', then: 2 } }],
    ['m   v=1   1614949679250000001  \r', { ...AT, v: 1 }],
  ])('%j', (line, expected) => {
    expect(decode(line)).toEqual({ measurement: 'm', ...expected });
  });

  test('a measurement with marks', () => {
    expect(decode('a\\,b\\ c=d v=1')).toEqual({ measurement: 'a,b c=d', v: 1 });
  });

  test.each([
    ['s', '1614949679', '1614949679000000000'],
    ['ms', '1614949679250', '1614949679250000000'],
    ['us', '1614949679250001', '1614949679250001000'],
    ['ns', '1614949679250000001', '1614949679250000001'],
  ])('precision %s', (precision, written, ns) => {
    expect(decoder('influx_line', { timestamp_precision: precision })(`m v=1 ${written}`)).toMatchObject({ Timestamp: ns });
  });

  test.each(['', '# a comment', '  '])('passes on %j', (line) => {
    expect(decode(line)).toBe('passed on');
  });

  test.each([
    ['m', 'no fields of m'],
    ['m ', 'no fields of m'],
    [',t=1 v=1', 'no measurement'],
    ['m,t v=1', 'no value behind m\'s tag "t"'],
    ['m v', 'no value behind m\'s field "v"'],
    ['m v=', 'no value of any type: '],
    ['m v=x', 'no value of any type: x'],
    ['m v=1.5i', 'no value of any type: 1.5i'],
    ['m v=-1u', 'no value of any type: -1u'],
    ['m v=9223372036854775808i', 'no value of any type: 9223372036854775808i'],
    ['m v=1e999', 'no value of any type: 1e999'],
    ['m v="x', 'a text that does not end'],
    ['m v="x"y', 'text behind a closing quote'],
    ['m v=1 now', 'no timestamp: now'],
    ['m v=1 1 2', 'no timestamp: 1 2'],
  ])('refuses %j', (line, reason) => {
    expect(decode(line)).toBe(`refused: ${reason}`);
  });
});

test('integers that a double does not hold', async () => {
  const file = fileOf('points.influx', 'm a=9223372036854775807i,b=-9223372036854775808i,c=9007199254740993i\n');
  const { out } = await sluicebox(['decode', 'influx_line', file]);
  expect(out).toContain('"value_type":2,"value":[9223372036854775807]');
  expect(out).toContain('"value_type":2,"value":[-9223372036854775808]');
  expect(out).toContain('"value_type":2,"value":[9007199254740993]');
});

test('gives back what was written', () => {
  const plugin = startPlugin('decoders/influx_line.ts');
  const word = fc
    .stringMatching(/^[^\\\r\n\t"#]{1,12}$/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const name = (text: string): string => text.replace(/[ ,=]/g, '\\$&');
  const names = fc.uniqueArray(word, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(
      names,
      word,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.bigInt(1n, 2n ** 62n),
      ([m = '', t = '', f = ''], tag, number, text, time) => {
        const value = `"${text.replace(/["\\]/g, '\\$&')}"`;
        const line = `x${name(m)},${name(t)}=${name(tag)} ${name(f)}=${number},s_=${value} ${time}`;
        const { measurement, Timestamp, s_ } = decodeWith(plugin, line) as Record<string, unknown>;
        expect({ measurement, Timestamp, s_ }).toEqual({ measurement: `x${m}`, Timestamp: String(time), s_: text });
      },
    ),
  );
});

test('nothing stops it', () => {
  const plugin = startPlugin('decoders/influx_line.ts');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('m', ' ', ',', '=', '"', '\\', '1', 'i', 't') }), (Payload) => {
      expect([0, -1]).toContain(plugin.process({ Timestamp: READ_AT, Payload, Fields: [] }).rc);
    }),
  );
});
