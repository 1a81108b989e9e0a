import { EngineError } from '../base/errors.ts';
import { FOLDED } from './text-pattern.ts';

/** Called for each text that was found, with the place behind it. */
export type Found = (pattern: number, end: number) => void;

/** Entries of the table, four bytes each. */
const MAX_ENTRIES = 32 << 20;
const FIRST_STATES = 256;

/**
 * Finds many texts in one walk, without regard to case (Aho and Corasick, "Efficient string matching", 1975), with a table of all moves. Texts are given as
 * `foldedOf` makes them.
 */
export class Automaton {
  readonly #width: number;
  readonly #classes = new Uint16Array(0x10000);
  #moves: Int32Array;
  /** The state behind each character where no text has begun. */
  readonly #firsts = new Int32Array(0x10000);
  /** The text that ends in a state; -1: none. */
  #ends: Int32Array;
  /** The next shorter state in which a text ends; 0: none. */
  readonly #shorter: Int32Array;
  /** Whether any text ends in a state. */
  readonly #isEnd: Uint8Array;

  /** @throws {EngineError} for more texts than one automaton holds */
  constructor(texts: readonly string[]) {
    this.#width = this.#classify(texts);
    this.#moves = new Int32Array(FIRST_STATES * this.#width);
    this.#ends = new Int32Array(FIRST_STATES).fill(-1);
    const count = this.#addAll(texts);
    this.#shorter = new Int32Array(count);
    this.#isEnd = new Uint8Array(count);
    this.#complete(count);
    for (let code = 0; code < 0x10000; code++) this.#firsts[code] = this.#moves[this.#classes[code] as number] as number;
  }

  /** Walks over a piece of a text. */
  scan(text: string, start: number, end: number, found: Found): void {
    const moves = this.#moves;
    const classes = this.#classes;
    const firsts = this.#firsts;
    const width = this.#width;
    const isEnd = this.#isEnd;
    let state = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      // Most characters begin no text.
      state = state === 0 ? (firsts[code] as number) : (moves[state * width + (classes[code] as number)] as number);
      if (isEnd[state] !== 0) this.#tell(state, at + 1, found);
    }
  }

  #tell(state: number, end: number, found: Found): void {
    for (let at = state; at !== 0; at = this.#shorter[at] as number) {
      const pattern = this.#ends[at] as number;
      if (pattern >= 0) found(pattern, end);
    }
  }

  /** Gives each character that is in a text a class of its own, and all others the class 0. @returns the number of classes */
  #classify(texts: readonly string[]): number {
    const used = new Set<number>();
    for (const text of texts) for (let i = 0; i < text.length; i++) used.add(text.charCodeAt(i));
    const classOf = new Map([...used].map((code, i) => [code, i + 1]));
    for (let code = 0; code < 0x10000; code++) this.#classes[code] = classOf.get(FOLDED[code] as number) ?? 0;
    return used.size + 1;
  }

  /** Adds the texts as a tree. @returns the number of states */
  #addAll(texts: readonly string[]): number {
    let count = 1;
    for (const [pattern, text] of texts.entries()) {
      let state = 0;
      for (let i = 0; i < text.length; i++) {
        const move = state * this.#width + (this.#classes[text.charCodeAt(i)] as number);
        if (this.#moves[move] === 0) {
          if (count === this.#ends.length) this.#grow();
          this.#moves[move] = count++;
        }
        state = this.#moves[move] as number;
      }
      this.#ends[state] = pattern;
    }
    return count;
  }

  #grow(): void {
    if (this.#moves.length * 2 > MAX_ENTRIES)
      throw new EngineError('rules.too-many', 'the rules have more texts for one field than can be looked for at once');
    const moves = new Int32Array(this.#moves.length * 2);
    moves.set(this.#moves);
    this.#moves = moves;
    const ends = new Int32Array(this.#ends.length * 2).fill(-1);
    ends.set(this.#ends);
    this.#ends = ends;
  }

  /** Adds the moves that go on with a shorter text, level by level. */
  #complete(count: number): void {
    const [moves, width, ends] = [this.#moves, this.#width, this.#ends];
    const fallback = new Int32Array(count);
    const queue = new Int32Array(count);
    let length = 0;
    for (let move = 0; move < width; move++) if (moves[move] !== 0) queue[length++] = moves[move] as number;
    for (let at = 0; at < length; at++) {
      const state = queue[at] as number;
      const other = fallback[state] as number;
      this.#shorter[state] = (ends[other] as number) >= 0 ? other : (this.#shorter[other] as number);
      this.#isEnd[state] = (ends[state] as number) >= 0 || this.#shorter[state] !== 0 ? 1 : 0;
      for (let symbol = 0; symbol < width; symbol++) {
        const move = state * width + symbol;
        const next = moves[move] as number;
        const fallen = moves[other * width + symbol] as number;
        if (next === 0) moves[move] = fallen;
        else {
          fallback[next] = fallen;
          queue[length++] = next;
        }
      }
    }
  }
}
