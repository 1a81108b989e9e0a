import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };
const WHOLE = { Timestamp: '1614949679000000000' };

describe('leef', () => {
  const decode = decoder('leef');
  const header = { deviceVendor: 'V', deviceProduct: 'P', deviceVersion: '1', eventId: '7' };

  test.each([
    ['LEEF:1.0|V|P|1|7|src=192.0.2.1\tsrcPort=443\tusrName=a b', { src: ['192.0.2.1', 'ipv4'], srcPort: 443, usrName: 'a b' }],
    ['LEEF:1.0|V|P|1|7|^|a=b', { '^|a': 'b' }],
    ['LEEF:2.0|V|P|1|7|^|a=b^c=d=e', { a: 'b', c: 'd=e' }],
    ['LEEF:2.0|V|P|1|7|x5E|a=b^c=d', { a: 'b', c: 'd' }],
    ['LEEF:2.0|V|P|1|7|0x09|a=b\tc=d', { a: 'b', c: 'd' }],
    ['LEEF:2.0|V|P|1|7||a=b\tc=d', { a: 'b', c: 'd' }],
    ['LEEF:2.0|V|P|1|7|a=b\tc=d', { a: 'b', c: 'd' }],
    ['LEEF:2.0|V|P|1|7|\t|a=b\tc=d', { a: 'b', c: 'd' }],
    ['LEEF:1.0|V|P|1|7|sev=9\tmsg=hi', { sev: 9, Severity: 2, Payload: 'hi' }],
    ['LEEF:1.0|V|P|1|7|devTime=1614949679250', AT],
    ['LEEF:1.0|V|P|1|7|devTime=Mar 05 2021 13:07:59.250', AT],
    ['LEEF:1.0|V|P|1|7|devTime=2021/03/05 13:07:59\tdevTimeFormat=yyyy/MM/dd HH:mm:ss', WHOLE],
    ['LEEF:1.0|V|P|1|7|devTime=Mar 05 13:07:59\tdevTimeFormat=MMM dd HH:mm:ss', WHOLE],
    ['LEEF:1.0|V|P|1|7|devTime=then\tdevTimeFormat=bad{', { devTime: 'then', devTimeFormat: 'bad{' }],
    ['LEEF:1.0|V|P|1|7|', {}],
    ['<13>1 2021-03-05T13:07:59.250Z fw1 LEEF:1.0|V|P|1|7|a=b', { prefix: '<13>1 2021-03-05T13:07:59.250Z fw1', a: 'b' }],
    ['<13>Mar  5 13:07:59 fw1 LEEF:1.0|V|P|1|7|a=b', { ...WHOLE, Hostname: 'fw1', Severity: 5, syslogfacility: 1, a: 'b' }],
  ])('%j', (line, expected) => {
    const found = decode(line);
    if ('prefix' in expected) expect(found).toMatchObject({ a: 'b' });
    else expect(found).toEqual({ ...header, ...expected });
  });

  test.each(['', 'LEEF:1.0', 'LEEF:1.0|V|P|1', 'aLEEF:1.0|V|P|1|7|'])('refuses %j', (line) => {
    expect(decode(line)).toMatch(/^refused: (?:no LEEF:|a header of five parts is expected)$/);
  });
});
