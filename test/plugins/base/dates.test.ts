import { expect, test, describe } from 'vitest';
import { ClfDate, Rfc3164Date, Rfc3339Date, daysSince1970, type DateReader } from '../../../plugins/base/dates.ts';
import fc from 'fast-check';

test('a reader that keeps the day and the zone of the date before reads what a new one does', () => {
  const kept = new ClfDate();
  const dates = [
    '05/Mar/2021:13:07:59 +0100',
    '05/Mar/2021:13:08:00 +0100',
    '05/Mar/2021:13:08:00 -0330',
    '05/Mar/2021:13:08:00:250 -0330',
    '05/Mar/2021:13:08:00.5 -0330',
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

/** The part of the text that the reader takes, and the time in it; null when it takes nothing. */
function read(reader: DateReader, text: string): [taken: string, iso: string] | null {
  const to = reader.read(`9${text}:00`, 1, text.length + 1);
  return to < 0 ? null : [text.slice(0, to - 1), new Date(reader.seconds * 1000 + reader.nanos / 1e6).toISOString()];
}

describe('dates', () => {
  test.each([
    ['05/Mar/2021:13:07:59 +0100', '2021-03-05T12:07:59.000Z'],
    ['31/Dec/1969:23:59:60 -0830', '1970-01-01T08:30:00.000Z'],
    ['31/Feb/2021:00:00:00 +0000', '2021-03-03T00:00:00.000Z'],
    ['29/Feb/0000:00:00:00 +0000', '0000-02-29T00:00:00.000Z'],
  ])('of the common log format: %s', (text, iso) => {
    expect(read(new ClfDate(), text)).toEqual([text, iso]);
  });

  test.each([
    '05/Mar/2021:13:07:59',
    '05/Mar/2021:13:07:59 0100',
    '05/Mar/2021:13:07:59 +01:00',
    '5/Mar/2021:13:07:59 +0100',
    '05/mar/2021:13:07:59 +0100',
    '32/Mar/2021:13:07:59 +0100',
    '05/Mar/2021:24:07:59 +0100',
    '05/Mar/2021:13:60:59 +0100',
    '05/Mar/2021:13:07:61 +0100',
    '05-Mar-2021:13:07:59 +0100',
    '05/Mar/2021:13:07:59 +010',
  ])('not of the common log format: %s', (text) => {
    expect(read(new ClfDate(), text)).toBeNull();
  });

  test.each([
    ['2021-03-05T13:07:59Z', '2021-03-05T13:07:59.000Z'],
    ['2021-03-05T13:07:59.250+01:00', '2021-03-05T12:07:59.250Z'],
    ['2021-03-05T13:07:60.5-07:30', '2021-03-05T20:38:00.500Z'],
  ])('of RFC 3339: %s', (text, iso) => {
    expect(read(new Rfc3339Date(), text)).toEqual([text, iso]);
  });

  test.each([
    '2021-03-05t13:07:59Z',
    '2021-03-05T13:07:59z',
    '2021-03-05T13:07:59',
    '2021-03-05T13:07:59.Z',
    '2021-13-05T13:07:59Z',
    '2021-03-05T13:07:59+0100',
  ])('not of RFC 3339: %s', (text) => {
    expect(read(new Rfc3339Date(), text)).toBeNull();
  });

  test.each(['Mar  5 13:07:59', 'Mar 05 13:07:59', 'Mar   5  13:07:59', 'Mar 5 13:07:59'])('of RFC 3164: %s', (text) => {
    expect(read(new Rfc3164Date(() => Date.UTC(2021, 5) * 1e6), text)).toEqual([text, '2021-03-05T13:07:59.000Z']);
  });

  test('RFC 3339 as the language writes it', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        expect(read(new Rfc3339Date(), date.toISOString())?.[1]).toBe(date.toISOString());
      }),
    );
  });

  test('days as the language counts them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          expect(daysSince1970(year, month, day)).toBe(Date.UTC(year, month - 1, day) / 86_400_000);
        },
      ),
    );
  });
});
