import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('windows_event_list');
const AT = { Timestamp: '1614949679000000000' };

test.each<[record: string, message: Record<string, unknown>]>([
  ['TimeCreated : 3/5/2021 1:07:59 PM\r\nLevelDisplayName : Error\r\nProcessId : 812\r\n', { ...AT, Severity: 3, Pid: 812 }],
  ['TimeGenerated : 05/03/2021 13:07:59\nMachineName : box1\nMessage :', { ...AT, Hostname: 'box1' }],
  ['first words\nTimeCreated : 3/5/2021 1:07:59 PM\nMessage : a\n  b:\n\n   C : d', { ...AT, Payload: 'a\nb:\n\nC : d' }],
  ['TimeCreated : 3/5/2021 1:07:59 PM\nProperties : {a, b}\nUserId : S-1-5-18', { ...AT, UserId: 'S-1-5-18' }],
  ['TimeCreated : 3/5/2021 1:07:59 PM\nLevel : 2\nLevelDisplayName : Warning', { ...AT, Severity: 4, Level: '2' }],
])('%j', (record, message) => expect(decode(record)).toEqual(message));

test('a record may be kept', () => {
  const record = 'TimeCreated : 3/5/2021 1:07:59 PM\nMessage : a';
  expect(decoder('windows_event_list', { payload_keep: true })(record)).toEqual({ ...AT, Payload: record, Message: 'a' });
});

test.each(['', 'words', 'TimeCreated : soon', 'Id : 7', 'timecreated : 3/5/2021 1:07:59 PM'])('%j is refused', (record) =>
  expect(decode(record)).toBe('refused: no time of an event'),
);
