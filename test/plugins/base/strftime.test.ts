import { describe, expect, test } from 'vitest';
import { FormatDate } from '../../../plugins/base/strftime.ts';
import type { DateReader } from '../../../plugins/base/dates.ts';

/** Reads a date of this format; null when the whole text is none. */
function read(format: string, text: string): string | null {
  const date = new FormatDate(format);
  return date.read(text, 0, text.length) === text.length ? new Date(date.seconds * 1000).toISOString() : null;
}

/** The specifiers beside a day, a month and a year. */
describe('specifiers', () => {
  const DAY = '%Y-%m-%d ';
  const day = (text: string): string => `2021-03-05 ${text}`;

  test.each([
    ['%a', 'Fri', '2021-03-05T12:00:00.000Z'],
    ['%A', 'Friday', '2021-03-05T12:00:00.000Z'],
    ['%A', 'Fri', null],
    ['%C', '20', '2021-03-05T12:00:00.000Z'],
    ['%H', '23', '2021-03-05T23:00:00.000Z'],
    ['%H', '24', null],
    ['%H', '7', null],
    ['%k', ' 7', '2021-03-05T07:00:00.000Z'],
    ['%k', '07', null],
    ['%k', '23', '2021-03-05T23:00:00.000Z'],
    ['%l %p', ' 7 PM', '2021-03-05T19:00:00.000Z'],
    ['%l', '13', null],
    ['%I %p', '12 AM', '2021-03-05T00:00:00.000Z'],
    ['%I %p', '12 PM', '2021-03-05T12:00:00.000Z'],
    ['%I %p', '13 PM', null],
    ['%I %p', '11 pm', null],
    ['%j', '366', '2021-03-05T12:00:00.000Z'],
    ['%j', '000', null],
    ['%R', '13:07', '2021-03-05T13:07:00.000Z'],
    ['%r', '01:07:59 PM', '2021-03-05T13:07:59.000Z'],
    ['%T', '13:07:60', '2021-03-05T13:08:00.000Z'],
    ['%T', '13:07:61', null],
    ['%X', '13:07:59', '2021-03-05T13:07:59.000Z'],
    ['%H:%M:%S', '13:07:61', '2021-03-05T13:08:01.000Z'],
    ['%H:%M:%S', '13:07:62', null],
    ['%u %w %U %V %W', '7 0 53 53 53', '2021-03-05T12:00:00.000Z'],
    ['%u', '0', null],
    ['%w', '7', null],
    ['%U', '54', null],
    ['%T %z', '13:07:59 +0100', '2021-03-05T12:07:59.000Z'],
    ['%T %z', '13:07:59 +01:00', null],
    ['%T %Z', '13:07:59 PDT', '2021-03-05T20:07:59.000Z'],
    ['%T %Z', '13:07:59 CET', '2021-03-05T13:07:59.000Z'],
    ['%T %Z', '13:07:59 ', '2021-03-05T13:07:59.000Z'],
    ['%n%t%%', '\n\t%', '2021-03-05T12:00:00.000Z'],
    [' %%', '\t%', '2021-03-05T12:00:00.000Z'],
    ['x%%y', 'x%y', '2021-03-05T12:00:00.000Z'],
    ['%s', '1614949679', '2021-03-05T13:07:59.000Z'],
  ])('%s in %j', (format, text, expected) => {
    expect(read(DAY + format, day(text))).toBe(expected);
  });
});

