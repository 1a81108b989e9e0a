import type { SortState } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { Side } from './side.svelte.ts';

interface SortOptions {
  readonly client: Client;
  readonly view: () => number | null;
  readonly sides: () => readonly Pick<Side, 'rows' | 'selection' | 'chosen'>[];
  readonly failed: (error: unknown) => void;
}

/** The order in which repeated records are one row. */
const FOLDED = { by: 'repeats', down: false } as const;

/** The column that the record table is sorted by. */
export class Sort {
  /** The column that someone chose; null: rows are in their own order. */
  column = $state.raw<{ readonly by: string; readonly down: boolean } | null>(null);
  /** State of the sort in the engine; null: none yet. */
  state = $state.raw<SortState | null>(null);
  readonly #options: SortOptions;
  #waiting = false;
  /** The order becomes that of time from that of time: with repeated records as one row, or without. */
  #keepsPlace = false;

  constructor(options: SortOptions) {
    this.#options = options;
    options.client.on('view.changed', ({ view, sort }) => {
      if (view === options.view()) this.#take(sort);
    });
  }

  /** Whether the rows are still in the order before. */
  readonly pending = $derived(this.column !== null && (this.state === null || this.state.sorting !== null));

  /** Whether repeated records are one row. */
  readonly folds = $derived(this.column?.by === FOLDED.by);

  /** Shows repeated records as one row, or each of them. */
  fold(on: boolean): void {
    this.set(on ? FOLDED : null);
  }

  /** The direction in which a column sorts the rows; null: it does not. */
  directionOf(by: string): 'ascending' | 'descending' | null {
    if (this.column?.by !== by) return null;
    return this.column.down ? 'descending' : 'ascending';
  }

  /** From the lowest value, from the highest, not at all. */
  cycle(by: string): void {
    const { column } = this;
    if (column?.by !== by) this.set({ by, down: false });
    else this.set(column.down ? null : { by, down: true });
  }

  /** Sorts by a column; null: shows the rows in their own order. */
  set(column: { readonly by: string; readonly down: boolean } | null): void {
    const isByTime = (one: typeof column): boolean => one === null || one.by === FOLDED.by;
    this.#keepsPlace = isByTime(this.column) && isByTime(column);
    this.column = column;
    this.state = null;
    this.#waiting = true;
    void this.#ask();
  }

  /** Sorts in the records that came since. */
  again(): void {
    void this.#ask();
  }

  /** The view was opened anew. */
  restart(): void {
    this.state = null;
    if (this.column !== null) void this.#ask();
  }

  #take(state: SortState | null): void {
    // An event that is older than the wish.
    if (state?.by !== this.column?.by || state?.down !== this.column?.down) return;
    this.state = state;
    if (!this.#waiting || (state !== null && state.sorting !== null)) return;
    this.#waiting = false;
    for (const side of this.#options.sides()) void this.#show(side, state !== null && !this.folds);
  }

  /** Shows the first of the sorted rows; in the order of time, the record that was looked at, among its neighbours, or what stood there before. */
  async #show({ rows, selection, chosen }: ReturnType<SortOptions['sides']>[number], sorted: boolean): Promise<void> {
    const { client, failed } = this.#options;
    const view = this.#options.view();
    const { following } = rows;
    const first = this.#keepsPlace ? (rows.shown.rows[0] ?? null) : null;
    const record = chosen ?? first;
    selection.clear();
    rows.invalidate();
    if (this.#keepsPlace && following) return rows.follow(true);
    if (first === null) rows.goTo(0);
    if (sorted || record === null || view === null) return;
    try {
      const { row } = await client.request('view.locate', { view, id: record.id });
      if (row === null) return;
      if (chosen === null) return rows.startAt(row);
      selection.set(row, false);
      rows.show(row);
    } catch (error) {
      failed(error);
    }
  }

  async #ask(): Promise<void> {
    const view = this.#options.view();
    if (view === null) return;
    try {
      await this.#options.client.request('view.sort', { view, column: this.column });
    } catch (error) {
      this.column = null;
      this.#options.failed(error);
    }
  }
}
