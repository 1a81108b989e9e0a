import { BYTES, NANOSECONDS } from '../../api/quantities.ts';

const [ZERO, MINUS, POINT, COMMA] = [48, 45, 46, 44];
/** Digits behind a comma that divides thousands. */
const THOUSAND = 3;
/** Letters of a unit. */
const LONGEST_UNIT = 3;

/** Reads words such as `12`, `-3.5`, `1,204`, `12ms` as numbers of one unit, that of the first one; those of durations and sizes are converted. */
export class Amounts {
  /** The unit; null: none was read. */
  unit: string | null = null;
  /** Whether all had the same unit, and no commas. */
  isUniform = true;
  #last = '';
  #factor = 1;

  /** The number; NaN: it is none, or of another unit. */
  read(bytes: Uint8Array, from: number, to: number): number {
    const isNegative = bytes[from] === MINUS;
    let at = isNegative ? from + 1 : from;
    const first = at;
    let value = 0;
    for (; at < to; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit >= 0 && digit <= 9) value = value * 10 + digit;
      else if (bytes[at] === COMMA && isThousand(bytes, at + 1, to)) this.isUniform = false;
      else break;
    }
    // Ids may begin with zeros.
    if (at === first || (bytes[first] === ZERO && at > first + 1)) return NaN;
    if (bytes[at] === POINT && at + 1 < to) {
      let scale = 1;
      for (at++; at < to; at++) {
        const digit = (bytes[at] as number) - ZERO;
        if (digit < 0 || digit > 9) break;
        scale /= 10;
        value += digit * scale;
      }
    }
    const factor = at === to ? this.#factorOf('') : this.#factorOf(unitAt(bytes, at, to));
    return isNegative ? -value * factor : value * factor;
  }

  #factorOf(unit: string | null): number {
    if (unit === null) return NaN;
    if (this.unit === null) {
      this.unit = unit;
      this.#last = unit;
      return 1;
    }
    if (unit !== this.#last) {
      this.#last = unit;
      this.#factor = factorBetween(unit, this.unit);
      if (unit !== this.unit) this.isUniform = false;
    }
    return this.#factor;
  }
}

function isThousand(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && isDigit(bytes[at] as number)) at++;
  return at - from === THOUSAND;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** The letters; null: they are none, or too many. */
function unitAt(bytes: Uint8Array, from: number, to: number): string | null {
  if (to - from > LONGEST_UNIT) return null;
  let unit = '';
  for (let at = from; at < to; at++) {
    const code = bytes[at] as number;
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    if (!isLetter && code < 128) return null;
    unit += String.fromCharCode(code);
  }
  return unit;
}

function factorBetween(unit: string, base: string): number {
  if (unit === base) return 1;
  for (const units of [NANOSECONDS, BYTES]) if (unit in units && base in units) return (units[unit] as number) / (units[base] as number);
  return NaN;
}

/** An expression for the decimals from a number on, or below it, as they are written; numbers below zero are not found. */
export function decimalPattern(edge: number, isBelow: boolean): string {
  const [whole = '0', fraction = ''] = edge
    .toFixed(12)
    .replace(/\.?0+$/, '')
    .split('.');
  const integers = isBelow ? below(whole) : fromOn(String(Number(whole) + (fraction === '' ? 0 : 1)));
  const parts = integers.length === 0 ? [] : [String.raw`(?:${integers.join('|')})(?:\.\d+)?`];
  if (fraction !== '') {
    parts.push(...(isBelow ? below(fraction, true) : fromOn(fraction, true)).map((one) => String.raw`${whole}\.${one}`));
    if (isBelow) parts.push(whole);
  }
  return `(?:${parts.join('|')})`;
}

/** Digits that are at least these. @param isFraction any more may follow, and as many do not say that the number is larger */
function fromOn(digits: string, isFraction = false): string[] {
  const parts = [`${digits}${isFraction ? String.raw`\d*` : ''}`];
  for (const [i, digit] of [...digits].entries())
    if (digit !== '9')
      parts.push(`${digits.slice(0, i)}${range(Number(digit) + 1, 9)}${isFraction ? String.raw`\d*` : any(digits.length - i - 1)}`);
  if (!isFraction) parts.push(String.raw`[1-9]\d{${digits.length},}`);
  return parts;
}

/** Digits that are less than these. */
function below(digits: string, isFraction = false): string[] {
  const parts: string[] = [];
  for (const [i, digit] of [...digits].entries())
    if (digit !== '0')
      parts.push(`${digits.slice(0, i)}${range(0, Number(digit) - 1)}${isFraction ? String.raw`\d*` : any(digits.length - i - 1)}`);
  if (!isFraction && digits.length > 1) parts.push(String.raw`\d{1,${digits.length - 1}}`);
  if (isFraction) for (let i = 1; i < digits.length; i++) parts.push(digits.slice(0, i));
  return parts;
}

const any = (count: number): string => (count < 2 ? String.raw`\d`.repeat(count) : String.raw`\d{${count}}`);
const range = (from: number, to: number): string => (from === to ? String(from) : `[${from}-${to}]`);
