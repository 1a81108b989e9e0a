import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('windows_dhcp');
const AT = { Timestamp: '1614949679000000000' };

test.each<[line: string, message: Record<string, unknown>]>([
  ['00,03/05/21,13:07:59,Started,,,', { ...AT, Payload: 'Started', event_id: 0 }],
  [
    '11,03/05/21,13:07:59,Renew,2001:db8::7,box1,00AA,bob,7\r\n',
    {
      ...AT,
      Payload: 'Renew',
      event_id: 11,
      ip_address: ['2001:db8::7', 'ipv6'],
      host_name: 'box1',
      mac_address: '00AA',
      user_name: 'bob',
      transaction_id: '7',
    },
  ],
  [
    '30,03/05/21,13:07:59,DNS Update Request,192.0.2.7,,,,0,6,,,,,,,,,9',
    {
      ...AT,
      Payload: 'DNS Update Request',
      event_id: 30,
      ip_address: ['192.0.2.7', 'ipv4'],
      transaction_id: '0',
      qresult: '6',
      dns_reg_error: '9',
    },
  ],
])('%j', (line, message) => expect(decode(line)).toEqual(message));

test.each(['', '\t\tMicrosoft DHCP Service Activity Log', 'ID,Date,Time,Description', '00 The log was started.'])(
  '%j is passed on',
  (line) => expect(decode(line)).toBe('passed on'),
);

test.each<[line: string, reason: string]>([
  ['10,03/05/21,13:07:59', 'no event of a DHCP server'],
  ['10,3/5/21,13:07:59,Assign,,,', 'no event of a DHCP server'],
  ['10,13/05/21,13:07:59,Assign,,,', 'no date that there is'],
])('%j is refused', (line, reason) => expect(decode(line)).toBe(`refused: ${reason}`));
