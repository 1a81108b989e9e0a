/** Every zone of the database, around the moments at which its clocks were changed, against what Intl says of it. */
import { expect, test } from 'vitest';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

const HOUR = 3600;
const FIRST = Date.UTC(2000) / 1000;
const LAST = Date.UTC(2027) / 1000;
/** Clocks are changed at most four times a year. */
const STEP = 20 * 24 * HOUR;
/** The latest changes of a zone are looked at. */
const CHANGES = 4;

/** Seconds ahead of UTC, from the words of Intl: `GMT+05:45`. */
function intlOffset(zone: string): (seconds: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
  const read = (seconds: number): number => {
    const name = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', rest = '0'] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) as string[];
    return (Number(hours) * HOUR + Number(minutes) * 60 + Number(rest)) * (sign === '-' ? -1 : 1);
  };
  // Intl takes long for each, and most are asked for several times.
  const known = new Map<number, number>();
  return (seconds) => {
    const offset = known.get(seconds) ?? read(seconds);
    known.set(seconds, offset);
    return offset;
  };
}

/** The first second at which the offset is another one than at `from`, of which it is known that it comes before `to`. */
function changeBetween(offset: (seconds: number) => number, from: number, to: number): number {
  const before = offset(from);
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offset(middle) === before) from = middle;
    else to = middle;
  }
  return to;
}

function latestChanges(offset: (seconds: number) => number): number[] {
  const changes: number[] = [];
  for (let to = LAST; to > FIRST && changes.length < CHANGES; to -= STEP) {
    if (offset(to) !== offset(to - STEP)) changes.push(changeBetween(offset, to - STEP, to));
  }
  return changes;
}

/** All times at which a clock shows what UTC shows at `shown`; when there is none, the two that its offsets around make of it. */
function readings(offset: (seconds: number) => number, shown: number, before: number, after: number): number[] {
  const both = [shown - before, shown - after];
  const real = both.filter((seconds) => offset(seconds) === shown - seconds);
  return real.length > 0 ? real : both;
}

test.each(Intl.supportedValuesOf('timeZone'))('%s', (zone) => {
  const clock = new WallClock(zone);
  const offset = intlOffset(zone);
  for (const change of latestChanges(offset)) {
    const [before, after] = [offset(change - 1), offset(change)];
    for (const apart of [-2 * HOUR, -HOUR, -1800, -1, 0, 1, 1800, HOUR - 1, HOUR, 2 * HOUR]) {
      for (const ahead of [before, after]) {
        const shown = change + apart + ahead;
        const read = clock.toUtc(shown * 1e9) / 1e9;
        expect(readings(offset, shown, before, after), `${zone} at ${new Date(shown * 1000).toISOString()}`).toContain(read);
      }
      expect(clock.fromUtc((change + apart) * 1e9) / 1e9).toBe(change + apart + offset(change + apart));
    }
  }
});
