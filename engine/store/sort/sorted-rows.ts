import type { ViewEntry } from '../view-entry.ts';
import type { SortResult } from './sort-keys.ts';

/** Rows of which one picture is made at most. */
const MOST_COUNTED = 200_000;

/** The rows of a view in the order of a column. Rows that came later are not among them. */
export class SortedRows {
  readonly #result: SortResult;

  constructor(result: SortResult) {
    this.#result = result;
  }

  get total(): number {
    return this.#result.arrivals.length;
  }

  /** Records that were looked at: as many as rows, unless repeated ones are folded. */
  get records(): number {
    return this.#result.rows.length;
  }

  /** Records that a row stands for. */
  countOf(row: number): number {
    return this.#result.counts?.[row] ?? 1;
  }

  /** The number in order of arrival of a row, or of the first record that it stands for. */
  arrivalOf(row: number): number {
    return this.#result.arrivals[row] as number;
  }

  /** The row of a number in order of arrival; null: it came later. */
  rowOf(arrival: number): number | null {
    return this.#result.rows[arrival] ?? null;
  }

  /** The nearest row with an alarm (2: error, 1: warning) behind a row, or before it; null: there is none. */
  nearestAlarm(code: number, row: number, forward: boolean): number | null {
    const { arrivals, alarms } = this.#result;
    for (let at = row + (forward ? 1 : -1); at >= 0 && at < arrivals.length; at += forward ? 1 : -1) {
      if (alarms[arrivals[at] as number] === code) return at;
    }
    return null;
  }

  /** Adds to each part of the rows the share of those that have an alarm. */
  addAlarms(code: number, shares: number[]): void {
    const { arrivals, alarms } = this.#result;
    const step = Math.max(1, Math.floor(arrivals.length / MOST_COUNTED));
    for (let row = 0; row < arrivals.length; row += step) if (alarms[arrivals[row] as number] === code) this.#add(shares, row, step);
  }

  /** Adds to each part of the rows the share of those that were found: for each entry, the positions among its rows. */
  addFound(found: readonly EntryRows[], shares: number[]): void {
    const all = found.reduce((sum, { count }) => sum + count, 0);
    const step = Math.max(1, Math.floor(all / MOST_COUNTED));
    for (const { first, positions, count } of found) {
      for (let i = 0; i < count; i += step) {
        const row = this.rowOf(first + (positions === null ? i : (positions[i] as number)));
        if (row !== null) this.#add(shares, row, step);
      }
    }
  }

  /** Counts the rows before a row that were found. */
  foundBefore(found: readonly EntryRows[], row: number): number {
    let before = 0;
    for (const { first, positions, count } of found) {
      for (let i = 0; i < count; i++) if ((this.rowOf(first + (positions === null ? i : (positions[i] as number))) ?? row) < row) before++;
    }
    return before;
  }

  #add(shares: number[], row: number, weight: number): void {
    const bucket = Math.floor((row * shares.length) / this.total);
    shares[bucket] = Math.min(1, (shares[bucket] as number) + (weight * shares.length) / this.total);
  }
}

/** Rows of an entry that were found. */
export interface EntryRows {
  readonly entry: ViewEntry;
  /** Number of the entry's first row in order of arrival. */
  readonly first: number;
  /** Positions among the entry's rows; null: all. */
  readonly positions: ArrayLike<number> | null;
  readonly count: number;
}
