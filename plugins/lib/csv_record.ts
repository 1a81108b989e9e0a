/** Records of comma-separated values (RFC 4180), also with other delimiters. */

const [BLANK, QUOTE] = [32, 34];

/**
 * Takes a record apart. A value in double quotes may hold delimiters, line ends and quotes, which stand twice; quotes inside of a value that does not
 * begin with one are plain characters.
 */
export class CsvRecord {
  /** Number of values of the record. */
  count = 0;
  /** The reason why `read` refused the record. */
  error = '';
  /** Whether blanks around delimiters are no part of the values, which then may begin with a quote behind them. */
  isSpaced = false;
  readonly #delimiter: number;
  /** Positions of the values in the text, without their outer quotes. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #doubled: boolean[] = [];

  /** `delimiter`: one character, neither a quote nor a line end. */
  constructor(delimiter: string) {
    if (delimiter.length !== 1 || '"\r\n'.includes(delimiter)) throw new TypeError('delimiter must be one character, or tab');
    this.#delimiter = delimiter.charCodeAt(0);
  }

  from(i: number): number {
    return this.#from[i] as number;
  }

  to(i: number): number {
    return this.#to[i] as number;
  }

  /** The value number `i` when its piece does not spell it out, because of doubled quotes; else null. */
  unquoted(text: string, i: number): string | null {
    return this.#doubled[i] === true ? text.slice(this.#from[i], this.#to[i]).replaceAll('""', '"') : null;
  }

  /** The value number `i`. */
  value(text: string, i: number): string {
    return this.unquoted(text, i) ?? text.slice(this.#from[i], this.#to[i]);
  }

  /** Takes [at, end) apart. False when it is no record; `error` says why. */
  read(text: string, at: number, end: number): boolean {
    this.count = 0;
    for (;;) {
      if (this.isSpaced && this.count > 0) at = blanksEnd(text, at, end);
      at = at < end && text.charCodeAt(at) === QUOTE ? this.#readQuoted(text, at + 1, end) : this.#readPlain(text, at, end);
      if (at < 0) return false;
      if (at >= end) return true;
      at++;
    }
  }

  #readPlain(text: string, at: number, end: number): number {
    let to = at;
    while (to < end && text.charCodeAt(to) !== this.#delimiter) to++;
    this.#add(at, this.isSpaced ? blanksStart(text, at, to) : to, false);
    return to;
  }

  #readQuoted(text: string, at: number, end: number): number {
    let doubled = false;
    let to = text.indexOf('"', at);
    while (to >= 0 && to + 1 < end && text.charCodeAt(to + 1) === QUOTE) {
      doubled = true;
      to = text.indexOf('"', to + 2);
    }
    if (to < 0 || to >= end) return this.#refuse('a quote that does not end');
    this.#add(at, to, doubled);
    return to + 1 >= end || text.charCodeAt(to + 1) === this.#delimiter ? to + 1 : this.#refuse('text behind a closing quote');
  }

  #add(from: number, to: number, doubled: boolean): void {
    this.#from[this.count] = from;
    this.#to[this.count] = to;
    this.#doubled[this.count] = doubled;
    this.count++;
  }

  #refuse(error: string): -1 {
    this.error = error;
    return -1;
  }
}

function blanksEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && text.charCodeAt(to) === BLANK) to++;
  return to;
}

function blanksStart(text: string, at: number, end: number): number {
  let from = end;
  while (from > at && text.charCodeAt(from - 1) === BLANK) from--;
  return from;
}
