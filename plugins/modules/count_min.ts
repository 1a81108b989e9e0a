/**
 * Counts how often values occur in bounded memory: G. Cormode, S. Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch and its
 * Applications", 2005, with conservative update (C. Estan, G. Varghese, 2002). A count is never too small, and seldom too large as long as there are fewer
 * different values than columns.
 */
import { checkString, unexpected } from '../base/arguments.ts';
import { MurmurHash } from '../base/murmur_hash.ts';
import { writeUtf8 } from '../base/utf8_bytes.ts';

const ROWS = 4;
const COLUMNS = 1 << 14;

/** Estimates how often values occur; see above. */
export class CountMinSketch {
  readonly #counts = new Uint32Array(ROWS * COLUMNS);
  readonly #hash = new MurmurHash();
  readonly #cells = new Uint32Array(ROWS);
  #bytes = new Uint8Array(256);

  /** Counts a value. Returns how often it was there, this time included. */
  add(value: string): number {
    checkString('add', 1, value);
    if (value.length * 3 > this.#bytes.length) this.#bytes = new Uint8Array(value.length * 3);
    this.#hash.update(this.#bytes, writeUtf8(value, this.#bytes));
    const count = this.#locate(this.#hash.low, this.#hash.high) + 1;
    const [counts, cells] = [this.#counts, this.#cells];
    for (let row = 0; row < ROWS; row++) {
      const cell = cells[row] as number;
      if ((counts[cell] as number) < count) counts[cell] = count;
    }
    return count;
  }

  /** Finds the value's cell in each row, by two hashes (A. Kirsch, M. Mitzenmacher, 2006). Returns the least of their counts. */
  #locate(first: number, second: number): number {
    const [counts, cells] = [this.#counts, this.#cells];
    const step = second | 1;
    let least = Infinity;
    for (let row = 0; row < ROWS; row++) {
      const cell = row * COLUMNS + ((first + Math.imul(row, step)) & (COLUMNS - 1));
      cells[row] = cell;
      const count = counts[cell] as number;
      if (count < least) least = count;
    }
    return least;
  }

  /** Counts all that another sketch has counted. No count becomes too small; they may be larger than those of one sketch for everything. */
  merge(other: CountMinSketch): void {
    if (!(other instanceof CountMinSketch)) throw unexpected('merge', 1, 'CountMinSketch', other);
    for (const [cell, count] of other.#counts.entries()) this.#counts[cell] = (this.#counts[cell] as number) + count;
  }

  /** All counts, for `fromSaved`. */
  toSaved(): Uint32Array {
    return this.#counts.slice();
  }

  restore(saved: Uint32Array): void {
    if (saved?.length !== this.#counts.length) throw new RangeError('not a saved sketch');
    this.#counts.set(saved);
  }

  static fromSaved(saved: Uint32Array): CountMinSketch {
    const sketch = new CountMinSketch();
    sketch.restore(saved);
    return sketch;
  }
}
