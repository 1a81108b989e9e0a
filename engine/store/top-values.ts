import type { TopValues } from '../api/types.ts';
import type { RecordStore } from './record-store.ts';
import { ownText, valueReader } from './values.ts';
import type { RecordView } from './view.ts';
import { ViewWalk } from './view-walk.ts';

/** Distinct values, and their characters together, that are kept while they are counted. */
const MOST_VALUES = 50_000;
const MOST_CHARACTERS = 8_000_000;
/** Longer values are counted by their beginning. */
const LONGEST = 1000;
/** Rows after which others get their turn. */
const STRIDE = 8192;

/**
 * Counts the values of a variable over the records that a view shows when it begins. Memory is bounded: where there are very many distinct
 * values, the rarest are dropped now and then, and counts are lower bounds from then on.
 */
export class ValueCount {
  readonly variable: string;
  /** The view's revision at the beginning. */
  readonly revision: number;
  readonly #walk: ViewWalk;
  #counts = new Map<string, number>();
  #characters = 0;
  #exact = true;
  #missing = 0;

  constructor(store: RecordStore, view: RecordView, variable: string) {
    this.variable = variable;
    this.revision = view.revision;
    this.#walk = new ViewWalk(store, view, STRIDE);
  }

  get complete(): boolean {
    return this.#walk.complete;
  }

  /** Goes on counting for about so many milliseconds. */
  advance(budgetMs: number): Promise<void> {
    return this.#walk.advance(budgetMs, (stored) => {
      const read = valueReader(stored, this.variable);
      return (row) => this.#add(read(row));
    });
  }

  /** The commonest values so far. */
  top(limit: number): TopValues {
    const items = [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return {
      items: items.slice(0, limit),
      distinct: this.#counts.size,
      exact: this.#exact,
      records: this.#walk.visited,
      missing: this.#missing,
      total: this.#walk.total,
      complete: this.complete,
    };
  }

  #add(value: string | null): void {
    if (value === null) {
      this.#missing++;
      return;
    }
    const key = value.length > LONGEST ? value.slice(0, LONGEST) : value;
    const known = this.#counts.get(key);
    this.#counts.set(known === undefined ? ownText(key) : key, (known ?? 0) + 1);
    if (known !== undefined) return;
    this.#characters += key.length;
    if (this.#counts.size > MOST_VALUES || this.#characters > MOST_CHARACTERS) this.#prune();
  }

  #prune(): void {
    const kept = [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, this.#counts.size >>> 1);
    this.#counts = new Map(kept);
    this.#characters = kept.reduce((sum, [value]) => sum + value.length, 0);
    this.#exact = false;
  }
}
