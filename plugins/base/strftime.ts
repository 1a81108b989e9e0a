/** Dates in a format of the C library's `strftime`, as Apache's `%{format}t` takes them. */
import { SHORT_MONTHS, daysSince1970, offsetAt, timeAt, type DateReader } from './dates.ts';
import { digits, integerIn, isLetter, isSpace, oneOf } from './scan.ts';

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Seconds east of Greenwich. */
  offset: number;
  /** 0 for AM, 12 for PM. */
  period: number;
  /** Seconds since 1970. */
  epoch: number;
}

/** Recognises one element of a format and notes what it says. Returns the position after it, or -1. */
type Step = (text: string, at: number, end: number, parts: Parts) => number;

export const LONG_MONTHS = 'January February March April May June July August September October November December'.split(' ');
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const CENTURY = 2000;
const ZONES: Readonly<Record<string, number>> = { UTC: 0, PST: -8, PDT: -7, MST: -7, MDT: -6, CST: -6, CDT: -5, EST: -5, EDT: -4 };
const LONGEST_ZONE = 5;
const TIME_LENGTH = 8;

/** A specifier, a white space character or a literal. */
const ITEM = /%[^]?|[ \t-\r]|[^% \t-\r]+/g;

const SPECIFIERS: Readonly<Record<string, Step | string>> = {
  a: word(WEEKDAYS.map((name) => name.slice(0, 3))),
  A: word(WEEKDAYS),
  b: word(SHORT_MONTHS, 'month'),
  B: word(LONG_MONTHS, 'month'),
  c: '%a %b %e %T %Y',
  C: number(2, 0, 99),
  d: number(2, 1, 31, 'day'),
  D: '%m/%d/%y',
  e: padded(10, 31, 'day'),
  F: '%Y-%m-%d',
  G: number(4, 0, 9999, 'year'),
  g: number(2, 0, 99, 'year', CENTURY),
  h: '%b',
  H: number(2, 0, 23, 'hour'),
  I: number(2, 0, 12, 'hour'),
  j: number(3, 1, 366),
  k: padded(10, 23, 'hour'),
  l: padded(10, 12, 'hour'),
  m: number(2, 1, 12, 'month'),
  M: number(2, 0, 59, 'minute'),
  n: literal('\n'),
  p: period,
  r: '%I:%M:%S %p',
  R: '%H:%M',
  s: epoch,
  S: number(2, 0, 61, 'second'),
  t: literal('\t'),
  T: timeOfDay,
  u: number(1, 1, 7),
  U: number(2, 0, 53),
  V: number(2, 0, 53),
  w: number(1, 0, 6),
  W: number(2, 0, 53),
  x: '%D',
  X: '%T',
  y: '%g',
  Y: '%G',
  z: zoneOffset,
  Z: zoneName,
  '%': literal('%'),
};

/**
 * A reader for dates in `format`: specifiers, single white space characters (each matches any one) and literals. A date needs a day, a month and
 * a year, or `%s`; without them the reader accepts nothing. The hour is 12 when it is not given. Raises an error for an unknown specifier.
 */
export class FormatDate implements DateReader {
  seconds = 0;
  readonly nanos = 0;
  /** Whether dates of the format say their zone. */
  readonly zoned: boolean;
  readonly #read: Step;

  constructor(format: string) {
    this.#read = sequence(compile(format));
    this.zoned = /%[sZz]/.test(format.replaceAll('%%', ''));
  }

  read(text: string, at: number, end: number): number {
    const parts = { year: NaN, month: NaN, day: NaN, hour: 12, minute: 0, second: 0, offset: 0, period: NaN, epoch: NaN };
    const to = this.#read(text, at, end, parts);
    const seconds = secondsOf(parts);
    if (to < 0 || !Number.isFinite(seconds)) return -1;
    this.seconds = seconds;
    return to;
  }
}

function secondsOf(parts: Parts): number {
  if (!Number.isNaN(parts.epoch)) return parts.epoch;
  const hour = Number.isNaN(parts.period) ? parts.hour : hourOf(parts.hour, parts.period);
  const days = daysSince1970(parts.year, parts.month, parts.day);
  return ((days * 24 + hour) * 60 + parts.minute) * 60 + parts.second - parts.offset;
}

