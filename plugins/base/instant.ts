/** Times as whole seconds and the nanoseconds behind them: a double has too few digits for both. */

/** A time since 1970. */
export interface Instant {
  /** Whole seconds, less than 0 before 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999, always forward. */
  readonly nanos: number;
}

const SECOND = 1_000_000_000n;
/** Digits of a fraction of a second that count. */
const DIGITS = 9;
const ZERO = 48;
/** Whole seconds below this are exact as a double of nanoseconds: those up to the year 2112. */
const MOST_SECONDS = 4_503_599_627;

/** The second that was asked for last, and its nanoseconds: lines of a log are often of one. */
let lastSecond = 0;
let lastBase = 0n;

/** Nanoseconds since 1970, exactly: as a number where it can hold them, which is faster, else as a BigInt. */
export function nanoseconds({ seconds, nanos }: Instant): number | bigint {
  return exactTime(seconds, nanos);
}

/** Does what `nanoseconds` does, by the parts of the time. */
export function exactTime(seconds: number, nanos: number): number | bigint {
  const isShort = nanos === 0 && seconds < MOST_SECONDS && seconds > -MOST_SECONDS;
  return isShort || !Number.isFinite(seconds) ? seconds * 1e9 : exactBigInt(seconds, nanos);
}

/** The same as a BigInt always. */
export function exactBigInt(seconds: number, nanos: number): bigint {
  if (seconds !== lastSecond) {
    lastBase = BigInt(seconds) * SECOND;
    lastSecond = seconds;
  }
  return nanos === 0 ? lastBase : lastBase + BigInt(nanos);
}

/** The nanoseconds that the digits [from, to) behind the point of a second are; further digits do not count. */
export function nanosIn(text: string, from: number, to: number): number {
  let nanos = 0;
  for (let i = 0; i < DIGITS; i++) nanos = nanos * 10 + (from + i < to ? text.charCodeAt(from + i) - ZERO : 0);
  return nanos;
}

/**
 * The whole units of so many nanoseconds that lie in a time. A double that is the nearest to a whole unit is one: those of present days are rounded to
 * 256 ns, mostly down to less than the millisecond that was meant.
 */
export function unitsIn(ns: number | bigint, unit: number): number {
  if (typeof ns === 'bigint') return floorDivide(ns, BigInt(unit));
  const nearest = Math.round(ns / unit);
  return nearest * unit > ns ? nearest - 1 : nearest;
}

function floorDivide(value: bigint, divisor: bigint): number {
  const whole = value / divisor;
  return Number(value < 0n && whole * divisor !== value ? whole - 1n : whole);
}

const DECIMAL = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/;

/** Nanoseconds since 1970 of seconds in decimal digits, perhaps with a sign and a fraction; null for any other text. */
export function decimalTime(text: string): number | bigint | null {
  const { sign, whole = '', fraction = '' } = DECIMAL.exec(text)?.groups ?? {};
  if (whole === '') return null;
  const time = exactTime(Number(whole), nanosIn(fraction, 0, fraction.length));
  return sign === '-' ? -time : time;
}
