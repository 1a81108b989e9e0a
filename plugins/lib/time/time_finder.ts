/** Finds the time in a line of any log. */
import { isDigit, isLetter } from '../../base/scan.ts';
import type { LogTime, WeakShapes } from '../../base/time/log_time.ts';

/** Characters of a line in which its time is looked for. */
const FARTHEST = 200;
/** Words in front of a number of seconds since 1970, and of a time without a date, at most. */
const [BEFORE_EPOCH, BEFORE_ALONE] = [5, 2];
/** Characters that may stand right before a time. */
const BEFORE = new Set([...' \t[(<{|"\'=,;#>]+'].map((character) => character.charCodeAt(0)));
const [SPACE, TAB, DASH, SLASH, DOT, COLON, EQUALS, AT, UNDERSCORE] = [32, 9, 45, 47, 46, 58, 61, 64, 95];
const TIME_NAME = /\b(?:ts|t|time|timestamp|date|at)=$/i;

/** Finds the first time of a line, and where it stands. */
export class TimeFinder {
  from = 0;
  to = 0;
  readonly #time: LogTime;

  constructor(time: LogTime) {
    this.#time = time;
  }

  /** Whether there is a time in the line [at, end). It is that of the `LogTime` then. */
  find(text: string, at: number, end: number): boolean {
    const limit = Math.min(end, at + FARTHEST);
    let words = 0;
    let before = SPACE;
    for (let i = at; i < limit; i++) {
      const code = text.charCodeAt(i);
      if (isStart(code, before) && this.#reads(text, i, end, before, words)) return true;
      if (isBlank(code) && !isBlank(before)) words++;
      before = code;
    }
    return false;
  }

  #reads(text: string, at: number, end: number, before: number, words: number): boolean {
    if (!BEFORE.has(before) && !(before === COLON && isDateMark(text.charCodeAt(at + 4), text.charCodeAt(at + 8)))) return false;
    const weak: WeakShapes = words === 0 && before !== EQUALS ? FIRST : weakAt(text, at, before, words);
    const to = this.#time.read(text, at, end, weak);
    if (to < 0 || isWordCode(text.charCodeAt(to))) return false;
    this.from = at;
    this.to = to;
    return true;
  }
}

const FIRST: WeakShapes = { alone: true, epoch: true };

/** A date that is none, such as 2021-02-30: the time behind it is not one of today. */
const DATE_BEFORE = /(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}) $/;
const DATE_LENGTH = 10;

function weakAt(text: string, at: number, before: number, words: number): WeakShapes {
  const named = before === EQUALS && TIME_NAME.test(text.slice(Math.max(0, at - 12), at));
  return {
    alone: named || (before !== EQUALS && words < BEFORE_ALONE && !isBehindDate(text, at)),
    epoch: named || (before !== EQUALS && words < BEFORE_EPOCH),
  };
}

function isBehindDate(text: string, at: number): boolean {
  return at > DATE_LENGTH && isDigit(text.charCodeAt(at - 2)) && DATE_BEFORE.test(text.slice(at - DATE_LENGTH - 1, at));
}

function isStart(code: number, before: number): boolean {
  return (isDigit(code) || isLetter(code) || code === AT || code > 127) && !isWordCode(before);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Whether a date may follow a colon: its fifth character is a mark, or its ninth one after eight digits. */
function isDateMark(fifth: number, ninth: number): boolean {
  return fifth === DASH || fifth === SLASH || fifth === DOT || (isDigit(fifth) && ninth === COLON);
}

function isWordCode(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === UNDERSCORE;
}
