/** Dates of lines that follow each other: most are of the minute of the one before, and only the seconds differ. */
import type { AnyDate } from '../../modules/any_date.ts';
import { exactTime, nanosIn } from '../../base/instant.ts';
import { isDigit } from '../../base/scan.ts';
import { stands } from '../record_units.ts';

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
    if (before === '' || at + 2 > to || !text.startsWith(before, from)) return this.#parse(text.slice(from, to));
    const tens = text.charCodeAt(at) - ZERO;
    const ones = text.charCodeAt(at + 1) - ZERO;
    const fractionTo = fractionEnd(text, at + 2, to);
    const isOther = fractionTo + this.#behind.length !== to || !text.startsWith(this.#behind, fractionTo);
    if (isOther || !(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return this.#parse(text.slice(from, to));
    const nanos = fractionTo === at + 2 ? 0 : nanosIn(text, at + 3, fractionTo);
    return exactTime(this.#minute + tens * 10 + ones, nanos);
  }

  /** The same where the text's code units are bytes: no text is made of them but at a new minute. */
  readUnits(units: Uint8Array, from: number, to: number): number | bigint | null {
    const [before, behind] = [this.#before, this.#behind];
    const [at, fractionTo] = [from + before.length, to - behind.length];
    if (before === '' || at + 2 > fractionTo || !stands(before, units, from) || !stands(behind, units, fractionTo)) {
      return this.#parse(textOf(units, from, to));
    }
    const tens = (units[at] as number) - ZERO;
    const ones = (units[at + 1] as number) - ZERO;
    const nanos = at + 2 === fractionTo ? 0 : fractionIn(units, at + 2, fractionTo, to);
    if (!(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9 && nanos >= 0)) return this.#parse(textOf(units, from, to));
    return exactTime(this.#minute + tens * 10 + ones, nanos);
  }

  #parse(written: string): bigint | null {
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

const textOf = (units: Uint8Array, from: number, to: number): string => String.fromCharCode(...units.subarray(from, to));

/** The nanoseconds of a point and digits [at, to), behind which there is no further digit before `end`; -1 when they are something else. */
function fractionIn(units: Uint8Array, at: number, to: number, end: number): number {
  const point = units[at];
  if ((point !== DOT && point !== COMMA) || to === at + 1 || (to < end && isDigit(units[to] as number))) return -1;
  let [nanos, unit] = [0, 100_000_000];
  for (let i = at + 1; i < to; i++) {
    const digit = (units[i] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    nanos += unit >= 1 ? digit * unit : 0;
    unit /= 10;
  }
  return nanos;
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
