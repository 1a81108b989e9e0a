/** Recognises texts of a record that are numbers. */
import { isDigit } from '../base/scan.ts';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** A number without an exponent, as `String` writes it but for the zeros at its end: not an identifier with leading zeros. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Longer ones have more digits than a double. */
const MAX_PLAIN = 16;
const INTEGER = /^[+-]?\d+$/;
const ALL = '*';
const DASH = 45;

/**
 * A list of names with commas between them, such as `status, bytes:B`: their values become numbers, with the representation that stands behind a
 * colon. `*` stands for all values that are plainly numbers,
 * and are written as these are.
 */
export class NumberFields {
  readonly #units: ReadonlyMap<string, string>;
  readonly #all: boolean;

  constructor(list: string) {
    const entries = list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    this.#all = entries.includes(ALL);
    this.#units = new Map(entries.filter((item) => item !== ALL).map(splitUnit));
  }

  /** Whether values of this name may be numbers. */
  mayHold(name: string): boolean {
    return this.#all || this.#units.has(name);
  }

  /** The representation of this name's numbers; undefined for none. */
  unitOf(name: string): string | undefined {
    return this.#units.get(name) || undefined;
  }

  /** The number that a value of this name is; NaN when it stays a text, as an integer does of which a double does not hold all digits. */
  numberOf(name: string, text: string): number {
    if (this.#units.has(name)) return DECIMAL.test(text) ? exactNumber(text) : NaN;
    return this.#all && text.length <= MAX_PLAIN && mayBegin(text.charCodeAt(0)) ? writtenNumber(text) : NaN;
  }
}

/** The number that a text is; NaN when it would be written in another way, as a version or an identifier would: `1.10`, `2.0`, `-0`. */
export function writtenNumber(text: string): number {
  const number = PLAIN.test(text) ? Number(text) : NaN;
  return String(number) === text ? number : NaN;
}

function exactNumber(text: string): number {
  const number = Number(text);
  return number <= Number.MAX_SAFE_INTEGER && number >= Number.MIN_SAFE_INTEGER ? number : INTEGER.test(text) ? NaN : number;
}

/** Most values are no numbers: that shows at their first character. */
function mayBegin(code: number): boolean {
  return isDigit(code) || code === DASH;
}

function splitUnit(item: string): [name: string, unit: string] {
  const colon = item.lastIndexOf(':');
  return colon <= 0 ? [item, ''] : [item.slice(0, colon).trim(), item.slice(colon + 1).trim()];
}