function hourOf(hour: number, period: number): number {
  if (period === 0) return hour === 12 ? 0 : hour;
  return hour < 12 ? hour + 12 : hour;
}

function compile(format: string): Step[] {
  const steps: Step[] = [];
  for (const [item] of format.matchAll(ITEM)) {
    if (!item.startsWith('%')) {
      steps.push(isSpace(item.charCodeAt(0)) ? whiteSpace : literal(item));
      continue;
    }
    const specifier = Object.hasOwn(SPECIFIERS, item.slice(1)) ? SPECIFIERS[item.slice(1)] : undefined;
    if (specifier === undefined) throw new SyntaxError(`unknown date specifier ${item} in: ${format}`);
    steps.push(...(typeof specifier === 'string' ? compile(specifier) : [specifier]));
  }
  return steps;
}

function sequence(steps: readonly Step[]): Step {
  return (text, at, end, parts) => {
    for (let i = 0; i < steps.length && at >= 0; i++) at = (steps[i] as Step)(text, at, end, parts);
    return at;
  };
}

function whiteSpace(text: string, at: number, end: number): number {
  return at < end && isSpace(text.charCodeAt(at)) ? at + 1 : -1;
}

function literal(expected: string): Step {
  return oneOf([expected]);
}

/** One of the words; its place in the list, from 1, is the part. */
function word(words: readonly string[], part?: keyof Parts): Step {
  return (text, at, end, parts) => {
    const found = words.findIndex((candidate) => at + candidate.length <= end && text.startsWith(candidate, at));
    if (found < 0) return -1;
    if (part !== undefined) parts[part] = found + 1;
    return at + (words[found] as string).length;
  };
}

function number(width: number, minimum: number, maximum: number, part?: keyof Parts, base = 0): Step {
  return (text, at, end, parts) => {
    if (at + width > end || digits(text, at, at + width) !== at + width) return -1;
    const value = integerIn(text, at, at + width);
    if (value < minimum || value > maximum) return -1;
    if (part !== undefined) parts[part] = base + value;
    return at + width;
  };
}

/** A blank and a digit, or two digits from `minimum` to `maximum`. */
function padded(minimum: number, maximum: number, part: keyof Parts): Step {
  const single = number(1, 0, 9, part);
  const double = number(2, minimum, maximum, part);
  return (text, at, end, parts) => (text[at] === ' ' ? single(text, at + 1, end, parts) : double(text, at, end, parts));
}

/** `%H:%M:%S`, where a minute has 61 seconds at most. */
function timeOfDay(text: string, at: number, end: number, parts: Parts): number {
  const seconds = at + TIME_LENGTH <= end ? timeAt(text, at) : -1;
  if (seconds < 0) return -1;
  parts.hour = integerIn(text, at, at + 2);
  parts.minute = integerIn(text, at + 3, at + 5);
  parts.second = integerIn(text, at + 6, at + TIME_LENGTH);
  return at + TIME_LENGTH;
}

function period(text: string, at: number, end: number, parts: Parts): number {
  if (at + 2 > end || text[at + 1] !== 'M' || (text[at] !== 'A' && text[at] !== 'P')) return -1;
  parts.period = text[at] === 'A' ? 0 : 12;
  return at + 2;
}

function epoch(text: string, at: number, end: number, parts: Parts): number {
  const to = digits(text, at, end);
  if (to >= 0) parts.epoch = integerIn(text, at, to);
  return to;
}

function zoneOffset(text: string, at: number, end: number, parts: Parts): number {
  parts.offset = offsetAt(text, at, 0);
  return at + 5 <= end && !Number.isNaN(parts.offset) ? at + 5 : -1;
}

/** A North American zone, else up to five letters that count as UTC. */
function zoneName(text: string, at: number, end: number, parts: Parts): number {
  const name = Object.keys(ZONES).find((zone) => at + zone.length <= end && text.startsWith(zone, at));
  if (name !== undefined) {
    parts.offset = (ZONES[name] as number) * 3600;
    return at + name.length;
  }
  let to = at;
  while (to < end && to < at + LONGEST_ZONE && isLetter(text.charCodeAt(to))) to++;
  parts.offset = 0;
  return to;
}
