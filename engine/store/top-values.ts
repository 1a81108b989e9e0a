import type { TopValues } from '../api/types.ts';
import { Serial } from '../serial.ts';
import type { RecordStore } from './record-store.ts';
import { valueReader } from './values.ts';
import type { RecordView, ViewEntry } from './view.ts';

/** Distinct values, and their characters together, that are kept while they are counted. */
const MOST_VALUES = 50_000;
const MOST_CHARACTERS = 8_000_000;
/** Longer values are counted by their beginning. */
const LONGEST = 1000;
/** Rows after which the time is looked at. */
const STRIDE = 8192;

/**
 * Counts the values of a variable over the records that a view shows when it begins. Memory is bounded: where there are very many distinct
 * values, the rarest are dropped now and then, and counts are lower bounds from then on.
 */
export class ValueCount {
  readonly variable: string;
  /** The view's revision at the beginning. */
  readonly revision: number;
  readonly #store: RecordStore;
  readonly #entries: readonly ViewEntry[];
  readonly #total: number;
  #counts = new Map<string, number>();
  #characters = 0;
  #exact = true;
  #records = 0;
  #missing = 0;
  #entry = 0;
  #row = 0;
  readonly #turns = new Serial();

  constructor(store: RecordStore, view: RecordView, variable: string) {
    this.variable = variable;
    this.revision = view.revision;
    this.#store = store;
    this.#entries = view.entries.filter(({ count }) => count > 0);
    this.#total = this.#entries.reduce((sum, { count }) => sum + count, 0);
  }

  get complete(): boolean {
    return this.#entry >= this.#entries.length;
  }

  /** Goes on counting for about so many milliseconds. */
  advance(budgetMs: number): Promise<void> {
    return this.#turns.run(() => this.#count(performance.now() + budgetMs));
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
      records: this.#records,
      missing: this.#missing,
      total: this.#total,
      complete: this.complete,
    };
  }

  async #count(deadline: number): Promise<void> {
    while (!this.complete && performance.now() < deadline) {
      const entry = this.#entries[this.#entry] as ViewEntry;
      const stored = await this.#store.load(entry.segment);
      const read = valueReader(stored, this.variable);
      while (this.#row < entry.count && performance.now() < deadline) {
        const end = Math.min(entry.count, this.#row + STRIDE);
        for (let i = this.#row; i < end; i++) this.#add(read(entry.rows === null ? i : (entry.rows[i] as number)));
        this.#row = end;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (this.#row < entry.count) return;
      this.#entry++;
      this.#row = 0;
    }
  }

  #add(value: string | null): void {
    this.#records++;
    if (value === null) {
      this.#missing++;
      return;
    }
    const key = value.length > LONGEST ? value.slice(0, LONGEST) : value;
    const known = this.#counts.get(key);
    this.#counts.set(key, (known ?? 0) + 1);
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
