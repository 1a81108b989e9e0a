/** Times in a form that letters describe: `yyyy-MM-dd HH:mm:ss,SSS`, as Java, Joda and Logstash write them. */
import { checkFunction, checkString, unexpected } from '../base/arguments.ts';
import { SHORT_MONTHS, daysSince1970, offsetAt, recentSeconds } from '../base/dates.ts';
import { exactBigInt } from '../base/instant.ts';
import { LONG_MONTHS, WEEKDAYS } from '../base/strftime.ts';
import { zoneHours } from '../base/zone_names.ts';
import { WallClock } from './time_zone.ts';

/** The parts of a time that a text names; NaN for those that it does not name. */
interface Parts {
  /** Whether each part is within its bounds. */
  valid: boolean;
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  /** Hours from 0 to 11, and 12 behind noon. */
  halfHour: number;
  half: number;
  minute: number;
  second: number;
  nanosecond: number;
  zone: string;
}

/** An element of a pattern: the texts that it accepts, and what they say. */
interface Element {
  readonly source: string;
  readonly note: (parts: Parts, text: string) => void;
}

const DAY_SECONDS = 86_400;
/** Two-digit years below are of this century. */
const PIVOT = 70;
/** A quoted text, two quotes, a run of one letter, or a literal. */
const TOKEN = /'((?:[^']|'')+)'|''|([A-Za-z])\2*|[^A-Za-z']+/g;
/** Letters of numbers; three or more of the month's are a name. */
const NUMBERS = /^(?:[yuYdDHkKhmsSne]|[ML]{1,2}$)/;
const OFFSET = String.raw`[+-]\d\d(?::?\d\d)?`;
const ZONE = String.raw`Z|${OFFSET}|[A-Z][A-Za-z]*(?:/[\w+-]+)*`;

/**
 * Reads times of one pattern, exact to the nanosecond. The letters are those of Java's `DateTimeFormatter` and of Joda: y, u or Y year, M or L month
 * (MMM its name), d day, D day of the year, E weekday, a half of the day, H, k, K or h hour, m minute, s second, S fraction of the second (up to nine
 * digits, however many letters there are), Z, X or x offset, z or V zone. Texts in quotes stand for themselves, as do other characters; what stands in
 * brackets may be missing. Names are English, in any case. Dates without a year are recent ones, times without a date are of the last day.
 */
export class DatePattern {
  readonly #expression: RegExp;
  readonly #elements: readonly Element[];
  readonly #now: () => number | bigint;
  readonly #clock: WallClock;

  /**
   * Raises an error for a letter that is none.
   * @param now when the record was read, in nanoseconds since 1970 (a number or a BigInt), for dates without a year
   * @param clock the clock of dates without a zone
   */
  constructor(pattern: string, now: () => number | bigint, clock: WallClock) {
    checkString('DatePattern', 1, pattern);
    checkFunction('DatePattern', 2, now);
    if (!(clock instanceof WallClock)) throw unexpected('DatePattern', 3, 'WallClock', clock);
    const elements: Element[] = [];
    let source = '';
    const tokens = [...pattern.matchAll(TOKEN)];
    for (const [i, [token, quoted, letter]] of tokens.entries()) {
      if (letter === undefined)
        source += quoted === undefined && token !== "''" ? optional(token) : literal((quoted ?? "'").replaceAll("''", "'"));
      else {
        const element = elementOf(letter, token.length, NUMBERS.test(tokens[i + 1]?.[0] ?? ''));
        if (element === null) throw new SyntaxError(`unknown letter ${letter} in the date pattern: ${pattern}`);
        elements.push(element);
        source += `(${element.source})`;
      }
    }
    this.#expression = compile(source, pattern);
    this.#elements = elements;
    this.#now = now;
    this.#clock = clock;
  }

  /** Nanoseconds since 1970 of a text that is a time of this pattern; null for any other text. */
  parse(text: string): bigint | null {
    checkString('parse', 1, text);
    const found = this.#expression.exec(text);
    if (found === null) return null;
    const parts: Parts = {
      valid: true,
      year: NaN,
      month: NaN,
      day: NaN,
      yearDay: NaN,
      hour: NaN,
      halfHour: NaN,
      half: NaN,
      minute: 0,
      second: 0,
      nanosecond: 0,
      zone: '',
    };
    for (const [i, { note }] of this.#elements.entries()) {
      const said = found[i + 1];
      if (said !== undefined) note(parts, said);
    }
    const time = timeOfDay(parts);
    if (!parts.valid || Number.isNaN(time)) return null;
    const shown = this.#shown(parts, time);
    if (Number.isNaN(shown)) return null;
    const offset = this.#offset(parts.zone, shown);
    return Number.isNaN(offset) ? null : exactBigInt(shown - offset, parts.nanosecond);
  }

