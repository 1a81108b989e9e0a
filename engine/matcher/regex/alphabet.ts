import { firstIndex } from '../../message/binary-search.ts';
import { contains, NEWLINE, WORD, type CharSet } from './charset.ts';

/** Kinds of neighbours of a position; assertions depend on nothing else. The outside of the text is EDGE. */
export const Beside = { EDGE: 0, NEWLINE: 1, WORD: 2, OTHER: 3 } as const;

/**
 * Sorts the characters into classes that no set of an expression tells apart, so that tables need one column for each class
 * instead of one for each character.
 */
export class Alphabet {
  /** Number of classes. */
  readonly size: number;
  /** Class of each character up to U+00FF. */
  readonly latin: Uint16Array;
  /** For each class its kind as a neighbour (`Beside`). */
  readonly beside: Uint8Array;
  /** For each set of the expression whether it has the class. */
  readonly members: readonly Uint8Array[];
  /** First character of each stretch of one class, and that class. */
  readonly #starts: readonly number[];
  readonly #classes: readonly number[];
  #plane: Uint16Array | null = null;

  constructor(sets: readonly CharSet[], asserting: boolean) {
    const all = asserting ? [...sets, NEWLINE, WORD] : [...sets];
    const starts = [...new Set([0, ...all.flatMap((set) => set.map((code, i) => (i % 2 === 0 ? code : code + 1)))])];
    this.#starts = starts.sort((a, b) => a - b);
    const ids = new Map<string, number>();
    const samples: number[] = [];
    this.#classes = this.#starts.map((code) => {
      const key = all.map((set) => (contains(set, code) ? '1' : '0')).join('');
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, samples.length);
      return samples.push(code) - 1;
    });
    this.size = samples.length;
    this.members = sets.map((set) => Uint8Array.from(samples, (code) => (contains(set, code) ? 1 : 0)));
    this.beside = Uint8Array.from(samples, (code) => {
      if (code === 10) return Beside.NEWLINE;
      return contains(WORD, code) ? Beside.WORD : Beside.OTHER;
    });
    this.latin = Uint16Array.from({ length: 256 }, (_, code) => this.#find(code));
  }

  /** Class of any character. */
  classOf(code: number): number {
    if (code > 0xffff) return this.#find(code);
    this.#plane ??= this.#fillPlane();
    return this.#plane[code] as number;
  }

  #find(code: number): number {
    const behind = firstIndex(this.#starts.length, (i) => (this.#starts[i] as number) > code);
    return this.#classes[behind - 1] as number;
  }

  #fillPlane(): Uint16Array {
    const plane = new Uint16Array(0x10000);
    this.#starts.forEach((start, i) => {
      plane.fill(this.#classes[i] as number, Math.min(start, 0x10000), Math.min(this.#starts[i + 1] ?? 0x10000, 0x10000));
    });
    return plane;
  }
}
