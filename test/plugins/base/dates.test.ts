import { expect, test } from 'vitest';
import { ClfDate } from '../../../plugins/base/dates.ts';

test('a reader that keeps the day and the zone of the date before reads what a new one does', () => {
  const kept = new ClfDate();
  const dates = [
    '05/Mar/2021:13:07:59 +0100',
    '05/Mar/2021:13:08:00 +0100',
    '05/Mar/2021:13:08:00 -0330',
    '06/Mar/2021:00:00:60 -0330',
    '06/Mar/2021:00:00:61 -0330',
    '06/Mar/2021:00:00:00 -033',
    '06/Mar/2021:00:00:00 -0360',
    '06/Mar/2021:00:00:00 -0330',
    '06-Mar-2021:00:00:00 -0330',
    '32/Mar/2021:00:00:00 -0330',
    '06/Mar/2021:00:00:00  0330',
    '06/Mar/2021:00:00:00 -0330',
  ];
  for (const date of dates) {
    const fresh = new ClfDate();
    const expected = fresh.read(date, 0, date.length);
    expect(kept.read(date, 0, date.length), date).toBe(expected);
    if (expected >= 0) expect(kept.seconds, date).toBe(fresh.seconds);
  }
});