  /** Seconds since 1970 at which UTC shows the date and the time of the day. */
  #shown({ year, month, day, yearDay }: Parts, time: number): number {
    if (!Number.isNaN(yearDay)) return yearDay > daysOf(year) ? NaN : daysSince1970(year, 1, yearDay) * DAY_SECONDS + time;
    const now = this.#clock.fromUtc(Number(this.#now())) / 1e9;
    if (Number.isNaN(month) && Number.isNaN(day) && Number.isNaN(year)) {
      const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS + time;
      return today <= now + 3600 ? today : today - DAY_SECONDS;
    }
    const [ofMonth, ofDay] = [month || 1, day || 1];
    if (ofDay > daysIn(Number.isNaN(year) ? 2000 : year, ofMonth)) return NaN;
    return Number.isNaN(year) ? recentSeconds(ofMonth, ofDay, time, now) : daysSince1970(year, ofMonth, ofDay) * DAY_SECONDS + time;
  }

  #offset(zone: string, shown: number): number {
    if (zone === '') return this.#clock.ahead(shown);
    if (/^[+-]/.test(zone)) return offsetAt(zone.replace(':', '').padEnd(5, '0'), 0, 0);
    if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 0;
    const hours = zoneHours(zone.toUpperCase());
    if (hours !== undefined) return hours * 3600;
    try {
      return new WallClock(zone).ahead(shown);
    } catch {
      return NaN;
    }
  }
}

function elementOf(letter: string, count: number, beforeNumber: boolean): Element | null {
  const number = (part: keyof Omit<Parts, 'zone' | 'valid'>, most: number, base = 0): Element => ({
    source: beforeNumber ? String.raw`\d{${Math.max(count, 1)}}` : String.raw`\d{1,${Math.max(count, most)}}`,
    note: (parts, text) => (parts[part] = Number(text) + base),
  });
  switch (letter) {
    case 'y':
    case 'u':
    case 'Y':
      return count === 2
        ? { source: String.raw`\d\d`, note: (parts, text) => (parts.year = Number(text) + (Number(text) < PIVOT ? 2000 : 1900)) }
        : { source: String.raw`\d{4}`, note: (parts, text) => (parts.year = Number(text)) };
    case 'M':
    case 'L':
      return count < 3 ? inRange(number('month', 2), 1, 12) : monthName();
    case 'd':
      return inRange(number('day', 2), 1, 31);
    case 'D':
      return inRange(number('yearDay', 3), 1, 366);
    case 'E':
      return { source: names(WEEKDAYS), note: () => undefined };
    case 'e':
      return { source: String.raw`\d`, note: () => undefined };
    case 'a':
      return { source: String.raw`[ap]\.?m\.?`, note: (parts, text) => (parts.half = /^a/i.test(text) ? 0 : 12) };
    case 'H':
      return number('hour', 2);
    case 'k':
      return inRange({ ...number('hour', 2), note: (parts, text) => (parts.hour = Number(text) % 24) }, 0, 24);
    case 'K':
      return inRange(number('halfHour', 2), 0, 11);
    case 'h':
      return inRange({ ...number('halfHour', 2), note: (parts, text) => (parts.halfHour = Number(text) % 12) }, 0, 12);
    case 'm':
      return number('minute', 2);
    case 's':
      return number('second', 2);
    case 'S':
    case 'n':
      return {
        source: beforeNumber ? String.raw`\d{${count}}` : String.raw`\d{1,9}`,
        note: (parts, text) => (parts.nanosecond = Number(text.padEnd(9, '0'))),
      };
    case 'Z':
    case 'X':
    case 'x':
    case 'z':
    case 'V':
      return { source: ZONE, note: (parts, text) => (parts.zone = text) };
    default:
      return null;
  }
}

/** A number that makes the time invalid when it is out of bounds. */
function inRange({ source, note }: Element, from: number, to: number): Element {
  return { source, note: (parts, text) => (Number(text) >= from && Number(text) <= to ? note(parts, text) : (parts.valid = false)) };
}

function monthName(): Element {
  const places: readonly string[] = SHORT_MONTHS.map((name) => name.toLowerCase());
  return { source: names(LONG_MONTHS), note: (parts, text) => (parts.month = places.indexOf(text.slice(0, 3).toLowerCase()) + 1) };
}

/** Names in full or by their first three letters, perhaps with a point. */
function names(words: readonly string[]): string {
  const short = words.map((word) => `${word.slice(0, 3)}${word === 'September' ? 't?' : ''}\\.?`);
  return words.map((word, i) => (word.length === 3 ? short[i] : `${word}|${short[i]}`)).join('|');
}

function timeOfDay({ hour, halfHour, half, minute, second }: Parts): number {
  const hours = Number.isNaN(halfHour) ? (Number.isNaN(hour) ? 0 : hour) : halfHour + (half || 0);
  return hours <= 23 && minute <= 59 && second <= 60 ? (hours * 60 + minute) * 60 + second : NaN;
}

function daysIn(year: number, month: number): number {
  return daysSince1970(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - daysSince1970(year, month, 1);
}

function daysOf(year: number): number {
  return daysSince1970(year + 1, 1, 1) - daysSince1970(year, 1, 1);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Of what a pattern becomes, brackets alone can be wrong. */
function compile(source: string, pattern: string): RegExp {
  try {
    return new RegExp(`^\\s*${source}\\s*$`, 'i');
  } catch (error) {
    throw new SyntaxError(`a bracket without its other one in the date pattern: ${pattern}`, { cause: error });
  }
}

/** Characters that stand for themselves, and brackets around what may be missing. */
function optional(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (mark) => (mark === '[' ? '(?:' : mark === ']' ? ')?' : `\\${mark}`));
}
