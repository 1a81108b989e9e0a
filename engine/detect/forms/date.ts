/** Dates among the values of a log. */
import { AnyDate } from '../../../plugins/modules/any_date.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';

/** Matches a value that is, or begins with, a date and a time. */
export const DATE =
  /^(?:\d{4}([-/])\d\d\1\d\d[T ]\d\d:\d\d|\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d|\d{1,2}\/\d{1,2}\/\d{4},? \d{1,2}:\d\d(?::\d\d)? [AP]M$)/;

/** Characters of a date, at most. */
const LONGEST = 100;
const DIGITS = /^[\d.]+$/;
const dates = new AnyDate(() => 0, new WallClock('UTC'));

/** Whether a text, all of it, is a date and a time in any shape that decoders read. */
export function isDate(text: string): boolean {
  return text.length < LONGEST && !DIGITS.test(text) && dates.parse(text) !== null;
}