test.each([
  ['%D', '03/05/21', '2021-03-05T12:00:00.000Z'],
  ['%x %X', '03/05/21 13:07:59', '2021-03-05T13:07:59.000Z'],
  ['%F', '2021-03-05', '2021-03-05T12:00:00.000Z'],
  ['%c', 'Fri Mar  5 13:07:59 2021', '2021-03-05T13:07:59.000Z'],
  ['%d %B %G', '05 March 2021', '2021-03-05T12:00:00.000Z'],
  ['%d %h %g', '05 Mar 21', '2021-03-05T12:00:00.000Z'],
  ['%e.%m.%y', ' 5.03.21', '2021-03-05T12:00:00.000Z'],
  ['%e.%m.%y', '05.03.21', null],
  ['%d.%m.%Y', '31.02.2021', '2021-03-03T12:00:00.000Z'],
  ['%d.%m.%Y', '29.02.2024', '2024-02-29T12:00:00.000Z'],
  ['%d.%m.%Y', '29.02.2023', '2023-03-01T12:00:00.000Z'],
  ['%d.%m.%Y', '00.02.2021', null],
  ['%d.%m.%Y', '05.13.2021', null],
  ['%m.%Y', '03.2021', null],
  ['%d.%m', '05.03', null],
  ['%H:%M', '13:07', null],
  ['%s', '1614949679', '2021-03-05T13:07:59.000Z'],
  ['%s', '9'.repeat(400), null],
])('%s of %j', (format, text, expected) => {
  expect(read(format, text)).toBe(expected);
});

test.each(['%Q', '%E', '%5', '%', '%é'])('there is no specifier %j', (format) => {
  expect(() => new FormatDate(format)).toThrow(/unknown date specifier/);
});

/** The part of the text that the reader takes, and the time in it; null when it takes nothing. */
function readPart(reader: DateReader, text: string): [taken: string, iso: string] | null {
  const to = reader.read(`9${text}:00`, 1, text.length + 1);
  return to < 0 ? null : [text.slice(0, to - 1), new Date(reader.seconds * 1000 + reader.nanos / 1e6).toISOString()];
}

describe('dates in a format', () => {
  test.each([
    ['%a %A %b %e %T %Y', 'Fri Friday Mar  5 13:07:59 2021', '2021-03-05T13:07:59.000Z'],
    ['%c', 'Fri Mar  5 13:07:59 2021', '2021-03-05T13:07:59.000Z'],
    ['%D %r', '03/05/21 01:07:59 PM', '2021-03-05T13:07:59.000Z'],
    ['%F %I %p', '2021-03-05 12 AM', '2021-03-05T00:00:00.000Z'],
    ['%F %I %p', '2021-03-05 12 PM', '2021-03-05T12:00:00.000Z'],
    ['%F %k:%M', '2021-03-05  7:08', '2021-03-05T07:08:00.000Z'],
    ['%F %l%p', '2021-03-05 11PM', '2021-03-05T23:00:00.000Z'],
    ['%F', '2021-03-05', '2021-03-05T12:00:00.000Z'],
    ['%d %B %G%n%R', '05 September 2021\n13:07', '2021-09-05T13:07:00.000Z'],
    ['%F %X %z', '2021-03-05 13:07:59 +0130', '2021-03-05T11:37:59.000Z'],
    ['%F %X %Z', '2021-03-05 13:07:59 PST', '2021-03-05T21:07:59.000Z'],
    ['%F %X %Z', '2021-03-05 13:07:59 CET', '2021-03-05T13:07:59.000Z'],
    ['%F %X%Z', '2021-03-05 13:07:59', '2021-03-05T13:07:59.000Z'],
    ['%s', '1614949679', '2021-03-05T13:07:59.000Z'],
    ['%x\t%j %u %w %U %C%%', '03/05/21 064 5 5 09 20%', '2021-03-05T12:00:00.000Z'],
  ])('%j takes %j', (format, text, iso) => {
    expect(readPart(new FormatDate(format), text)).toEqual([text, iso]);
  });

  test.each([
    ['%H:%M', '13:07'],
    ['%F', '2021-3-05'],
    ['%F', '2021-03-5'],
    ['%F %H', '2021-03-05 24'],
    ['%F %p', '2021-03-05 XM'],
    ['%a %F', 'Xxx 2021-03-05'],
    ['%F!', '2021-03-05'],
  ])('%j does not take %j', (format, text) => {
    expect(readPart(new FormatDate(format), text)).toBeNull();
  });

  test.each(['%Q', '%', '%F %-d', '%E'])('%j has no meaning', (format) => {
    expect(() => new FormatDate(format)).toThrow('unknown date specifier');
  });
});
