import { ownText } from '../values.ts';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';

/** Parts of the time in which records are counted. */
export const PARTS = 48;
/** Of so many values one has its course kept: those that are seen first, as frequent ones are. */
const COURSES_OF = 10;
/** Longer values are counted by their beginning. */
const LONGEST = 1000;
/** Characters of all kept values together. */
const MOST_CHARACTERS = 2_000_000;

/** A counted value. */
export interface Counted<K> {
  readonly key: K;
  readonly count: number;
  readonly missed: number;
  readonly counts: readonly number[];
}

/**
 * Counts values in bounded memory. Where there are too many different ones, the rarest are forgotten now and then: a value that comes later may have been
 * among them, and it is said how often at most. All others stay exact.
 */
export class ValueTally<K extends string | number> {
  readonly #room: number;
  /** Values whose course is kept. */
  readonly #courseRoom: number;
  readonly #ids = new Map<K, number>();
  readonly #counts: number[] = [];
  /** For each value, the greatest number of its records that were forgotten. */
  readonly #missed: number[] = [];
  #courses = new Uint32Array(16 * PARTS);
  readonly #free: number[] = [];
  /** Each value that was forgotten had at most so many records. */
  #bound = 0;
  #characters = 0;
  /** Estimates the number of different values once some were forgotten. */
  #seen: HyperLogLog | null = null;

  /** @param room different values that are kept */
  constructor(room: number) {
    this.#room = room;
    this.#courseRoom = Math.ceil(room / COURSES_OF);
  }

  /** Whether all values were kept. */
  get isExact(): boolean {
    return this.#seen === null;
  }

  /** Whether the next new value makes it forget some. */
  get isFull(): boolean {
    return this.#ids.size >= this.#room;
  }

  get distinct(): number {
    return this.#seen?.count() ?? this.#ids.size;
  }

  add(key: K, part: number): void {
    const id = this.#ids.get(key) ?? this.#begin(key);
    this.#counts[id] = (this.#counts[id] as number) + 1;
    if (id < this.#courseRoom) {
      const at = id * PARTS + part;
      this.#courses[at] = (this.#courses[at] as number) + 1;
    }
  }

  /** Adds a value to so many records in each part of the time. */
  addAll(key: K, counts: Uint32Array): void {
    const id = this.#ids.get(key) ?? this.#begin(key);
    for (let part = 0; part < PARTS; part++) {
      const count = counts[part] as number;
      this.#counts[id] = (this.#counts[id] as number) + count;
      if (id < this.#courseRoom) this.#courses[id * PARTS + part] = (this.#courses[id * PARTS + part] as number) + count;
    }
  }

  /** Calls back for each kept value. */
  each(visit: (key: K, count: number) => void): void {
    for (const [key, id] of this.#ids) visit(key, this.#counts[id] as number);
  }

  /** The commonest values. */
  top(limit: number): Counted<K>[] {
    const sorted = [...this.#ids].sort(([a, x], [b, y]) => (this.#counts[y] as number) - (this.#counts[x] as number) || (a < b ? -1 : 1));
    return sorted.slice(0, limit).map(([key, id]) => ({
      key,
      count: this.#counts[id] as number,
      missed: this.#missed[id] as number,
      counts: id < this.#courseRoom ? [...this.#courses.subarray(id * PARTS, (id + 1) * PARTS)] : [],
    }));
  }

  #begin(key: K): number {
    if (this.isFull || this.#characters > MOST_CHARACTERS) this.#forget();
    this.#seen?.add(key);
    const id = this.#free.pop() ?? this.#counts.length;
    this.#counts[id] = 0;
    this.#missed[id] = this.#bound;
    if (id < this.#courseRoom) this.#clearCourse(id);
    if (typeof key === 'string') this.#characters += key.length;
    // A piece of a longer text would keep all of it in memory.
    this.#ids.set((typeof key === 'string' ? ownText(key) : key) as K, id);
    return id;
  }

  #clearCourse(id: number): void {
    const end = (id + 1) * PARTS;
    if (end > this.#courses.length) {
      const courses = new Uint32Array(Math.min(this.#courseRoom * PARTS, this.#courses.length * 2));
      courses.set(this.#courses);
      this.#courses = courses;
    } else this.#courses.fill(0, id * PARTS, end);
  }

  /** Forgets half of the values, the rarest ones. */
  #forget(): void {
    if (this.#seen === null) {
      this.#seen = new HyperLogLog();
      for (const key of this.#ids.keys()) this.#seen.add(key);
    }
    const most = (id: number): number => (this.#counts[id] as number) + (this.#missed[id] as number);
    const ranked = Float64Array.from(this.#ids.values(), most).sort();
    const bound = ranked[ranked.length >>> 1] as number;
    let rest = ranked.length >>> 1;
    for (const [key, id] of this.#ids) {
      const count = most(id);
      if (count > bound || rest === 0) continue;
      rest--;
      this.#ids.delete(key);
      this.#free.push(id);
      if (typeof key === 'string') this.#characters -= key.length;
    }
    this.#bound = Math.max(this.#bound, bound);
  }
}

/** The part of a text that is counted. */
export const countedText = (text: string): string => (text.length > LONGEST ? text.slice(0, LONGEST) : text);
