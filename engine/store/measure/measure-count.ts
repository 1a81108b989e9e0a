import type { Measured, MeasureAnswer, MeasureQuery } from '../../api/measure-types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { bucketsOf, rangeOf } from '../histogram.ts';
import type { Buckets } from '../kept-summaries.ts';
import type { RecordStore } from '../record-store.ts';
import { smallest } from '../smallest.ts';
import { millisecondsOf } from '../times.ts';
import { numberReader, ownText, valueReader, type ValueReader } from '../values.ts';
import type { RecordView } from '../view.ts';
import { ViewWalk } from '../view-walk.ts';
import { columnsOf } from '../wanted.ts';
import { NumberTally, Room, type Needs } from './numbers.ts';

/** Different groups, and the characters of their values together, that are kept while they are counted. */
const MOST_GROUPS = 50_000;
const MOST_CHARACTERS = 8_000_000;
/** Numbers that are kept for percentiles: 128 MB. */
const MOST_NUMBERS = 16_000_000;
/** Characters of different values that are kept. */
const MOST_DISTINCT = 64_000_000;
/** Longer values are counted by their beginning. */
const LONGEST = 1000;
/** Rows after which others get their turn. */
const STRIDE = 8192;

/** Bounds on what is kept, for tests. */
interface Bounds {
  readonly groups: number;
  readonly numbers: number;
  readonly characters: number;
}

const BOUNDS: Bounds = { groups: MOST_GROUPS, numbers: MOST_NUMBERS, characters: MOST_DISTINCT };

/** Tally of a group, and of each bucket of time that has any of its records. */
interface Group {
  readonly values: readonly string[];
  readonly tally: NumberTally;
  readonly cells: NumberTally[] | null;
}

/** Measures rows one by one. */
interface Meter {
  /** @returns whether the row has anything to measure */
  read(row: number): boolean;
  /** Adds what was read last. */
  put(tally: NumberTally): void;
}

/**
 * Measures the records that a view shows when it begins. Over time it walks over them twice: the first time finds the groups with the highest numbers, and
 * the second time measures only these by buckets. Memory is bounded: of very many groups, those with the fewest records are dropped now and then.
 */
export class MeasureCount {
  readonly #store: RecordStore;
  readonly #view: RecordView;
  readonly #query: MeasureQuery;
  readonly #bounds: Bounds;
  #needs: Needs;
  readonly #time: Buckets | null;
  #walk: ViewWalk;
  #groups = new Map<string, Group>();
  #all: Group;
  /** The second time: only groups that are known are measured. */
  #again = false;
  #characters = 0;
  #exact = true;
  #distinct = 0;
  #missing = 0;
  #without = 0;

