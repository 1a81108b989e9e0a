import { describe, expect, test } from 'vitest';
import { generator } from '../../../../bench/random.ts';
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

describe('the bytes of dates', () => {
  const NOWS = ['2021-03-05T14:00:00Z', '2021-03-04T12:07:58Z', '2021-03-04T12:07:30.5Z', '2021-12-31T23:59:58Z', '2020-02-29T00:00:00Z'];
  const DAYS = ['Mar  5', 'mar 05', 'Mar 5', 'Dec 31', 'Jan  1', 'Mar 28', 'Oct 31', 'Feb 29', 'Feb 30', 'Mar 0'];
  const BEHIND = [' box1 su: x', ' box1 su: x', ' box1 su: x', ' 2007 box su: x', ' CET x', '.250 x', ': x', ' ', ''];

  test('are read as their text, whatever was read before', () => {
    const next = generator();
    const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
    const number = (limit: number): string => String(Math.floor(next() * limit)).padStart(2, '0');
    let now = one(NOWS);
    const newDate = (): SyslogDate => new SyslogDate(() => at(now), new WallClock('Europe/Berlin'));
    const kept = newDate();
    let [day, minute] = ['Mar  5', '13:07'];
    let read = 0;
    for (let i = 0; i < 2000; i++) {
      if (next() < 0.05) now = one(NOWS);
      if (next() < 0.1) [day, minute] = [one(DAYS), one(['13:07', '02:59', '23:59', '24:00', `${number(24)}:${number(60)}`])];
      const line = `${day} ${minute}:${one([number(61), number(100), '60', '5x'])}${one(BEHIND)}`;
      const to = kept.readUsual(Buffer.from(`<${line}>`), 1, line.length + 1);
      const fresh = newDate();
      const expected = `${fresh.read(line, 0, line.length, false)} ${fresh.ns}`;
      if (to >= 0) expect(`${to - 1} ${kept.ns}`, line).toBe(expected);
      if (to >= 0) read++;
      else if (next() < 0.5) kept.read(line, 0, line.length, false);
    }
    expect(read).toBeGreaterThan(200);
  });
});
