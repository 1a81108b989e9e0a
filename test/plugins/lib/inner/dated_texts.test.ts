import { describe, expect, it } from 'vitest';
import { decoder } from '../../support/decode.ts';

/** What a container wrote, behind its name. */
const decode = decoder('prefixed_log');
const inner = (text: string): unknown => decode(`web-1  | ${text}`);
const WHOLE = { Timestamp: '1614949679000000000' };
const AT = { Timestamp: '1614949679250000000' };

describe('texts with a date or a level', () => {
  it.each([
    ['glog', 'E0305 13:07:59.250000 7 shop.cc:12] no', { ...AT, Severity: 3, Payload: 'no' }],
    ['nginx', '2021/03/05 13:07:59 [error] 7#0: *1 no room', { ...WHOLE, Severity: 3, Pid: 7 }],
    ['Apache', '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 7] no room', { ...AT, Severity: 3, Pid: 7 }],
    ['PHP', '[05-Mar-2021 13:07:59 UTC] PHP Warning:  no room in /x.php on line 3', { ...WHOLE, Severity: 4 }],
    ['Redis', '7:M 05 Mar 2021 13:07:59.250 # no room', { ...AT, Severity: 4, Pid: 7, Payload: 'no room' }],
    ['PostgreSQL', '2021-03-05 13:07:59.250 UTC [7] ERROR:  no room', { ...AT, Severity: 3, Pid: 7, Payload: 'no room' }],
    ['npm', 'npm ERR! no room', { Severity: 3 }],
    ['syslog', '<11>1 2021-03-05T13:07:59.250Z box app 7 - - no room', { ...AT, Severity: 3, Hostname: 'box', Pid: 7, Payload: 'no room' }],
    ['a program', '2021-03-05 13:07:59,250 ERROR [main] shop.db - no room', { ...AT, Severity: 3, Logger: 'shop.db', Payload: 'no room' }],
    ['any other with a time', '[05/03/2021 13:07:59] no room', { Payload: expect.stringContaining('no room') }],
  ])('%s', (_, text, message) => {
    expect(inner(text)).toMatchObject({ ...message, container: 'web-1' });
  });

  it.each(['words alone', '3 errors on 5 hosts', '13:07 is no time of a log', 'E0305 no time', '[1] 2'])('not: %s', (text) => {
    expect(inner(text)).toMatchObject({ Payload: text, undated: true });
  });
});