  constructor(store: RecordStore, view: RecordView, query: MeasureQuery, bounds = BOUNDS) {
    this.#store = store;
    this.#view = view;
    this.#query = query;
    this.#bounds = bounds;
    const { measures, of, over } = query;
    const isNumber = measures.some((measure) => measure !== 'count' && measure !== 'distinct');
    this.#needs = {
      measures,
      numbers: measures.some((measure) => /^p\d/.test(measure)),
      values: of !== null && !isNumber,
      room: new Room(bounds.numbers, bounds.characters),
    };
    const range = over === null ? null : rangeOf(view.span, over);
    this.#time = over === null || range === null ? null : bucketsOf(range, over.buckets);
    this.#again = query.by.length === 0;
    this.#all = this.#newGroup([]);
    this.#walk = this.#newWalk();
  }

  get complete(): boolean {
    return this.#walk.complete && (this.#again || this.#time === null);
  }

  /** Goes on for about so many milliseconds. */
  async advance(budgetMs: number): Promise<void> {
    await this.#walk.advance(budgetMs, (stored) => this.#adder(stored));
    if (!this.#walk.complete || this.complete) return;
    this.#beginAgain();
  }

  /** The numbers so far. */
  answer(): MeasureAnswer {
    const whole = this.complete;
    // The second time they stand in the order that the first time found.
    const groups = this.#again ? [...this.#groups.values()] : this.#first(whole);
    return {
      groups: groups.map((group) => ({ values: group.values, ...this.#measured(group, whole) })),
      all: this.#measured(this.#all, whole),
      distinct: this.#again ? this.#distinct : this.#groups.size,
      missing: this.#missing,
      without: this.#without,
      exact: this.#exact && this.#needs.room.exact,
      from: this.#time?.from ?? 0,
      bucketMs: this.#time?.bucketMs ?? 1,
      looked: this.#walk.visited,
      total: this.#walk.total,
      complete: whole,
    };
  }

  #newWalk(): ViewWalk {
    const { of, by } = this.#query;
    return new ViewWalk(this.#store, this.#view, STRIDE, columnsOf(of === null ? by : [...by, of]));
  }

  #newGroup(values: readonly string[]): Group {
    return { values, tally: new NumberTally(), cells: this.#again && this.#time !== null ? [] : null };
  }

  #measured({ tally, cells }: Group, whole: boolean): Measured {
    const numbersOf = (one: NumberTally): number[] => one.numbersOf(this.#needs, this.#query.of !== null, whole);
    const { measures } = this.#needs;
    const buckets = this.#time?.buckets ?? 0;
    const series =
      cells === null
        ? []
        : measures.map((measure) => new Float64Array(buckets).fill(measure === 'count' || measure === 'distinct' ? 0 : NaN));
    cells?.forEach((cell, bucket) => {
      for (const [i, number] of numbersOf(cell).entries()) (series[i] as Float64Array)[bucket] = number;
    });
    return { records: tally.records, numbers: numbersOf(tally), series };
  }

  /** The groups with the highest numbers. While records are still read, those with the most records stand for them where percentiles are wanted. */
  #first(whole: boolean): Group[] {
    const groups = [...this.#groups.values()];
    const numberOf = ({ tally }: Group): number => {
      const [number = NaN] = whole || !this.#needs.numbers ? tally.numbersOf(this.#needs, this.#query.of !== null, whole) : [tally.records];
      return Number.isNaN(number) ? -Infinity : number;
    };
    const numbers = Float64Array.from(groups, numberOf);
    const keys = [(at: number) => -(numbers[at] as number), (at: number) => -(groups[at] as Group).tally.records];
    const first = smallest(Uint32Array.from(groups.keys()), keys, this.#query.limit);
    const rank = (at: number): readonly number[] => keys.map((key) => key(at));
    return first
      .sort((a, b) => compare(rank(a), rank(b)) || compare(valuesOf(groups[a]), valuesOf(groups[b])))
      .map((at) => groups[at] as Group);
  }

  #beginAgain(): void {
    this.#distinct = this.#groups.size;
    this.#again = true;
    const { room } = this.#needs;
    const first = this.#first(true);
    this.#exact &&= room.exact;
    this.#groups = new Map(first.map(({ values }) => [keyOf(values), this.#newGroup(values)]));
    this.#all = this.#newGroup([]);
    this.#missing = 0;
    this.#without = 0;
    this.#needs = { ...this.#needs, room: new Room(this.#bounds.numbers, this.#bounds.characters) };
    this.#walk = this.#newWalk();
  }

  #adder(stored: MessageBatch): (row: number) => void {
    const readers = this.#query.by.map((variable) => valueReader(stored, variable));
    const times = this.#again && this.#time !== null ? millisecondsOf(stored.timestamps) : null;
    const meter = this.#meter(stored);
    const [first, second] = readers;
    const find = first === undefined ? null : second === undefined ? this.#finderOfOne(first) : this.#finderOfTwo(first, second);
    const put = ({ tally, cells }: Group, bucket: number): void => {
      meter.put(tally);
      if (bucket >= 0 && cells !== null) meter.put((cells[bucket] ??= new NumberTally()));
    };
    return (row) => {
      if (!meter.read(row)) this.#without++;
      const bucket = times === null ? -1 : this.#bucketOf(times[row] as number);
      put(this.#all, bucket);
      const group = find?.(row) ?? null;
      if (group !== null) put(group, bucket);
    };
  }

  /** @returns nothing for a row that is in no group */
  #finderOfOne(read: ValueReader): (row: number) => Group | null {
    return (row) => {
      const value = read(row);
      if (value !== null) {
        const key = cut(value);
        return this.#groups.get(key) ?? this.#begin(key, [key]);
      }
      this.#missing++;
      return null;
    };
  }

  #finderOfTwo(one: ValueReader, other: ValueReader): (row: number) => Group | null {
    return (row) => {
      const [a, b] = [one(row), other(row)];
      if (a !== null && b !== null) {
        const values = [cut(a), cut(b)];
        const key = keyOf(values);
        return this.#groups.get(key) ?? this.#begin(key, values);
      }
      this.#missing++;
      return null;
    };
  }

  #begin(key: string, values: readonly string[]): Group | null {
    if (this.#again) return null;
    if (this.#groups.size >= this.#bounds.groups || this.#characters > MOST_CHARACTERS) this.#prune();
    const own = values.map(ownText);
    const group = this.#newGroup(own);
    this.#groups.set(own.length === 1 ? (own[0] as string) : ownText(key), group);
    this.#characters += key.length;
    return group;
  }

  /** Drops half of the groups, those with the fewest records. */
  #prune(): void {
    const kept = [...this.#groups].sort(([, a], [, b]) => b.tally.records - a.tally.records).slice(0, this.#groups.size >>> 1);
    this.#groups = new Map(kept);
    this.#characters = kept.reduce((sum, [key]) => sum + key.length, 0);
    this.#exact = false;
  }

  #bucketOf(time: number): number {
    const { from, bucketMs, buckets } = this.#time as Buckets;
    const bucket = Math.floor((time - from) / bucketMs);
    return bucket < buckets ? bucket : -1;
  }

  #meter(stored: MessageBatch): Meter {
    const { of } = this.#query;
    if (of === null) return { read: () => true, put: (tally) => void tally.records++ };
    return this.#needs.values ? this.#valueMeter(valueReader(stored, of)) : this.#numberMeter(numberReader(stored, of));
  }

  #valueMeter(read: ValueReader): Meter {
    const { measures, room } = this.#needs;
    const isCount = measures.every((measure) => measure === 'count');
    let value: string | null = null;
    return {
      read: (row) => (value = read(row)) !== null,
      put: (tally) => {
        tally.records++;
        if (value === null) return;
        if (isCount) tally.addCount(1);
        else tally.addValue(cut(value), room);
      },
    };
  }

  #numberMeter(read: (row: number) => number): Meter {
    let value = NaN;
    return {
      read: (row) => !Number.isNaN((value = read(row))),
      put: (tally) => {
        tally.records++;
        if (!Number.isNaN(value)) tally.addNumber(value, this.#needs);
      },
    };
  }
}

const valuesOf = (group: Group | undefined): readonly string[] => group?.values ?? [];

const cut = (value: string): string => (value.length > LONGEST ? value.slice(0, LONGEST) : value);

const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] as string) : `${values[0]?.length}:${values.join('')}`;

function compare<T extends number | string>(one: readonly T[], other: readonly T[]): number {
  for (const [i, value] of one.entries()) {
    const against = other[i] as T;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
