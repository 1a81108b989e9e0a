import { describe, expect, it } from 'vitest';
import { LogTime } from '../../../../plugins/base/time/log_time.ts';
import { TimeFinder } from '../../../../plugins/lib/time/time_finder.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';
import { READ_AT } from '../../base/time/time_cases.ts';

const time = new LogTime(() => READ_AT, new WallClock('UTC'), 'mdy');
const finder = new TimeFinder(time);
const MS = 1_614_949_679_000;

/** The text of the time, and its milliseconds. */
function find(text: string, at = 0, end = text.length): [text: string, ms: number] | null {
  return finder.find(text, at, end) ? [text.slice(finder.from, finder.to), Number(time.ns / 1_000_000n)] : null;
}

describe('TimeFinder', () => {
  it.each<[line: string, found: string]>([
    ['2021-03-05 13:07:59 words', '2021-03-05 13:07:59'],
    ['[2021-03-05T13:07:59Z] words', '2021-03-05T13:07:59Z'],
    ['box1 app: 2021-03-05 13:07:59 words', '2021-03-05 13:07:59'],
    ['level=info time="2021-03-05T13:07:59Z"', '2021-03-05T13:07:59Z'],
    ['a b c d e f g [05/Mar/2021:13:07:59 +0000] x', '05/Mar/2021:13:07:59 +0000'],
    ['x:2021-03-05 13:07:59 y', '2021-03-05 13:07:59'],
    ['1614949679 words', '1614949679'],
    ['a b c d 1614949679 words', '1614949679'],
    ['a b c d e f ts=1614949679 words', '1614949679'],
  ])('%j', (line, found) => expect(find(line)).toEqual([found, MS]));

  it('has a time without a date among the first two words alone', () => {
    expect(find('a 13:07:59 b')?.[0]).toBe('13:07:59');
    expect(find('a b c 13:07:59')).toBeNull();
    expect(find('a b c time=13:07:59')?.[0]).toBe('13:07:59');
    expect(find('2021-02-30 13:07:59 x')).toBeNull();
  });

  it.each(['', 'words alone', 'a b c d e f 1614949679', 'id=1614949679 x', 'v2021-03-05x', 'x2021-03-05 1', '10.0.0.1 - -'])(
    '%j has none',
    (line) => expect(find(line)).toBeNull(),
  );

  it('looks at a piece of the text, and not far', () => {
    const line = 'x 2021-03-05 13:07:59 y';
    expect(find(line, 21, line.length)).toBeNull();
    expect(find(line, 0, 12)).toBeNull();
    expect(find(`${'zzzz '.repeat(39)}2021-03-05 13:07:59`)?.[1]).toBe(MS);
    expect(find(`${'zzzz '.repeat(40)}2021-03-05 13:07:59`)).toBeNull();
  });
});
