import { ownText } from '../values.ts';
import { HyperLogLog } from '../../../plugins/modules/hyperloglog.ts';

/** Parts of the time in which records are counted. */
export const PARTS = 48;
/** Of so many values one has its course kept: those that are seen first, as frequent ones are. */
const COURSES_OF = 10;
/** Longer values are counted by their beginning. */
const LONGEST = 1000;
/** Integers from 0 to below this have a table of their own. */
const SMALL = 65_536;
/** In that table: the integer is not kept, but among those that `#seen` has. */
const FORGOTTEN = -1;
/** Counters of what is not kept, at least, for each value that is kept. */
const PASSED = 4;
/** Weights next to the least one that are counted apart. */
const NEAR = 64;
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
 * Counts values in bounded memory. Where there are too many different ones, the rarest are forgotten now and then, and a new one is kept only when it may have
 * come more often than those: it is said how many of its records may have been missed at most. All others stay exact.
 */
export class ValueTally<K extends string | number> {
  readonly #room: number;
  /** Values whose course is kept. */
  readonly #courseRoom: number;
  readonly #ids = new Map<K, number>();
  /** The numbers of small integers, plus one, or `FORGOTTEN`. */
  #small: Int32Array | null = null;
  readonly #counts: number[] = [];
  /** For each value, the greatest number of its records that were not counted. */
  readonly #missed: number[] = [];
  #courses = new Uint32Array(16 * PARTS);
  readonly #free: number[] = [];
  /** Each value that was forgotten had at most so many records. */
  #bound = 0;
  #characters = 0;
  /** Estimates the number of different values once some were forgotten. */
  #seen: HyperLogLog | null = null;
  /** Of all values with the same hash, which are not kept: each had at most so many records until now. */
  #passed: Uint32Array | null = null;

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
    const id = this.#find(key) ?? this.#meet(key);
    if (id === null) return;
    this.#counts[id] = (this.#counts[id] as number) + 1;
    if (id < this.#courseRoom) {
      const at = id * PARTS + part;
      this.#courses[at] = (this.#courses[at] as number) + 1;
    }
  }

  /** Adds a value to so many records in each part of the time. */
  addAll(key: K, counts: Uint32Array): void {
    const id = this.#find(key) ?? this.#begin(key);
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
    const least = leastOfLargest(this.#counts, this.#ids.values(), limit);
    const among: [K, number][] = [];
    for (const [key, id] of this.#ids) if ((this.#counts[id] as number) >= least) among.push([key, id]);
    among.sort(([a, x], [b, y]) => (this.#counts[y] as number) - (this.#counts[x] as number) || (a < b ? -1 : 1));
    return among.slice(0, limit).map(([key, id]) => ({
      key,
      count: this.#counts[id] as number,
      missed: this.#missed[id] as number,
      counts: id < this.#courseRoom ? [...this.#courses.subarray(id * PARTS, (id + 1) * PARTS)] : [],
    }));
  }

  #find(key: K): number | undefined {
    if (!isSmall(key)) return this.#ids.get(key);
    const known = this.#small?.[key] ?? 0;
    return known > 0 ? known - 1 : undefined;
  }

  /** The number of a value that is not kept, from now on; null: it is not worth it yet. */
  #meet(key: K): number | null {
    if (this.#passed === null) return this.#begin(key);
    const at = hashOf(key) & (this.#passed.length - 1);
    const times = (this.#passed[at] as number) + 1;
    if (times > this.#bound) return this.#begin(key);
    this.#passed[at] = times;
    this.#note(key);
    return null;
  }

  /** Counts a value that is not kept among the different ones. */
  #note(key: K): void {
    if (this.#small !== null && isSmall(key)) {
      if (this.#small[key] === FORGOTTEN) return;
      this.#small[key] = FORGOTTEN;
    }
    this.#seen?.add(key);
  }

  #begin(key: K): number {
    if (this.isFull || this.#characters > MOST_CHARACTERS) this.#forget();
    this.#note(key);
    const id = this.#free.pop() ?? this.#counts.length;
    this.#counts[id] = 0;
    this.#missed[id] = this.#passed === null ? 0 : (this.#passed[hashOf(key) & (this.#passed.length - 1)] as number);
    if (id < this.#courseRoom) this.#clearCourse(id);
    if (typeof key === 'string') this.#characters += key.length;
    // A piece of a longer text would keep all of it in memory.
    this.#ids.set((typeof key === 'string' ? ownText(key) : key) as K, id);
    if (isSmall(key)) (this.#small ??= new Int32Array(SMALL))[key] = id + 1;
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
    const passed = (this.#passed ??= new Uint32Array(2 ** Math.ceil(Math.log2(PASSED * this.#room))));
    let rest = this.#ids.size >>> 1;
    const bound = this.#weightOfRank(rest);
    for (const [key, id] of this.#ids) {
      const weight = this.#weightOf(id);
      if (weight > bound || rest === 0) continue;
      rest--;
      const at = hashOf(key) & (passed.length - 1);
      passed[at] = Math.max(passed[at] as number, weight);
      this.#ids.delete(key);
      if (this.#small !== null && isSmall(key)) this.#small[key] = FORGOTTEN;
      this.#free.push(id);
      if (typeof key === 'string') this.#characters -= key.length;
    }
    this.#bound = Math.max(this.#bound, bound);
  }

  /** The greatest number of records that a value can have had. */
  #weightOf(id: number): number {
    return (this.#counts[id] as number) + (this.#missed[id] as number);
  }

  /** The weight that comes after so many others, from the least on. Where most are as rare as can be, it is found without sorting them. */
  #weightOfRank(rank: number): number {
    const near = new Uint32Array(NEAR);
    for (const id of this.#ids.values()) {
      const above = Math.max(0, this.#weightOf(id) - this.#bound);
      if (above < NEAR) near[above] = (near[above] as number) + 1;
    }
    let passed = near[0] as number;
    // Below the bound they are not told apart.
    for (let above = 1; above < NEAR && passed <= rank; above++) if ((passed += near[above] as number) > rank) return this.#bound + above;
    return Float64Array.from(this.#ids.values(), (id) => this.#weightOf(id)).sort()[rank] as number;
  }
}

const isSmall = (key: string | number): key is number => typeof key === 'number' && key >= 0 && key < SMALL && (key | 0) === key;

const DOUBLE = new Float64Array(1);
const WORDS = new Int32Array(DOUBLE.buffer);

/** A number by which the counters of `#passed` are chosen. */
function hashOf(key: string | number): number {
  let hash = 0;
  if (typeof key === 'number') {
    DOUBLE[0] = key;
    hash = Math.imul((WORDS[0] as number) ^ Math.imul(WORDS[1] as number, 0x85ebca6b), 0x9e3779b1);
  } else for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** The least of so many of the largest counts. */
function leastOfLargest(counts: readonly number[], ids: Iterable<number>, many: number): number {
  const largest: number[] = [];
  for (const id of ids) {
    const count = counts[id] as number;
    if (largest.length === many && count <= (largest[0] as number)) continue;
    let at = 0;
    while (at < largest.length && (largest[at] as number) < count) at++;
    largest.splice(at, 0, count);
    if (largest.length > many) largest.shift();
  }
  return largest[0] ?? 0;
}

/** The part of a text that is counted. */
export const countedText = (text: string): string => (text.length > LONGEST ? text.slice(0, LONGEST) : text);
