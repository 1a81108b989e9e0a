import { describe, expect, it } from 'vitest';
import { Rotation } from '../../../engine/outputs/rotation.ts';
import { formatTime } from '../../../engine/outputs/time-name.ts';

const at = (text: string): number => Date.parse(text);

describe('a name with a time', () => {
  it.each([
    ['%Y-%m-%d %H:%M:%S', '2021-03-05 13:07:59'],
    ['%y %e %k %l %I %p %j', '21  5 13  1 01 PM 064'],
    ['%a %A %b %B %h', 'Fri Friday Mar March Mar'],
    ['%c|%D|%F|%R|%r|%T|%x|%X', 'Fri Mar  5 13:07:59 2021|03/05/21|2021-03-05|13:07|01:07:59 PM|13:07:59|03/05/21|13:07:59'],
    ['%s %L %C %u %w %U %W %V %G %g', '1614949679 250 20 5 5 09 09 09 2021 21'],
    ['%z %Z 100%% %n%t|', '+0000 UTC 100% \n\t|'],
    ['%Q %', '%Q %'],
  ])('%j', (format, wanted) => expect(formatTime(format, new Date('2021-03-05T13:07:59.250Z'))).toBe(wanted));

  it.each([
    ['2021-01-03T00:00:00Z', '2020 53 01 00 7'],
    ['2021-01-04T00:00:00Z', '2021 01 01 01 1'],
    ['2024-12-30T00:00:00Z', '2025 01 52 53 1'],
    ['2016-01-01T23:59:59Z', '2015 53 00 00 5'],
  ])('has the weeks of %s', (time, wanted) => expect(formatTime('%G %V %U %W %u', new Date(time))).toBe(wanted));
});

describe('rotation', () => {
  it.each([
    [1, '2021-03-05T13:07:00Z', ['13.07', '14.00', '15.00']],
    [4, '2021-03-05T13:07:00Z', ['13.07', '16.00', '20.00']],
    [12, '2021-03-05T13:07:00Z', ['13.07', '00.00', '12.00']],
    [24, '2021-03-05T13:07:00Z', ['13.07', '00.00', '00.00']],
    [0, '2021-03-05T13:07:00Z', ['%H.%M']],
  ])('every %i hours', (hours, start, wanted) => {
    const rotation = new Rotation('%H.%M', hours, at(start));
    const names = [rotation.path];
    for (let minute = 1; names.length < wanted.length && minute < 3 * 1440; minute++) {
      if (rotation.turn(at(start) + minute * 60_000)) names.push(rotation.path);
    }
    expect(names).toEqual(wanted);
    // Set back to the start, the clock has an earlier file; there is none without rotation.
    expect(rotation.turn(at(start))).toBe(hours > 0);
    expect(rotation.turn(at(start))).toBe(false);
  });

  it('goes by the last full hour when nothing came for long', () => {
    const rotation = new Rotation('%d-%H', 1, at('2021-03-05T13:07:00Z'));
    expect(rotation.turn(at('2021-03-07T09:59:59Z'))).toBe(true);
    expect(rotation.path).toBe('07-09');
    expect(rotation.turn(at('2021-03-07T09:59:59Z'))).toBe(false);
    expect(rotation.turn(at('2021-03-07T10:00:00Z'))).toBe(true);
  });
});
