/** The lower-case form of each character of Latin-1, which is one of Latin-1, too. */
const LOWER = Uint8Array.from({ length: 256 }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));
const SAME = Uint8Array.from({ length: 256 }, (_, code) => code);

/**
 * A piece of text that is looked for in texts whose code units are bytes, without a string of them. What stands at the place of its last character says how far
 * the search may go on (Horspool, "Practical fast searching in strings", 1980).
 */
export class LatinNeedle {
  readonly length: number;
  readonly #codes: Uint8Array;
  readonly #fold: Uint8Array;
  /** How far to go on after each byte; 0: it may be the last one of the needle. */
  readonly #steps = new Int32Array(256);
  /** How far to go on after the last one of the needle. */
  readonly #next: number;

  /**
   * @param text in lower case unless the case is minded
   * @returns null: it has a character that no such text has
   */
  static of(text: string, caseSensitive: boolean): LatinNeedle | null {
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return null;
    return new LatinNeedle(Buffer.from(text, 'latin1'), caseSensitive ? SAME : LOWER);
  }

  private constructor(codes: Uint8Array, fold: Uint8Array) {
    this.length = codes.length;
    this.#codes = codes;
    this.#fold = fold;
    const last = codes.length - 1;
    const stepOf = (code: number): number => last - codes.lastIndexOf(code, last - 1);
    this.#next = last < 1 ? 1 : stepOf(codes[last] as number);
    for (let byte = 0; byte < 256; byte++) {
      const code = fold[byte] as number;
      this.#steps[byte] = code === codes[last] ? 0 : last < 1 ? 1 : stepOf(code);
    }
  }

  /** Whether the bytes [start, end) hold it. */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    const [codes, fold, steps, next] = [this.#codes, this.#fold, this.#steps, this.#next];
    const last = codes.length - 1;
    if (last < 0) return true;
    for (let at = start + last; at < end;) {
      const step = steps[bytes[at] as number] as number;
      if (step > 0) {
        at += step;
        continue;
      }
      let before = 1;
      while (before <= last && fold[bytes[at - before] as number] === codes[last - before]) before++;
      if (before > last) return true;
      at += next;
    }
    return false;
  }
}
