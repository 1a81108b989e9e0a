/** Times as text, by a format of the C library's `strftime` in its C locale. */
import { checkNumber, checkString, unexpected } from '../base/arguments.ts';
import { SHORT_MONTHS, daysSince1970 } from '../base/dates.ts';
import { LONG_MONTHS, WEEKDAYS } from '../base/strftime.ts';

/** A time taken apart. */
interface Parts {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0: Sunday. */
  weekday: number;
  /** 0: the first of January. */
  yearDay: number;
  /** Seconds since 1970. */
  epoch: number;
  /** Seconds east of Greenwich. */
  offset: number;
}

type Conversion = (parts: Parts) => string;

const DAY_SECONDS = 86_400;
/** Dates end so many seconds from 1970. */
const MAX_SECONDS = 8.64e12;
const ITEM = /%[^]|[^%]+|%$/g;

const CONVERSIONS: Readonly<Record<string, Conversion | string>> = {
  a: ({ weekday }) => weekdayName(weekday).slice(0, 3),
  A: ({ weekday }) => weekdayName(weekday),
  b: ({ month }) => SHORT_MONTHS[month - 1] as string,
  B: ({ month }) => LONG_MONTHS[month - 1] as string,
  c: '%a %b %e %H:%M:%S %Y',
  C: ({ year }) => zeros(Math.floor(year / 100), 2),
  d: ({ day }) => zeros(day, 2),
  D: '%m/%d/%y',
  e: ({ day }) => blanks(day),
  F: '%Y-%m-%d',
  g: (parts) => zeros(modulo(isoWeek(parts)[0], 100), 2),
  G: (parts) => String(isoWeek(parts)[0]),
  h: '%b',
  H: ({ hour }) => zeros(hour, 2),
  I: ({ hour }) => zeros(hour12(hour), 2),
  j: ({ yearDay }) => zeros(yearDay + 1, 3),
  k: ({ hour }) => blanks(hour),
  l: ({ hour }) => blanks(hour12(hour)),
  m: ({ month }) => zeros(month, 2),
  M: ({ minute }) => zeros(minute, 2),
  n: () => '\n',
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  r: '%I:%M:%S %p',
  R: '%H:%M',
  s: ({ epoch }) => String(epoch),
  S: ({ second }) => zeros(second, 2),
  t: () => '\t',
  T: '%H:%M:%S',
  u: ({ weekday }) => String(weekday === 0 ? 7 : weekday),
  U: ({ yearDay, weekday }) => zeros(Math.floor((yearDay + 7 - weekday) / 7), 2),
  V: (parts) => zeros(isoWeek(parts)[1], 2),
  w: ({ weekday }) => String(weekday),
  W: ({ yearDay, weekday }) => zeros(Math.floor((yearDay + 7 - modulo(weekday - 1, 7)) / 7), 2),
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  y: ({ year }) => zeros(modulo(year, 100), 2),
  Y: ({ year }) => String(year),
  z: ({ offset }) => zoneOffset(offset),
  Z: ({ offset }) => (offset === 0 ? 'GMT' : zoneOffset(offset)),
  '%': () => '%',
};

/** Writes times in one format: the conversions of C89 and the common ones of POSIX; anything else is written as it stands. */
export class DateFormat {
  readonly #pieces: readonly (Conversion | string)[];
  /** The last time that was asked for, and its text: times come in order, many to a second. */
  #seconds = NaN;
  #offset = 0;
  #text = '';
  /** The day of that time on the clock, counted from 1970, and its parts. */
  #day = NaN;
  #parts = partsOf(0, 0);

  constructor(format: string) {
    checkString('DateFormat', 1, format);
    this.#pieces = compile(format);
  }

  /** The time of `seconds` since 1970, without their fraction, on a clock that is `offset` seconds ahead of UTC. */
  text(seconds: number, offset = 0): string {
    checkNumber('text', 1, seconds);
    checkNumber('text', 2, offset);
    const whole = Math.floor(seconds);
    if (!(Math.abs(whole + offset) <= MAX_SECONDS)) throw unexpected('text', 1, 'time in seconds', seconds);
    if (whole === this.#seconds && offset === this.#offset) return this.#text;
    const parts = this.#partsOf(whole, offset);
    let text = '';
    for (const piece of this.#pieces) text += typeof piece === 'string' ? piece : piece(parts);
    this.#seconds = whole;
    this.#offset = offset;
    this.#text = text;
    return text;
  }

  /** The parts of a time. Those of its day are the same as the last one's, mostly. */
  #partsOf(epoch: number, offset: number): Parts {
    const day = Math.floor((epoch + offset) / DAY_SECONDS);
    if (day !== this.#day || !Number.isInteger(offset)) {
      this.#day = day;
      return (this.#parts = partsOf(epoch, offset));
    }
    const second = epoch + offset - day * DAY_SECONDS;
    const parts = this.#parts;
    parts.epoch = epoch;
    parts.offset = offset;
    parts.hour = Math.floor(second / 3600);
    parts.minute = Math.floor(second / 60) % 60;
    parts.second = second % 60;
    return parts;
  }
}

function compile(format: string): (Conversion | string)[] {
  return Array.from(format.matchAll(ITEM), ([item]) => item).flatMap((item) => {
    const conversion =
      item.length === 2 && item.startsWith('%') && Object.hasOwn(CONVERSIONS, item.slice(1)) ? CONVERSIONS[item.slice(1)] : item;
    return typeof conversion === 'string' && conversion !== item ? compile(conversion) : [conversion ?? item];
  });
}

function partsOf(epoch: number, offset: number): Parts {
  const date = new Date((epoch + offset) * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return {
    year,
    month,
    day,
    epoch,
    offset,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: daysSince1970(year, month, day) - daysSince1970(year, 1, 1),
  };
}

/** Year and week of ISO 8601: weeks begin on Monday, and the first one has the year's first Thursday. */
function isoWeek({ year, yearDay, weekday }: Parts): [year: number, week: number] {
  const monday = yearDay - modulo(weekday - 1, 7);
  const week = Math.floor((monday + 10) / 7);
  if (week < 1) return isoWeek({ year: year - 1, yearDay: yearDay + daysOf(year - 1), weekday } as Parts);
  return monday + 3 >= daysOf(year) ? [year + 1, 1] : [year, week];
}

function daysOf(year: number): number {
  return daysSince1970(year + 1, 1, 1) - daysSince1970(year, 1, 1);
}

function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday] as string;
}

function hour12(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function zoneOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return (offset < 0 ? '-' : '+') + zeros(Math.floor(minutes / 60), 2) + zeros(minutes % 60, 2);
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

function zeros(value: number, width: number): string {
  return (width === 2 ? TWO_DIGITS[value] : undefined) ?? String(value).padStart(width, '0');
}

function blanks(value: number): string {
  return String(value).padStart(2, ' ');
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
