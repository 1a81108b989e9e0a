/** Dates of RFC 3339 in the bytes of a text, as current daemons write them: `2021-03-05T13:07:59.250123+01:00`. */
import { daysSince1970 } from './dates.ts';

const DAY_SECONDS = 86_400;
const [PLUS, DASH, DOT, ZERO, COLON, UPPER_T, UPPER_Z] = [43, 45, 46, 48, 58, 84, 90];
const FRACTION_DIGITS = 9;

/** Reads the dates that `Rfc3339Date` reads, but those in a leap second and with more than nine digits behind the point. */
export class CivilUnits {
  seconds = 0;
  nanos = 0;

  /** The position after the date that begins at `at`; -1: there is none. */
  read(units: Uint8Array, at: number, end: number): number {
    if (at + 20 > end || units[at + 4] !== DASH || units[at + 7] !== DASH || units[at + 10] !== UPPER_T) return -1;
    if (units[at + 13] !== COLON || units[at + 16] !== COLON) return -1;
    const century = pair(units, at, 0, 99);
    const year = pair(units, at + 2, 0, 99);
    const month = pair(units, at + 5, 1, 12);
    const day = pair(units, at + 8, 1, 31);
    const hour = pair(units, at + 11, 0, 23);
    const minute = pair(units, at + 14, 0, 59);
    const second = pair(units, at + 17, 0, 59);
    // One that is less than 0 has the highest bit, and so have they together.
    if ((century | year | month | day | hour | minute | second) < 0) return -1;
    let to = at + 19;
    this.nanos = 0;
    if (units[to] === DOT) {
      const from = ++to;
      let nanos = 0;
      for (; to < end && isDigit(units[to] as number); to++) nanos = nanos * 10 + (units[to] as number) - ZERO;
      const digits = to - from;
      if (digits === 0 || digits > FRACTION_DIGITS) return -1;
      this.nanos = nanos * (SCALES[digits] as number);
    }
    const sign = units[to];
    let ahead = 0;
    if (sign !== UPPER_Z) {
      const hours = pair(units, to + 1, 0, 23);
      const minutes = pair(units, to + 4, 0, 59);
      if ((sign !== PLUS && sign !== DASH) || to + 6 > end || units[to + 3] !== COLON || (hours | minutes) < 0) return -1;
      ahead = (hours * 60 + minutes) * (sign === PLUS ? 60 : -60);
      to += 5;
    }
    this.seconds = daysSince1970(century * 100 + year, month, day) * DAY_SECONDS + (hour * 60 + minute) * 60 + second - ahead;
    return to + 1;
  }
}

/** Nanoseconds of the last digit of so many behind the point. */
const SCALES = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1];

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** The number that two digits make, or -1 when they do not stand there or are out of range. */
function pair(units: Uint8Array, at: number, minimum: number, maximum: number): number {
  const tens = (units[at] as number) - ZERO;
  const ones = (units[at + 1] as number) - ZERO;
  if (!(tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return -1;
  const value = tens * 10 + ones;
  return value >= minimum && value <= maximum ? value : -1;
}
