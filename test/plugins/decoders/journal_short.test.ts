import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('journal_short', { tz: '+01:00' });
const AT = { Timestamp: '1614949679250123000' };
const WHOLE = { Timestamp: '1614949679000000000' };
const ENTRY = { Hostname: 'box1', programname: 'sshd', Pid: 4411, Payload: 'Accepted: x' };

test.each([
  ['Mar 05 14:07:59', WHOLE],
  ['Mar 05 14:07:59.250123', AT],
  ['2021-03-05T14:07:59+0100', WHOLE],
  ['2021-03-05T14:07:59.250123+0100', AT],
  ['2021-03-05T13:07:59.250123+00:00', AT],
  ['Fri 2021-03-05 14:07:59 CET', WHOLE],
  ['Fri 2021-03-05 13:07:59.250123 UTC', AT],
  ['ven. 2021-03-05 14:07:59 CET', WHOLE],
  ['пт 2021-03-05 14:07:59 CET', WHOLE],
  ['金 2021-03-05 14:07:59 CET', WHOLE],
  ['1614949679.250123', AT],
  ['[    1.234567]', { uptime: [1.234567, 's'] }],
  ['[123456.234567]', { uptime: [123456.234567, 's'] }],
  ['[    1.234567 <    0.000123 >]', { uptime: [1.234567, 's'], delta: [0.000123, 's'] }],
  ['[    1.234567 <              >]', { uptime: [1.234567, 's'] }],
])('%s', (time, expected) => {
  expect(decode(`${time} box1 sshd[4411]: Accepted: x\n`)).toEqual({ ...ENTRY, ...expected });
});

test.each([
  ['box1 kernel: Linux', { programname: 'kernel', Payload: 'Linux' }],
  ['box1 ssh.service[4411]: x', { programname: 'ssh.service', Pid: 4411, Payload: 'x' }],
  ['box1 unknown[-]: x', { programname: 'unknown', Payload: 'x' }],
  ['box1 (sd-pam)[77]: x', { programname: '(sd-pam)', Pid: 77, Payload: 'x' }],
  ['box1 a b[5]: x', { programname: 'a b', Pid: 5, Payload: 'x' }],
  ['box1 app[a]: x', { programname: 'app', procid: 'a', Payload: 'x' }],
  ['box1 app[5]: ', { programname: 'app', Pid: 5, Payload: '' }],
  ['box1 app[5]: a\n               b', { programname: 'app', Pid: 5, Payload: 'a\n               b' }],
])('%j', (entry, expected) => {
  expect(decode(`[    1.000000] ${entry}`)).toEqual({ Hostname: 'box1', uptime: [1, 's'], ...expected });
});

test.each([
  ['2021-03-05T13:07:58Z', '1614949679234567000'],
  ['1614949678.5', '1614949679734567000'],
  ['2021-03-05 14:07:58', '1614949679234567000'],
])('the machine was started at %s', (boot_time, ns) => {
  const since = decoder('journal_short', { boot_time, tz: '+01:00' });
  expect(since('[    1.234567] box1 sshd[4411]: Accepted: x')).toEqual({ ...ENTRY, Timestamp: ns, uptime: [1.234567, 's'] });
});

test('a start that is not a time', () => {
  expect(() => decoder('journal_short', { boot_time: 'soon' })).toThrow('boot_time is not a time that can be read: soon');
});

test.each(['-- Boot 7f9c0a5e6b7d4c0f8a1b2c3d4e5f6a7b --', '-- Logs begin at Fri 2021-03-05 14:07:59 CET. --', '-- No entries --'])(
  'passes on %s',
  (line) => {
    expect(decode(line)).toBe('passed on');
  },
);

test.each(['', 'x', '[    1.234567] box1', 'Mar 05 14:07:59'])('refuses %j', (line) => {
  expect(decode(line)).toBe('refused: no time in front of a host');
});
