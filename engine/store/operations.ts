import { foldCase } from '../api/words.ts';
import type { Operation, OperationOrder, OperationQuery, Operations } from '../api/operation-types.ts';
import { ALARM_CODES, alarmCodes } from './alarms.ts';
import { PartCounts, type TimedTally } from './operation-parts.ts';
import type { RecordStore } from './record-store.ts';
import { smallest } from './smallest.ts';
import { millisecondsOf } from './times.ts';
import { ownText, valueReader } from './values.ts';
import type { RecordView } from './view.ts';
import { ViewWalk } from './view-walk.ts';
import { allOf, columnsOf, LEVELS } from './wanted.ts';

/** Operations, and the characters of their values together, that are kept. */
const MOST_OPERATIONS = 200_000;
const MOST_CHARACTERS = 16_000_000;
/** Longer values are told apart by their beginning. */
const LONGEST = 1000;
/** Rows after which others get their turn. */
const STRIDE = 4096;

/** Bounds on what is kept, for tests. */
interface Bounds {
  readonly operations: number;
  readonly characters: number;
}

interface Tally extends TimedTally {
  readonly value: string;
  readonly cut: boolean;
}

/**
 * Gathers the records that a view shows when it begins by the values of a variable: of each value the number of records, of errors among them, the
 * times of the earliest and the latest, and the records in parts of the time between. Memory is bounded: when there are very many values, those that come later are not kept, and only their records are
 * counted; what is told of the others stays exact.
 */
export class OperationCount {
  readonly variable: string;
  readonly #walk: ViewWalk;
  readonly #bounds: Bounds;
  readonly #byValue = new Map<string, Tally>();
  readonly #tallies: Tally[] = [];
  readonly #parts = new PartCounts();
  #characters = 0;
  #missing = 0;
  #others = 0;
  #from = Infinity;
  #to = -Infinity;

  constructor(
    store: RecordStore,
    view: RecordView,
    variable: string,
    bounds: Bounds = { operations: MOST_OPERATIONS, characters: MOST_CHARACTERS },
  ) {
    this.variable = variable;
    this.#walk = new ViewWalk(store, view, STRIDE, allOf([columnsOf([variable]), LEVELS]));
    this.#bounds = bounds;
  }

  get complete(): boolean {
    return this.#walk.complete;
  }

  /** Goes on for about so many milliseconds. */
  advance(budgetMs: number): Promise<void> {
    return this.#walk.advance(budgetMs, (stored) => {
      const read = valueReader(stored, this.variable);
      const alarms = alarmCodes(stored);
      const times = millisecondsOf(stored.timestamps);
      return (row) => {
        const value = read(row);
        if (value === null) this.#missing++;
        else this.#add(value, times[row] as number, alarms?.[row] === ALARM_CODES.error);
      };
    });
  }

  /** The first operations of an order, as they are so far. */
  list({ order, down, text, limit }: Omit<OperationQuery, 'variable'>): Operations {
    const matching = this.#matching(text);
    const sign = down ? -1 : 1;
    const keys = [(at: number) => sign * ORDERS[order](this.#at(at)), (at: number) => this.#at(at).first];
    return {
      operations: smallest(matching, keys, limit).map((at) => this.#operation(this.#at(at))),
      matching: matching.length,
      distinct: this.#tallies.length,
      others: this.#others,
      missing: this.#missing,
      from: this.#to < this.#from ? 0 : this.#from,
      to: this.#to < this.#from ? 0 : this.#to,
      records: this.#walk.visited,
      total: this.#walk.total,
      complete: this.complete,
    };
  }

  #operation(tally: Tally): Operation {
    const { value, cut, count, errors, first, last } = tally;
    return { value, cut, count, errors, first, last, parts: this.#parts.of(tally) };
  }

  #at(index: number): Tally {
    return this.#tallies[index] as Tally;
  }

  #matching(text: string): Uint32Array {
    const all = new Uint32Array(this.#tallies.length);
    for (let i = 0; i < all.length; i++) all[i] = i;
    const wanted = foldCase(text);
    return wanted === '' ? all : all.filter((at) => foldCase(this.#at(at).value).includes(wanted));
  }

  #add(value: string, time: number, isError: boolean): void {
    this.#from = Math.min(this.#from, time);
    this.#to = Math.max(this.#to, time);
    const cut = value.length > LONGEST;
    const key = cut ? value.slice(0, LONGEST) : value;
    const tally = this.#byValue.get(key) ?? this.#begin(key, cut, time);
    if (tally === null) {
      this.#others++;
      return;
    }
    this.#parts.add(tally, time, isError);
    tally.count++;
    if (isError) tally.errors++;
    if (time < tally.first) tally.first = time;
    if (time > tally.last) tally.last = time;
  }

  /** null: there is no room for another one. */
  #begin(key: string, cut: boolean, time: number): Tally | null {
    const { operations, characters } = this.#bounds;
    if (this.#tallies.length >= operations || this.#characters + key.length > characters) return null;
    const value = ownText(key);
    const tally: Tally = { value, cut, count: 0, errors: 0, first: time, last: time, slot: -1, partMs: 1 };
    this.#characters += value.length;
    this.#byValue.set(value, tally);
    this.#tallies.push(tally);
    return tally;
  }
}

const ORDERS: Readonly<Record<OperationOrder, (operation: Tally) => number>> = {
  start: ({ first }) => first,
  duration: ({ first, last }) => last - first,
  errors: ({ errors }) => errors,
  count: ({ count }) => count,
};
