import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const NO_HEADERS = { time_field: '', severity_field: '', message_field: '', hostname_field: '', pid_field: '' };

describe('csv', () => {
  test.each([
    ['1,x', { a: '1', b: 'x' }],
    ['1,x\r\n', { a: '1', b: 'x' }],
    ['1,x\n', { a: '1', b: 'x' }],
    ['\ufeff1,x', { a: '1', b: 'x' }],
    [' 1 , x ', { a: ' 1 ', b: ' x ' }],
    ['"1","x"', { a: '1', b: 'x' }],
    ['"1,2","x\ny"', { a: '1,2', b: 'x\ny' }],
    ['"say ""x""",""""', { a: 'say "x"', b: '"' }],
    ['"""",""""""', { a: '"', b: '""' }],
    ['5" disk,x"y"', { a: '5" disk', b: 'x"y"' }],
    [',x', { b: 'x' }],
    ['"",', {}],
    ['a,b', 'passed on'],
    ['a,b\r\n', 'passed on'],
    ['', 'refused: 1 values for 2 columns'],
    ['1', 'refused: 1 values for 2 columns'],
    ['1,2,3', 'refused: 3 values for 2 columns'],
    ['"1,2', 'refused: a quote that does not end'],
    ['1,"', 'refused: a quote that does not end'],
    ['"1""', 'refused: a quote that does not end'],
    ['"1"x,2', 'refused: text behind a closing quote'],
  ])('%j', (line, expected) => {
    expect(decoder('csv', { header: 'a,b' })(line)).toEqual(expected);
  });

  test.each([
    ['a, b', ',', '1, x', { a: '1', b: 'x' }],
    ['a, b', ',', '1,x', { a: '1', b: 'x' }],
    ['a, b', ',', '"1", "x, y"', { a: '1', b: 'x, y' }],
    ['"a", "b"', ',', '"1", "say ""x"""', { a: '1', b: 'say "x"' }],
    ['a  | b ', '|', '1  | x y ', { a: '1', b: 'x y' }],
    ['a, b', ',', '1, "x', 'refused: a quote that does not end'],
    ['a,b', ',', '1, "x"', { a: '1', b: ' "x"' }],
  ])('with blanks around the delimiters of its header %j', (header, delimiter, line, expected) => {
    expect(decoder('csv', { header, delimiter })(line)).toEqual(expected);
  });

  const TOO_MANY = Array.from({ length: 30_000 }, (_, i) => `c${i}`).join();

  test('refuses a header of very many columns, and what stands below it', () => {
    const decode = decoder('csv');
    expect(decode(TOO_MANY)).toMatch('refused: 30000 columns, of which a record may have 2000 at most');
    expect(decode(TOO_MANY.replaceAll('c', ''))).toMatch('refused: 30000 columns');
    expect(() => decoder('csv', { header: TOO_MANY })('1')).toThrow('header: 30000 columns');
  });

  test.each([
    ['2021-03-05,1,13:07:59', { Timestamp: '1614949679000000000', n: '1' }],
    ['2021-03-05,1,13:07:59.25+01:00', { Timestamp: '1614946079250000000', n: '1' }],
    [',1,', { n: '1' }],
    ['2021-03-05,1,', 'refused: day + clock is no time that can be read'],
    ['2021-03-05,1,25:00:00', 'refused: day + clock is no time that can be read'],
  ])('reads the date and the time of %j together', (line, expected) => {
    expect(decoder('csv', { header: 'day,n,clock', time_field: 'day + clock' })(line)).toEqual(expected);
  });

  test.each([
    [';', 'a;b', '1;"x;y"', { a: '1', b: 'x;y' }],
    ['tab', 'a\tb', '1\tx, y', { a: '1', b: 'x, y' }],
    ['\\t', 'a\tb', '1\tx', { a: '1', b: 'x' }],
    ['\t', 'a\tb', '1\tx', { a: '1', b: 'x' }],
    ['|', 'a | b|', '1|x|2', { a: '1', b: 'x', column_3: '2' }],
    [',', '"a ""1""",b,b', '1,2,3', { 'a "1"': '1', b: { first: '2', then: '3' } }],
  ])('delimiter %j, header %j', (delimiter, header, line, expected) => {
    expect(decoder('csv', { delimiter, header })(line)).toEqual(expected);
  });

  test('the first record is the header', () => {
    const decode = decoder('csv', { number_fields: 'n' });
    expect(decode('')).toBe('refused: no header: an empty record');
    expect(decode('"n')).toBe('refused: no header: a quote that does not end');
    expect(decode('\ufeffn,text\r\n')).toBe('passed on');
    expect(decode('1,x')).toEqual({ n: 1, text: 'x' });
    expect(decode('n,text')).toBe('passed on');
    expect(decode('n,texts')).toEqual({ n: 'n', text: 'texts' });
  });

  test('the type of the objects stands in front of the header', () => {
    const decode = decoder('csv');
    expect(decode('#TYPE Event')).toBe('passed on');
    expect(decode('"time","note"')).toBe('passed on');
    expect(decode('#TYPE Event')).toBe('passed on');
    expect(decode('#TYPE Event,x')).toEqual({ time: '#TYPE Event', note: 'x' });
    expect(decode('"3/5/2021 1:07:59 PM","x"')).toEqual({ Timestamp: '1614949679000000000', note: 'x' });
  });

  test('headers and numbers', () => {
    const header = 'time,level,message,hostname,pid,size,n,id';
    const line = '2021-03-05 13:07:59.5,warn,"a ""b""",box1,12,1e3,7,007';
    const expected = { Timestamp: '1614949679500000000', Severity: 4, Hostname: 'box1', Pid: 12, size: [1000, 'B'], n: 7, id: '007' };
    const config = { header, number_fields: '*, size:B', type: 't' };
    expect(decoder('csv', config)(line)).toEqual({ ...expected, Type: 't', Payload: 'a "b"' });
    expect(decoder('csv', { ...config, payload_keep: true })(`${line}\n`)).toEqual({
      ...expected,
      Type: 't',
      Payload: line,
      message: 'a "b"',
    });
    expect(decoder('csv', config)('soon,high,m,h,main,-,x,')).toEqual({
      ...{ time: 'soon', level: 'high', Payload: 'm', Hostname: 'h', pid: 'main', size: '-', n: 'x', Type: 't' },
    });
  });

  test('the best of several columns is the header', () => {
    const config = { header: 'timestamp,time,level,severity', severity_field: 'severity, level' };
    const line = '2020-01-01T00:00:00Z,2021-03-05T13:07:59Z,warn,error';
    expect(decoder('csv', config)(line)).toEqual({
      ...{ Timestamp: '1614949679000000000', timestamp: '2020-01-01T00:00:00Z', Severity: 3, level: 'warn' },
    });
  });

  test('a time that must be read', () => {
    const decode = decoder('csv', { header: 'n,Event Time', time_field: 'Event Time' });
    expect(decode('1,soon')).toBe('refused: Event Time is not a time that can be read');
    expect(decode('2,2021-03-05T13:07:59Z')).toEqual({ Timestamp: '1614949679000000000', n: '2' });
    expect(decode('3,')).toEqual({ n: '3' });
  });

  test.each([
    [{ delimiter: ';;' }, 'delimiter must be one character'],
    [{ delimiter: '"' }, 'delimiter must be one character'],
    [{ header: '"a' }, 'header: a quote that does not end'],
    [{ time_format: '%Q' }, 'unknown date specifier'],
  ])('refuses to start with %j', (config, reason) => {
    expect(() => startPlugin('decoders/csv.ts', config)).toThrow(reason);
  });

  test('reads any values back', () => {
    const plugin = startPlugin('decoders/csv.ts', { header: 'a,b,c', ...NO_HEADERS });
    const value = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\n', '""', '\ufeff', 'a,b'));
    fc.assert(
      fc.property(fc.tuple(value, value, value), (values) => {
        const line = values.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
        const fields = ['a', 'b', 'c'].map((name, i) => [name, values[i]]).filter(([, text]) => text !== '');
        expect(decodeWith(plugin, line)).toEqual(Object.fromEntries(fields));
      }),
    );
  });

  test('looks neither before nor behind the record', () => {
    const plugin = startPlugin('decoders/csv.ts', { header: 'a,b', ...NO_HEADERS });
    const piece = fc.oneof(fc.constantFrom('"', ',', 'x', '\n', '\r'), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect(JSON.stringify(decodeWith(plugin, pieces.join('')))).not.toMatch(/^"rc |12:00:00/);
      }),
    );
  });
});
