import { ownText } from '../base/excerpt.ts';

/** Places of a record whose names are remembered. */
const MOST_PLACES = 64;

/**
 * The names in records, which are mostly the same in the same order: each is cut out of its text once, and is the same string from then on, which makes it
 * quick to look up.
 */
export class NameCache {
  readonly #names: string[] = [];
  #place = 0;

  /** Begins with a record. */
  begin(): void {
    this.#place = 0;
  }

  /** Whether the name that is remembered next stands at `at` of the text; how long it is, else -1. */
  lengthAt(text: string, at: number): number {
    const known = this.#names[this.#place];
    return known !== undefined && text.startsWith(known, at) ? known.length : -1;
  }

  /** The length of the next remembered name, if the text before `end` is that name; else -1. */
  lengthBefore(text: string, end: number): number {
    const known = this.#names[this.#place];
    return known !== undefined && end >= known.length && text.startsWith(known, end - known.length) ? known.length : -1;
  }

  /** The next name of the record, which is the piece [from, to) of a text. */
  next(text: string, from: number, to: number): string {
    const place = this.#place++;
    const known = this.#names[place];
    if (known !== undefined && known.length === to - from && text.startsWith(known, from)) return known;
    const name = text.slice(from, to);
    return place < MOST_PLACES ? (this.#names[place] = ownText(name)) : name;
  }
}
