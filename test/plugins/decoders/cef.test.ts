import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const AT = { Timestamp: '1614949679250000000' };
const WHOLE = { Timestamp: '1614949679000000000' };
const HEADER = { deviceVendor: 'V', deviceProduct: 'P', deviceVersion: '1', deviceEventClassId: '7' };
const cef = (extension: string, severity = '5'): string => `CEF:0|V|P|1|7|Name|${severity}|${extension}`;

describe('cef', () => {
  const decode = decoder('cef');

  test.each([
    ['0', 6],
    ['3', 6],
    ['4', 4],
    ['6', 4],
    ['7', 3],
    ['8', 3],
    ['9', 2],
    ['10', 2],
    ['Low', 6],
    ['Medium', 4],
    ['High', 3],
    ['Very-High', 2],
  ])('severity %s', (written, severity) => {
    const value = /^\d/.test(written) ? Number(written) : written;
    expect(decode(cef('', written))).toEqual({ ...HEADER, Severity: severity, severity: value, Payload: 'Name' });
  });

  test.each(['Unknown', '11', '-1', ''])('no severity %j', (written) => {
    expect(decode(`<13>${cef('', written)}`)).toMatchObject({ Severity: 5, Payload: 'Name' });
    expect(decode(cef('', written))).not.toHaveProperty('Severity');
  });

  test.each([
    ['rt=1614949679250', AT],
    ['rt=Mar 05 2021 13:07:59', WHOLE],
    ['rt=Mar 05 2021 13:07:59.250 UTC', AT],
    ['rt=Mar 5 2021 14:07:59.250 CET', AT],
    ['rt=Mar 05 13:07:59', WHOLE],
    ['rt=2021-03-05T13:07:59.250Z', AT],
    ['start=1614949679250', AT],
    ['end=1614949679250 start=1', { ...AT, start: '1' }],
    ['rt=never start=1614949679250', { ...AT, rt: 'never' }],
    ['src=192.0.2.1 dst=2001:db8::7 shost=h', { src: ['192.0.2.1', 'ipv4'], dst: ['2001:db8::7', 'ipv6'], shost: 'h' }],
    ['spt=443 dpt=x cnt=3 in=5 out=-', { spt: 443, dpt: 'x', cnt: 3, in: [5, 'B'], out: '-' }],
    ['msg=two words  request=http://h/?a=b&c=d act=x', { msg: 'two words', request: 'http://h/?a=b&c=d', act: 'x' }],
    ['msg=a \\= b \\\\ c\\nd\\re f\\|g\\h', { msg: 'a = b \\ c\nd\re f|g\\h' }],
    ['msg=a b\\=c d=e', { msg: 'a b=c', d: 'e' }],
    ['cs1Label=Rule Name cs1=x cs2=y cs2Label=Rule Name', { 'Rule Name': 'x', cs2: 'y', cs2Label: 'Rule Name' }],
    ['cn1Label=hits cn1=7 cs3Label=empty', { hits: 7, cs3Label: 'empty' }],
    ['cs1Label=src cs1=x src=1.2.3.4', { cs1Label: 'src', cs1: 'x', src: ['1.2.3.4', 'ipv4'] }],
    ['dvchost=fw1 dvcpid=812 dvc=192.0.2.9', { Hostname: 'fw1', Pid: 812, dvc: ['192.0.2.9', 'ipv4'] }],
    ['dvc=192.0.2.9', { Hostname: '192.0.2.9', dvc: ['192.0.2.9', 'ipv4'] }],
    ['a= b=', {}],
    ['no pairs', {}],
    ['ad.field[0]=x constructor=y', { 'ad.field[0]': 'x', constructor: 'y' }],
  ])('%s', (extension, expected) => {
    const { Severity: _severity, severity: _written, ...found } = decode(cef(extension)) as Record<string, unknown>;
    expect(Object.entries(found).toSorted()).toEqual(Object.entries({ ...HEADER, Payload: 'Name', ...expected }).toSorted());
  });

  test.each([
    ['<134>1 2021-03-05T13:07:59Z fw1 app 812 - - ', { ...WHOLE, Hostname: 'fw1', Pid: 812, programname: 'app', syslogfacility: 16 }],
    ['<134>Mar  5 13:07:59 fw1 ', { ...WHOLE, Hostname: 'fw1', syslogfacility: 16 }],
    ['Mar  5 13:07:59 fw1 app[812]: ', { ...WHOLE, Hostname: 'fw1', Pid: 812, programname: 'app' }],
    ['2021-03-05T13:07:59Z fw1 ', { ...WHOLE, Hostname: 'fw1' }],
    ['<13>', { syslogfacility: 1 }],
    ['from the gate: ', { prefix: 'from the gate:' }],
  ])('behind %j', (head, expected) => {
    expect(decode(`${head}CEF:0|V|P|1|7|Name|5|a=b\r\n`)).toMatchObject({ ...HEADER, ...expected, Payload: 'Name', Severity: 4, a: 'b' });
  });

  test('labels that are not wanted', () => {
    expect(decoder('cef', { labels: false })(cef('cs1Label=x cs1=y'))).toMatchObject({ cs1Label: 'x', cs1: 'y' });
  });

  test('the line as Payload', () => {
    expect(decoder('cef', { payload_keep: true })(cef('a=b'))).toMatchObject({ Payload: cef('a=b'), name: 'Name' });
  });

  test.each(['', 'CEF:', 'CEF:0', 'xCEF:0|a|b|c|d|e|5|', 'CEF:0|a|b|c|d|e'])('refuses %j', (line) => {
    expect(decode(line)).toMatch(/^refused: (?:no CEF:|a header of seven parts is expected)$/);
  });

  test('a header without an extension', () => {
    expect(decode('CEF:1.2|V|P|1|7|Name|5')).toMatchObject({ Payload: 'Name', Severity: 4 });
  });

  test('gives back what was written', () => {
    const plugin = startPlugin('decoders/cef.ts', { labels: false });
    const text = fc.string({ minLength: 1 }).map((value) => `x${value.replace(/\s+/g, ' ').trim()}x`);
    const header = (value: string): string => value.replace(/[\\|]/g, '\\$&');
    const extension = (value: string): string => value.replace(/[\\=]/g, '\\$&');
    fc.assert(
      fc.property(text, text, fc.dictionary(fc.stringMatching(/^f[a-z]{1,8}$/), text, { minKeys: 1 }), (vendor, name, pairs) => {
        const written = Object.entries(pairs).map(([key, value]) => `${key}=${extension(value)}`);
        const line = `CEF:0|${header(vendor)}|P|1|7|${header(name)}|5|${written.join(' ')}`;
        expect(decodeWith(plugin, line)).toMatchObject({ deviceVendor: vendor, Payload: name, ...pairs });
      }),
    );
  });
});
