/** Lines of names and values: `a=1 b="two words" c`. */
import { NameCache } from './name_cache.ts';
import { isSpace } from '../base/scan.ts';

/** The syntax of pairs. */
export interface PairSyntax {
  /** The text between two pairs; a blank means any amount of white space. */
  readonly separator: string;
  /** The text between a name and its value. */
  readonly assignment: string;
}

const [QUOTE, APOSTROPHE] = [34, 39];
const BACKSLASH = 92;
const [BRACKET, BRACE] = [91, 123];
const LAST_ASCII = 127;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([^]))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads a line pair by pair. Values may stand in double quotes, with backslashes before quotes and as in JSON, or in brackets. */
export class PairReader {
  name = '';
  /** The value without quotes; null for a name without a value. */
  value: string | null = null;
  quoted = false;
  /** The reason for which `next` stopped before the end of the line; null when it did not. */
  error: string | null = null;
  readonly #names = new NameCache();
  readonly #separator: string;
  readonly #assignment: string;
  readonly #assignmentCode: number;
  readonly #spaced: boolean;
  #text = '';
  #at = 0;
  #end = 0;

  constructor({ separator, assignment }: PairSyntax) {
    if (separator === '' || assignment === '') throw new TypeError('the separators must not be empty');
    this.#separator = separator;
    this.#assignment = assignment;
    this.#assignmentCode = assignment.charCodeAt(0);
    this.#spaced = separator === ' ';
  }

  /** Begins with the line [at, end). */
  begin(text: string, at: number, end: number): void {
    this.#text = text;
    this.#at = at;
    this.#end = end;
    this.error = null;
    this.#names.begin();
  }

  /** Reads the next pair. False at the end of the line, and when what stands there is no pair. */
  next(): boolean {
    this.#skipSeparators();
    if (this.#at >= this.#end) return false;
    const close = this.#text.charCodeAt(this.#at) === QUOTE ? this.#nameClose() : -1;
    const nameEnd = close < 0 ? this.#nameEnd() : close + 1;
    this.name = close < 0 ? this.#nameTo(nameEnd) : this.#text.slice(this.#at + 1, close);
    this.quoted = false;
    this.value = null;
    this.#at = nameEnd;
    if (this.name.includes('"')) return this.#fail('a quote outside of a value');
    if (!this.#stands(this.#assignment, nameEnd)) return true;
    if (this.name === '') return this.#fail('a value without a name');
    this.#at = nameEnd + this.#assignment.length;
    return this.#readValue();
  }

  /** The position of the quote behind a name in quotes; -1: no name is in quotes here. */
  #nameClose(): number {
    const close = this.#text.indexOf('"', this.#at + 1);
    return close > 0 && close < this.#end && this.#stands(this.#assignment, close + 1) ? close : -1;
  }

  #nameTo(end: number): string {
    const last = this.#text.charCodeAt(end - 1);
    if (isSpace(last) || last > LAST_ASCII) return this.#text.slice(this.#at, end).trimEnd();
    return this.#names.next(this.#text, this.#at, end);
  }

  /** Does what `#find` does, faster when the name is the same as at this place of the last record. */
  #nameEnd(): number {
    const known = this.#names.lengthAt(this.#text, this.#at);
    const to = this.#at + known;
    return known > 0 && to < this.#end && this.#stands(this.#assignment, to) ? to : this.#find(this.#at);
  }

  /** The position of the next assignment or separator, or the end of the line. */
  #find(at: number): number {
    const [text, end, first] = [this.#text, this.#end, this.#assignmentCode];
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (this.#spaced ? isSpace(code) : this.#separates(at)) break;
      if (code === first && this.#stands(this.#assignment, at)) break;
    }
    return at;
  }

  #readValue(): boolean {
    if (!this.#spaced) this.#skipSpace();
    if (this.#at < this.#end && this.#text.charCodeAt(this.#at) === QUOTE) return this.#readQuoted();
    if (this.#at < this.#end && this.#text.charCodeAt(this.#at) === APOSTROPHE && this.#readApostrophes()) return true;
    const [text, end] = [this.#text, this.#end];
    let to = this.#at < end && this.#spaced ? this.#bracketsEnd(text.charCodeAt(this.#at)) : this.#at;
    while (to < end && !(this.#spaced ? isSpace(text.charCodeAt(to)) : this.#separates(to))) to++;
    this.value = this.#text.slice(this.#at, to);
    if (!this.#spaced) this.value = this.value.trimEnd();
    this.#at = to;
    return true;
  }

  /** The position behind a value in brackets that may have blanks in it, such as JSON and Go's lists; where it begins when it has none. */
  #bracketsEnd(open: number): number {
    if (open !== BRACE && open !== BRACKET) return this.#at;
    const close = open + 2;
    let depth = 0;
    for (let to = this.#at; to < this.#end; to++) {
      const code = this.#text.charCodeAt(to);
      if (code === open) depth++;
      else if (code === close && --depth === 0) return to + 1 === this.#end || this.#separates(to + 1) ? to + 1 : this.#at;
    }
    return this.#at;
  }

  /** Reads a value in apostrophes, which are plain characters where none of them ends it. */
  #readApostrophes(): boolean {
    let to = this.#text.indexOf("'", this.#at + 1);
    while (to >= 0 && to + 1 < this.#end && !this.#separates(to + 1)) to = this.#text.indexOf("'", to + 1);
    if (to < 0 || to >= this.#end) return false;
    const value = this.#text.slice(this.#at + 1, to);
    if (value.includes('=') && / \S+=/.test(value)) return false;
    this.value = value;
    this.quoted = true;
    this.#at = to + 1;
    return true;
  }

  #readQuoted(): boolean {
    let to = this.#at + 1;
    let escaped = false;
    while (to < this.#end && this.#text.charCodeAt(to) !== QUOTE) {
      const backslash = this.#text.charCodeAt(to) === BACKSLASH;
      escaped ||= backslash;
      to += backslash ? 2 : 1;
    }
    if (to >= this.#end) return this.#fail('a quote that does not end');
    const value = this.#text.slice(this.#at + 1, to);
    this.value = escaped ? unescape(value) : value;
    this.quoted = true;
    this.#at = to + 1;
    if (!this.#spaced) this.#skipSpace();
    return this.#at >= this.#end || this.#separates(this.#at) || this.#fail('text behind a closing quote');
  }

  #separates(at: number): boolean {
    return this.#spaced ? isSpace(this.#text.charCodeAt(at)) : this.#stands(this.#separator, at);
  }

  #stands(word: string, at: number): boolean {
    return at + word.length <= this.#end && this.#text.startsWith(word, at);
  }

  #skipSeparators(): void {
    this.#skipSpace();
    while (!this.#spaced && this.#at < this.#end && this.#separates(this.#at)) {
      this.#at += this.#separator.length;
      this.#skipSpace();
    }
  }

  #skipSpace(): void {
    while (this.#at < this.#end && isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #fail(error: string): false {
    this.error = error;
    return false;
  }
}

function unescape(text: string): string {
  return text.replace(ESCAPE, (_, unit: string | undefined, character: string = '') =>
    unit === undefined ? (ESCAPED[character] ?? character) : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
