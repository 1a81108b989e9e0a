import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('rfc3164');
const AT = { Timestamp: '1614949679000000000' };

test.each<[line: string, message: Record<string, unknown>]>([
  [
    '<34>Mar  5 13:07:59 box1 su[230]: x',
    { ...AT, Severity: 2, Hostname: 'box1', Pid: 230, Payload: 'x', programname: 'su', syslogfacility: 4 },
  ],
  ['<34>2021-03-05T13:07:59Z box1 su: x', { ...AT, Severity: 2, Hostname: 'box1', Payload: 'x', programname: 'su', syslogfacility: 4 }],
  ['Mar  5 13:07:59 box1 su[a7]: x\r\n', { ...AT, Hostname: 'box1', Payload: 'x', programname: 'su', procid: 'a7' }],
  ['<34>only words', { Severity: 2, Payload: 'only words', syslogfacility: 4 }],
  ['<0>x', { Severity: 0, Payload: 'x', syslogfacility: 0 }],
  ['<191>x', { Severity: 7, Payload: 'x', syslogfacility: 23 }],
])('%j', (line, message) => expect(decode(line)).toEqual(message));

test.each<[line: string, reason: string]>([
  ['', 'neither a priority nor a date'],
  ['<192>x', 'neither a priority nor a date'],
  ['<34x', 'neither a priority nor a date'],
  ['<34>1 2021-03-05T13:07:59Z h a - - - x', 'a line of RFC 5424'],
])('%j is refused', (line, reason) => expect(decode(line)).toBe(`refused: ${reason}`));

test('a text that is a record is opened, unless it is to stay one', () => {
  const line = '<34>Mar  5 13:07:59 box1 su: {"a":1}';
  expect(decode(line)).toMatchObject({ a: 1, programname: 'su' });
  expect(decode(line)).not.toHaveProperty('Payload');
  expect(decoder('rfc3164', { unwrap: false })(line)).toMatchObject({ Payload: '{"a":1}' });
  expect(decoder('rfc3164', { unwrap: false, prefix_keep: true })(line)).toMatchObject({ Payload: line });
});
