import { utc } from './intrinsics.ts';
import { parseInteger } from './numbers.ts';

/**
 * Times in texts for `write_message`: nanoseconds as an integer, or one of the calendar layouts of C, the Unix `date`, RFC 822, RFC 850, RFC 1123 and
 * RFC 3339. UTC is assumed where no zone is given. Layouts without a year are no times.
 */

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Nanoseconds since 1970, or null for a text that is no time. */
export function parseTime(text: string): bigint | null {
  const integer = parseInteger(text);
  if (integer !== null) return BigInt.asIntN(64, integer) === integer ? integer : null;
  const layouts = [rfc3339, rfc1123, rfc850, rfc822, unixDate];
  for (let i = 0; i < layouts.length; i++) {
    const scanner = new Scanner(text);
    const time = (layouts[i] as Layout)(scanner);
    if (time !== null && !scanner.failed && scanner.at === text.length) return time;
  }
  return null;
}

type Layout = (scanner: Scanner) => bigint | null;

class Scanner {
  readonly text: string;
  at = 0;
  failed = false;

  constructor(text: string) {
    this.text = text;
  }

  fail(): number {
    this.failed = true;
    return 0;
  }

  /** Between `least` and `most` digits. */
  number(least: number, most: number): number {
    const start = this.at;
    let value = 0;
    while (this.at - start < most) {
      const digit = this.text.charCodeAt(this.at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      this.at++;
    }
    return this.at - start < least ? this.fail() : value;
  }

  literal(expected: string): void {
    if (this.text.startsWith(expected, this.at)) this.at += expected.length;
    else this.fail();
  }

  optional(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  word(): string {
    const start = this.at;
    while (isLetter(this.text.charCodeAt(this.at))) this.at++;
    return this.text.slice(start, this.at).toLowerCase();
  }

  /** 0 to 11. */
  month(): number {
    const word = this.word();
    const at = MONTHS.indexOf(word);
    return word.length === 3 && at >= 0 && at % 3 === 0 ? at / 3 : this.fail();
  }

  shortDay(): void {
    const word = this.word();
    for (let i = 0; i < DAYS.length; i++) if ((DAYS[i] as string).slice(0, 3) === word) return;
    this.fail();
  }

  longDay(): void {
    if (!DAYS.includes(this.word())) this.fail();
  }

  /** Nanoseconds of an optional fraction. */
  fraction(): number {
    if (!this.optional('.')) return 0;
    const start = this.at;
    let value = this.number(1, 9);
    for (let digits = this.at - start; digits < 9; digits++) value *= 10;
    while (this.text.charCodeAt(this.at) >= 48 && this.text.charCodeAt(this.at) <= 57) this.at++;
    return value;
  }

  /** `hh:mm:ss` and a fraction; seconds may be left out when `short`. */
  clock(short: boolean): Clock {
    const hour = this.number(2, 2);
    this.literal(':');
    const minute = this.number(2, 2);
    let second = 0;
    let nanos = 0;
    if (!short) {
      this.literal(':');
      second = this.number(2, 2);
      nanos = this.fraction();
    }
    if (hour > 23 || minute > 59 || second > 59) this.fail();
    return { hour, minute, second, nanos };
  }

  /** Seconds east of UTC of `+hhmm` or `+hh:mm`. */
  offset(colon: boolean): number {
    const sign = this.optional('-') ? -1 : 1;
    if (sign === 1) this.literal('+');
    const hours = this.number(2, 2);
    if (colon) this.literal(':');
    const minutes = this.number(2, 2);
    if (hours > 23 || minutes > 59) this.fail();
    return sign * (hours * 3600 + minutes * 60);
  }

  /** A named zone: UTC, GMT or Z. Other names say no offset, so they are refused. */
  zone(): number {
    const next = this.text.charAt(this.at);
    if (next === '+' || next === '-') return this.offset(false);
    const word = this.word();
    return word === 'utc' || word === 'gmt' || word === 'z' ? 0 : this.fail();
  }
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
}

const isLetter = (unit: number): boolean => (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);

function instant(scanner: Scanner, year: number, month: number, day: number, clock: Clock, offset: number): bigint | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 1 ? (leap ? 29 : 28) : month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31;
  if (day < 1 || day > days || scanner.failed) return null;
  // Years below 100 mean themselves here, not 19xx: 400 years are 146,097 days.
  const shift = year < 100 ? 1 : 0;
  const milliseconds = utc(year + shift * 400, month, day, clock.hour, clock.minute, clock.second) - shift * 146097 * 86400000;
  return (BigInt(milliseconds) - BigInt(offset * 1000)) * 1000000n + BigInt(clock.nanos);
}

function rfc3339(scanner: Scanner): bigint | null {
  const year = scanner.number(4, 4);
  scanner.literal('-');
  const month = scanner.number(2, 2) - 1;
  scanner.literal('-');
  const day = scanner.number(2, 2);
  if (!scanner.optional('T')) scanner.literal('t');
  const clock = scanner.clock(false);
  const offset = scanner.optional('Z') || scanner.optional('z') ? 0 : scanner.offset(true);
  return month < 0 || month > 11 ? null : instant(scanner, year, month, day, clock, offset);
}

function rfc1123(scanner: Scanner): bigint | null {
  scanner.shortDay();
  scanner.literal(', ');
  const day = scanner.number(2, 2);
  scanner.literal(' ');
  const month = scanner.month();
  scanner.literal(' ');
  const year = scanner.number(4, 4);
  scanner.literal(' ');
  const clock = scanner.clock(false);
  scanner.literal(' ');
  return instant(scanner, year, month, day, clock, scanner.zone());
}

/** Two-digit years are from 1969 to 2068, as POSIX has them. */
const fullYear = (year: number): number => (year < 69 ? 2000 + year : 1900 + year);

function rfc850(scanner: Scanner): bigint | null {
  scanner.longDay();
  scanner.literal(', ');
  const day = scanner.number(2, 2);
  scanner.literal('-');
  const month = scanner.month();
  scanner.literal('-');
  const year = fullYear(scanner.number(2, 2));
  scanner.literal(' ');
  const clock = scanner.clock(false);
  scanner.literal(' ');
  return instant(scanner, year, month, day, clock, scanner.zone());
}

function rfc822(scanner: Scanner): bigint | null {
  const day = scanner.number(2, 2);
  scanner.literal(' ');
  const month = scanner.month();
  scanner.literal(' ');
  const year = fullYear(scanner.number(2, 2));
  scanner.literal(' ');
  const clock = scanner.clock(true);
  scanner.literal(' ');
  return instant(scanner, year, month, day, clock, scanner.zone());
}

/** `Fri Mar  5 13:07:59 2021`, also with a zone before the year. */
function unixDate(scanner: Scanner): bigint | null {
  scanner.shortDay();
  scanner.literal(' ');
  const month = scanner.month();
  scanner.literal(' ');
  scanner.optional(' ');
  const day = scanner.number(1, 2);
  scanner.literal(' ');
  const clock = scanner.clock(false);
  scanner.literal(' ');
  const next = scanner.text.charCodeAt(scanner.at);
  let offset = 0;
  if (!(next >= 48 && next <= 57)) {
    offset = scanner.zone();
    scanner.literal(' ');
  }
  return instant(scanner, scanner.number(4, 4), month, day, clock, offset);
}
