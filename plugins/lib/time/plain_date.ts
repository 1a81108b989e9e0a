import { daysSince1970, fourDigits, timeAt, twoDigits, type DateReader } from '../../base/dates.ts';
import { isSpace } from '../../base/scan.ts';

const DAY_SECONDS = 86_400;
const LENGTH = 19;

/** A date and a time without a zone, taken as UTC: `2021-03-05 13:07:59`, with `separator` in the date and one white space character behind it. */
export class PlainDate implements DateReader {
  seconds = 0;
  readonly nanos = 0;
  readonly #separator: number;

  constructor(separator: '-' | '/') {
    this.#separator = separator.charCodeAt(0);
  }

  read(text: string, at: number, end: number): number {
    const to = at + LENGTH;
    const year = fourDigits(text, at);
    const month = twoDigits(text, at + 5, 1, 12);
    const day = twoDigits(text, at + 8, 1, 31);
    const time = timeAt(text, at + 11);
    const dated = text.charCodeAt(at + 4) === this.#separator && text.charCodeAt(at + 7) === this.#separator;
    if (to > end || !dated || !isSpace(text.charCodeAt(at + 10)) || year < 0 || month < 0 || day < 0 || time < 0) return -1;
    this.seconds = daysSince1970(year, month, day) * DAY_SECONDS + time;
    return to;
  }
}
