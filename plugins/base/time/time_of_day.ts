/** Times of the day in any shape that logs have. */
import { isDigit, isLetter } from '../scan.ts';

const [SPACE, COMMA, DASH, DOT, ZERO, COLON, FIXED, NARROW] = [32, 44, 45, 46, 48, 58, 0xa0, 0x202f];
const NANOSECOND_DIGITS = 9;
/** Digits of a fraction behind a colon: `13:07:59:250`, `13:07:59:250123`. */
const COLON_DIGITS: ReadonlySet<number> = new Set([3, 6, 9]);
const UNPADDED = /(\d{1,2}):(\d{1,2}):(\d{1,2}):(\d{1,3})/y;
/** Intl puts a narrow blank before them. */
const HALF = /^[ \u00a0\u202f]?([ap])\.?m\b\.?/i;
/** In front of a time; see `halfBefore`. */
const HALVES: ReadonlyMap<string, boolean> = new Map([
  ...['上午', '午前', '오전'].map((word): [string, boolean] => [word, false]),
  ...['下午', '午後', '오후'].map((word): [string, boolean] => [word, true]),
]);

/** Reads hours, minutes, mostly seconds and a fraction, and AM or PM. */
export class TimeOfDay {
  /** Whole seconds since midnight. */
  seconds = 0;
  /** Nanoseconds of the second. */
  fraction = 0;
  hasSeconds = false;
  /** Whether AM or PM stands behind it. */
  halved = false;

  /** Reads `13:07:59.250`, `1:07 PM`, `13.07.59,250`, `13-07-59`. Returns the position after it, or -1. */
  read(text: string, at: number, end: number): number {
    this.halved = this.hasSeconds = false;
    this.fraction = 0;
    const hourEnd = twoDigitsEnd(text, at, end);
    const mark = text.charCodeAt(hourEnd);
    if (hourEnd === at || (mark !== COLON && mark !== DOT && (mark !== DASH || hourEnd - at === 1))) return -1;
    const minutes = pairAt(text, hourEnd + 1, end);
    let to = hourEnd + 3;
    if (minutes < 0 || minutes > 59) return -1;
    let seconds = 0;
    if (text.charCodeAt(to) === mark && pairAt(text, to + 1, end) >= 0) {
      seconds = pairAt(text, to + 1, end);
      this.hasSeconds = true;
      to = this.#readFraction(text, to + 3, end);
    } else if (mark !== COLON) return -1;
    if (mark === DASH && text.charCodeAt(to) === DASH) return -1;
    const hour = hourEnd - at === 1 ? text.charCodeAt(at) - ZERO : pairAt(text, at, end);
    const isAfternoon = halfBefore(text, at);
    if (isAfternoon === undefined || hour > 12 || hour === 0) return this.#finish(text, to, { hour, minutes, seconds });
    return this.#finish(text, to, { hour: (hour % 12) + (isAfternoon ? 12 : 0), minutes, seconds });
  }

  /** Reads `130759`, perhaps with a fraction, which has a point or begins right behind. Returns the position after it, or -1. */
  readCompact(text: string, at: number, end: number): number {
    this.halved = false;
    this.fraction = 0;
    let to = at;
    while (to < end && isDigit(text.charCodeAt(to))) to++;
    if (to - at !== 6 && to - at !== 9) return -1;
    this.hasSeconds = true;
    if (to - at === 9) this.fraction = nanosecondsIn(text, at + 6, to);
    else to = this.#readFraction(text, to, end);
    return this.#finish(text, to, { hour: pairAt(text, at, end), minutes: pairAt(text, at + 2, end), seconds: pairAt(text, at + 4, end) });
  }

  /** Reads `0:1:9:5`, numbers without leading zeros of which the last are milliseconds. Returns the position after it, or -1. */
  readUnpadded(text: string, at: number, end: number): number {
    this.halved = false;
    UNPADDED.lastIndex = at;
    const found = UNPADDED.exec(text);
    if (found === null || UNPADDED.lastIndex > end) return -1;
    this.hasSeconds = true;
    this.fraction = Number(found[4]) * 1e6;
    return this.#finish(text, UNPADDED.lastIndex, { hour: Number(found[1]), minutes: Number(found[2]), seconds: Number(found[3]) });
  }

  #readFraction(text: string, at: number, end: number): number {
    const mark = text.charCodeAt(at);
    if (mark !== DOT && mark !== COMMA && mark !== COLON) return at;
    let to = at + 1;
    while (to < end && isDigit(text.charCodeAt(to))) to++;
    const digits = to - at - 1;
    if (digits === 0 || (mark === COLON && !COLON_DIGITS.has(digits)) || (mark === COMMA && digits > NANOSECOND_DIGITS)) return at;
    this.fraction = nanosecondsIn(text, at + 1, to);
    return to;
  }

  #finish(text: string, at: number, { hour, minutes, seconds }: { hour: number; minutes: number; seconds: number }): number {
    if (hour > 23 || minutes > 59 || seconds > 60 || isDigit(text.charCodeAt(at))) return -1;
    let to = at;
    let hours = hour;
    const next = text.charCodeAt(at);
    if ((next === SPACE || isLetter(next) || next === NARROW || next === FIXED) && hour <= 12) {
      const half = HALF.exec(text.slice(at, at + 6));
      if (half !== null && hour === 0) return -1;
      if (half !== null) {
        this.halved = true;
        hours = (hour % 12) + (half[1]?.toLowerCase() === 'p' ? 12 : 0);
        to = at + half[0].length;
      }
    }
    this.seconds = (hours * 60 + minutes) * 60 + seconds;
    return to;
  }
}

/** Whether the afternoon is meant by the word that ends at `at`, or a blank before it; undefined: it is none that tells. */
export function halfBefore(text: string, at: number): boolean | undefined {
  const to = text.charCodeAt(at - 1) === SPACE ? at - 1 : at;
  return text.charCodeAt(to - 1) > 127 ? HALVES.get(text.slice(to - 2, to)) : undefined;
}

function twoDigitsEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && to < at + 2 && isDigit(text.charCodeAt(to))) to++;
  return to;
}

/** The number that two digits make, or -1. */
function pairAt(text: string, at: number, end: number): number {
  if (at + 2 > end || !isDigit(text.charCodeAt(at)) || !isDigit(text.charCodeAt(at + 1))) return -1;
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** The nanoseconds that the digits [from, to) behind the point of seconds are, of which nine count. */
export function nanosecondsIn(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = 0; i < NANOSECOND_DIGITS; i++) value = value * 10 + (from + i < to ? text.charCodeAt(from + i) - ZERO : 0);
  return value;
}
