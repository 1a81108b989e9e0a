import { describe, expect, test } from 'vitest';
import { SyslogDate } from '../../../../plugins/lib/syslog/syslog_date.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';

const at = (text: string): number => Date.parse(text) * 1e6;

/** Reads the date of one line after the other with one reader, and with a new one for each. */
function readBoth(lines: readonly (readonly [line: string, now: string])[]): { one: string[]; each: string[] } {
  let now = '';
  const read = (date: SyslogDate, line: string): string => `${date.read(line, 0, line.length, false)} ${date.ns}`;
  const newDate = (): SyslogDate => new SyslogDate(() => at(now), new WallClock('Europe/Berlin'));
  const kept = newDate();
  const one: string[] = [];
  const each: string[] = [];
  for (const [line, readAt] of lines) {
    now = readAt;
    one.push(read(kept, line));
    each.push(read(newDate(), line));
  }
  return { one, each };
}

describe('a date that the line before had', () => {
  const NOW = '2021-03-05T14:00:00Z';
  const DATE = 'Mar  5 13:07:59';

  test.each([
    ['is the same', `${DATE} box1 su: x`, NOW],
    ['is of another year', `${DATE} box1 su: x`, '2022-03-05T14:00:00Z'],
    ['has the year behind it', `${DATE} 2007 box1 su: x`, NOW],
    ['has a zone behind it', `${DATE} CET box1 su: x`, NOW],
    ['has an offset behind it', `${DATE} +0300 box1 su: x`, NOW],
    ['has a fraction', `${DATE}.250 box1 su: x`, NOW],
    ['is before a host in capitals', `${DATE} BOX su: x`, NOW],
    ['ends the line', DATE, NOW],
    ['is before a blank that ends the line', `${DATE} `, NOW],
  ])('%s', (_, line, now) => {
    const { one, each } = readBoth([
      [`${DATE} box1 sshd[1]: a`, NOW],
      [line, now],
      [`${DATE} box1 sshd[2]: b`, NOW],
    ]);
    expect(one).toEqual(each);
  });
});
