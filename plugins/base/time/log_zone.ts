/** Zones beside times. */
import { offsetAt } from '../dates.ts';
import { integerIn, isDigit, isLetter } from '../scan.ts';
import { zoneHours } from '../zone_names.ts';
import { shownOffset, zoneOffset, type ZoneOffset } from '../zone_offset.ts';
import { digitsTo } from './date_parts.ts';

const [SPACE, PLUS, DASH, COLON, OPEN, BRACKET, CLOSE, UPPER_A, UPPER_Z, LOWER_Z, UNDERSCORE, CLOSE_ROUND] = [
  32, 43, 45, 58, 40, 91, 93, 65, 90, 122, 95, 41,
];
/** A zone of the IANA database. */
const REGION =
  /(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Z][\w+-]{1,30}){1,2}/y;
/** Behind an offset from UTC: what else is known of it, such as `[Europe/Berlin]`, ` (CET)`, ` CET`. */
const BEHIND_OFFSET = /\[(?:[A-Z]\w+\/[\w/+-]+|UTC|GMT)\]| \(([A-Z]{3,5})\)| ([A-Z]{3,5})(?=\s|\]|$)/y;
/** Behind JavaScript's `GMT+0100`: the name of the zone in any language. */
const JAVASCRIPT = / \((?:\p{L}|[\d .,'’:+-]){2,60}\)/uy;
/** `UTC+2`, `GMT-05:00`, `UTC +02:00`. */
const FROM_UTC = /(?:UTC|GMT)(?:([+-])(\d\d?)(?::?(\d\d))?| ([+-]\d\d):?([0-5]\d))(?!\d)/y;
/** `(-3)`, as Meteor has it. */
const HOURS = /\(([+-]\d\d?)\)/y;
/** In front of a time: `UTC `, `[CET] `, `(UTC+02:00) `. */
const BEFORE = /(?:^|[\s([<])([A-Z]{3,4}(?:[+-]\d\d?(?::?\d\d)?)?)[\])>]?:? $/;
/** Characters that may stand between a zone and the blank in front of a time. */
const ENDS: ReadonlySet<number> = new Set([...':])>'].map((mark) => mark.charCodeAt(0)));
const LONGEST_BEFORE = 16;
/** Zones that are remembered, at most. */
const MOST_KNOWN = 100;

/** A clock on a wall, such as a `WallClock` of the modules. */
export interface Clock {
  /** Seconds ahead of UTC when it shows a time, in seconds since 1970. */
  ahead(shown: number): number;
  /** The time that it shows, in nanoseconds. */
  fromUtc(ns: number): number;
}

/** Reads the zone behind a time, or in front of it, and remembers it. */
export class LogZone {
  readonly #clock: Clock;
  readonly #known = new Map<string, ZoneOffset | null>();
  /** Seconds ahead of UTC, or what tells them. */
  #zone: number | string | Clock | ZoneOffset;

  /** @param clock the clock of times without a zone */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#zone = clock;
  }

  /** Seconds that the zone which was read last is ahead of UTC when its clock shows a time. */
  ahead(shown: number): number {
    if (typeof this.#zone === 'number') return this.#zone;
    if (typeof this.#zone === 'string') return (zoneHours(this.#zone, this.#clock.ahead(shown)) ?? 0) * 3600;
    return typeof this.#zone === 'function' ? this.#zone(shown) : this.#zone.ahead(shown);
  }

  /** Reads the zone behind the time that ends at `at`, or before the one that begins at `from`. Returns the position after the time. */
  readAround(text: string, from: number, at: number, end: number): number {
    this.#zone = this.#clock;
    const to = this.read(text, at, end);
    if (to >= 0) return to;
    const before = text.charCodeAt(from - 2);
    if (text.charCodeAt(from - 1) === SPACE && (isDigit(before) || isLetter(before) || ENDS.has(before))) this.#readBefore(text, from);
    return at;
  }

  /** Reads the zone at `at`, perhaps behind a blank. Returns the position after it, or -1 when there is none. */
  read(text: string, at: number, end: number): number {
    if (at >= end) return -1;
    const blank = text.charCodeAt(at) === SPACE;
    const from = blank ? at + 1 : at;
    const code = text.charCodeAt(from);
    if (code === PLUS || code === DASH) return this.#readOffset(text, from, end, blank);
    if (code === OPEN || code === BRACKET) return this.#readInBrackets(text, from, end);
    return (code >= UPPER_A && code <= UPPER_Z) || code === LOWER_Z ? this.#readName(text, from, end) : -1;
  }

  #readOffset(text: string, from: number, end: number, blank: boolean): number {
    const to = digitsTo(text, from + 1, end);
    const colon = to - from === 3 && text.charCodeAt(to) === COLON;
    const last = colon ? digitsTo(text, to + 1, end) : to;
    const whole =
      last - from === 5 ||
      (colon && last - from === 6) ||
      ((last - from === 3 || last - from === 4) && (!blank || last === end || text.charCodeAt(last) === CLOSE));
    if (!whole || isWordCode(text.charCodeAt(last))) return -1;
    const seconds = offsetSeconds(text, from, last);
    if (Number.isNaN(seconds)) return -1;
    this.#zone = seconds;
    return this.#behindOffset(text, last, end);
  }

  /** The position behind what else is known of an offset, or `at`. */
  #behindOffset(text: string, at: number, end: number): number {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== BRACKET) return at;
    BEHIND_OFFSET.lastIndex = at;
    const [found = '', inBrackets, name = inBrackets] = BEHIND_OFFSET.exec(text) ?? [];
    return at + found.length > end || (name !== undefined && zoneHours(name) === undefined) ? at : at + found.length;
  }

  #readInBrackets(text: string, at: number, end: number): number {
    HOURS.lastIndex = at;
    const hours = HOURS.exec(text)?.[1];
    if (hours !== undefined) {
      this.#zone = Number(hours) * 3600;
      return HOURS.lastIndex;
    }
    const inner = text.charCodeAt(at + 1);
    const isOffset = inner === PLUS || inner === DASH;
    const to = isOffset ? this.#readOffset(text, at + 1, end, false) : this.#readName(text, at + 1, end);
    return to >= 0 && to < end && text.charCodeAt(to) === (text.charCodeAt(at) === OPEN ? CLOSE_ROUND : CLOSE) ? to + 1 : -1;
  }

  #readName(text: string, at: number, end: number): number {
    const code = text.charCodeAt(at);
    if ((code === UPPER_Z || code === LOWER_Z) && !isWordCode(text.charCodeAt(at + 1))) {
      this.#zone = 0;
      return this.#behindOffset(text, at + 1, end);
    }
    let to = at;
    while (to < end && to < at + 6 && isLetter(text.charCodeAt(to))) to++;
    const next = text.charCodeAt(to);
    if (to - at === 3 && (next === PLUS || next === DASH || next === SPACE)) {
      const from = this.#readFromUtc(text, at, end);
      if (from >= 0) return from;
    }
    const name = text.slice(at, to);
    if (to - at >= 3 && to - at < 6 && !isWordCode(next) && zoneHours(name) !== undefined) {
      this.#zone = name;
      return to;
    }
    return to - at >= 2 ? this.#readRegion(text, at, end) : -1;
  }

  #readFromUtc(text: string, at: number, end: number): number {
    FROM_UTC.lastIndex = at;
    const [found = '', near, digits, behind, apart, last] = FROM_UTC.exec(text) ?? [];
    const [sign, hours, minutes] = [near ?? apart?.charAt(0), digits ?? apart?.slice(1), behind ?? last ?? '0'];
    if (found === '' || at + found.length > end || Number(hours) > 14 || Number(minutes) > 59) return -1;
    this.#zone = (Number(hours) * 60 + Number(minutes)) * (sign === '+' ? 60 : -60);
    JAVASCRIPT.lastIndex = at + found.length;
    const name = JAVASCRIPT.exec(text)?.[0] ?? '';
    return at + found.length + name.length > end ? at + found.length : at + found.length + name.length;
  }

  #readRegion(text: string, at: number, end: number): number {
    REGION.lastIndex = at;
    const name = REGION.exec(text)?.[0];
    if (name === undefined || at + name.length > end) return -1;
    const clock = this.#clockOf(name);
    if (clock === null) return -1;
    this.#zone = clock;
    return at + name.length;
  }

  #readBefore(text: string, from: number): void {
    const name = BEFORE.exec(text.slice(Math.max(0, from - LONGEST_BEFORE), from))?.[1];
    if (name !== undefined && this.#readName(name, 0, name.length) !== name.length) this.#zone = this.#clock;
  }

  /** The clock of a zone of the IANA database; null when there is no such zone. */
  #clockOf(name: string): ZoneOffset | null {
    let clock = this.#known.get(name);
    if (clock === undefined) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(name, (clock = clockOf(name)));
    }
    return clock;
  }
}

function clockOf(zone: string): ZoneOffset | null {
  try {
    return shownOffset(zoneOffset(zone));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Seconds of an offset of two, three or four digits, perhaps with a colon; NaN for one that there is not. */
function offsetSeconds(text: string, from: number, to: number): number {
  if (to - from === 3) return offsetAt(`${text.slice(from, to)}00`, 0, 0);
  // DB2 writes minutes.
  if (to - from === 4) return integerIn(text, from + 1, to) * (text.charCodeAt(from) === PLUS ? 60 : -60);
  return offsetAt(text, from, to - from === 6 ? 1 : 0);
}

function isWordCode(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === UNDERSCORE;
}
