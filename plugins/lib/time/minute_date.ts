/** Dates of lines that follow each other: most are of the minute of the one before, and only the seconds differ. */
import type { AnyDate } from '../../modules/any_date.ts';
import { exactTime, nanosIn } from '../../base/instant.ts';
import { isDigit } from '../../base/scan.ts';

const [COMMA, DASH, DOT, SLASH, ZERO, COLON] = [44, 45, 46, 47, 48, 58];
/** Positions of the seconds in `2021-03-05T13:07:59` and in `05/Mar/2021:13:07:59`. */
const [ISO_SECONDS, CLF_SECONDS] = [17, 18];
const SECOND = 1_000_000_000n;

/** Reads dates as `AnyDate` does, and remembers the minute of the last one. */
export class MinuteDate {
  readonly #date: AnyDate;
  /** Texts before and behind the seconds and their fraction. */
  #before = '';
  #behind = '';
  /** Seconds since 1970 at which that minute begins. */
  #minute = 0;

  constructor(date: AnyDate) {
    this.#date = date;
  }

  /** Nanoseconds since 1970 of the date that [from, to) is, or null. */
  read(text: string, from: number, to: number): number | bigint | null {
    const before = this.#before;
    const at = from + before.length;
    if (before === '' || at + 2 > to || !text.startsWith(before, from)) return this.#parse(text, from, to);
    const tens = text.charCodeAt(at) - ZERO;
    const ones = text.charCodeAt(at + 1) - ZERO;
    const fractionTo = fractionEnd(text, at + 2, to);
    const isOther = fractionTo + this.#behind.length !== to || !text.startsWith(this.#behind, fractionTo);
    if (isOther || !(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return this.#parse(text, from, to);
    const nanos = fractionTo === at + 2 ? 0 : nanosIn(text, at + 3, fractionTo);
    return exactTime(this.#minute + tens * 10 + ones, nanos);
  }

  #parse(text: string, from: number, to: number): bigint | null {
    const written = text.slice(from, to);
    const ns = this.#date.parse(written);
    if (ns !== null) this.#remember(written);
    return ns;
  }

  /** The minute counts only when it is a whole one, without a change of the zone's offset. */
  #remember(written: string): void {
    const mark = written.charCodeAt(4);
    const at = mark === DASH || mark === SLASH ? ISO_SECONDS : CLF_SECONDS;
    if (at === CLF_SECONDS && written.charCodeAt(2) !== written.charCodeAt(6)) return;
    if (written.charCodeAt(at - 1) !== COLON || written.charCodeAt(at - 4) !== COLON) return;
    const before = written.slice(0, at);
    const behind = written.slice(fractionEnd(written, at + 2, written.length));
    const first = this.#date.parse(`${before}00${behind}`);
    const last = this.#date.parse(`${before}59${behind}`);
    if (first === null || last === null || last - first !== 59n * SECOND || first % SECOND !== 0n) return;
    this.#before = before;
    this.#behind = behind;
    this.#minute = Number(first / SECOND);
  }
}

/** The position behind a point and digits at `at`; `at` when they do not stand there. */
function fractionEnd(text: string, at: number, end: number): number {
  if (at >= end) return at;
  const point = text.charCodeAt(at);
  if (point !== DOT && point !== COMMA) return at;
  let to = at + 1;
  while (to < end && isDigit(text.charCodeAt(to))) to++;
  return to === at + 1 ? at : to;
}
