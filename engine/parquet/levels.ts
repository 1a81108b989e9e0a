import type { GrowingBytes } from './growing.ts';
import { GrowingWords } from './growing.ts';
import { RunEncoder } from './rle.ts';

/** Kinds of places in a column. A column without lists has only the first two. */
export const Place = { NULL: 0, VALUE: 1, EMPTY: 2, FIRST: 3, NEXT: 4 } as const;
type Place = (typeof Place)[keyof typeof Place];

/** Definition level of each place in a list: null, (none), the empty list, and its values. */
const LIST_DEFINITION: readonly number[] = [0, 0, 1, 2, 2];

/** Rows of a column that have values, as runs, so that a column that few rows have costs little. */
export class Levels {
  /** Place and count of each run, one after the other. */
  readonly #runs = new GrowingWords();
  /** Rows so far. */
  rows = 0;
  /** Places so far: a list of several values has several. */
  places = 0;
  /** Values so far. */
  values = 0;

  /** Rows [row, row + count) have one value each. Rows before that were not mentioned are null. */
  present(row: number, count = 1): void {
    this.fill(row);
    this.#add(Place.VALUE, count);
    this.rows += count;
    this.values += count;
  }

  /** The row has a list of so many values. */
  list(row: number, count: number): void {
    this.fill(row);
    this.#add(count === 0 ? Place.EMPTY : Place.FIRST, 1);
    if (count > 1) this.#add(Place.NEXT, count - 1);
    this.rows++;
    this.values += count;
  }

  /** Makes rows without a value of all up to `row`. */
  fill(row: number): void {
    if (row > this.rows) this.#add(Place.NULL, row - this.rows);
    this.rows = Math.max(row, this.rows);
  }

  #add(place: Place, count: number): void {
    this.places += count;
    const { length, data } = this.#runs;
    if (length > 0 && data[length - 2] === place) data[length - 1] = (data[length - 1] as number) + count;
    else {
      this.#runs.push(place);
      this.#runs.push(count);
    }
  }

  /** Reads the places in order, page by page. */
  reader(): LevelReader {
    return new LevelReader(this.#runs.view());
  }
}

/** Writes the levels of a column, page by page. */
export class LevelReader {
  readonly #runs: Uint32Array;
  #at = 0;
  /** Places of the run that were read. */
  #used = 0;

  constructor(runs: Uint32Array) {
    this.#runs = runs;
  }

  /** Writes the definition levels of the next places of a column without lists. @returns the number of values among them */
  definitions(out: GrowingBytes, places: number): number {
    const encoder = new RunEncoder(out, 1);
    let values = 0;
    for (let left = places; left > 0;) {
      const [place, count] = [this.#runs[this.#at] as number, this.#runs[this.#at + 1] as number];
      const taken = Math.min(left, count - this.#used);
      encoder.add(place, taken);
      if (place === Place.VALUE) values += taken;
      left -= taken;
      this.#used += taken;
      if (this.#used < count) continue;
      this.#at += 2;
      this.#used = 0;
    }
    encoder.end();
    return values;
  }

  /** Writes the levels of all places of a column of lists: whether each goes on with the list before it. */
  listRepetitions(out: GrowingBytes): void {
    this.#all(out, 1, (place) => (place === Place.NEXT ? 1 : 0));
  }

  listDefinitions(out: GrowingBytes): void {
    this.#all(out, 2, (place) => LIST_DEFINITION[place] as number);
  }

  #all(out: GrowingBytes, bits: number, level: (place: number) => number): void {
    const encoder = new RunEncoder(out, bits);
    for (let i = 0; i < this.#runs.length; i += 2) encoder.add(level(this.#runs[i] as number), this.#runs[i + 1]);
    encoder.end();
  }
}
