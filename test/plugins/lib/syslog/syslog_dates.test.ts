import { describe, expect, it } from 'vitest';
import { SyslogLine } from '../../../../plugins/lib/syslog/syslog_line.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';
import { MONTHS, READ_AT } from '../../base/time/time_cases.ts';

const AT = Date.UTC(2021, 2, 5, 13, 7, 59) * 1e6;
const line = new SyslogLine(() => READ_AT, new WallClock('UTC'));

/** Time, host, program and process, or none. */
function read(text: string): string {
  if (!line.parse(text, 0, text.length)) return 'none';
  const word = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  return `${line.ns === null ? 'no time' : Number(line.ns) / 1e6} ${word(line.host)} ${word(line.program)} ${line.pid}`;
}

describe('dates of syslog', () => {
  it.each(MONTHS)('reads months in %s', (_, october, march) => {
    expect(read(`${october} 21 12:00:00 box1 systemd[1]: x`)).toBe(`${Date.UTC(2020, 9, 21, 12)} box1 systemd 1`);
    expect(read(`${march} 05 13:07:59 box1 kernel: x`)).toBe(`${AT / 1e6} box1 kernel -1`);
  });

  it.each([
    '2021/03/05 13:07:59',
    '2021-03-05 13:07:59',
    '2021-03-05,13:07:59',
    '05-Mar-2021 13:07:59',
    '05/Mar/2021:13:07:59 +0000',
    'Fri Mar  5 13:07:59 2021',
    'Fri Mar 05 2021 14:07:59 GMT+0100 (CET)',
    '20210305T130759Z',
    '2021-03-05T13:07:59',
    '05.03.2021 13:07:59',
    '2021 Mar  5 13:07:59',
    'Mar  5 2021 13:07:59',
    'Mar  5 13:07:59 2021',
    'Mar  5 14:07:59 CET',
    'Mar  5 13:07:59 UTC 2021',
    '1614949679',
  ])('reads %s behind a priority', (date) => {
    expect(read(`<134>${date} box1 app[7]: x`)).toBe(`${AT / 1e6} box1 app 7`);
  });

  it.each([
    'May 5 of 6 things: x',
    'Mar 05, 2021 13:07:59 INFO x',
    'I0305 13:07:59.250000 7 a.cc:1] x',
    '05.03.2021 13:07:59 box1 app: x',
    'sub 12',
  ])('takes %s for none of syslog', (text) => {
    expect(read(text)).toBe('none');
  });
});
