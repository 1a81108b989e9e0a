import type { SortState } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import type { Detail } from './detail.svelte.ts';
import type { Rows } from './rows.svelte.ts';
import type { Selection } from './selection.svelte.ts';

interface SortOptions {
  readonly client: Client;
  readonly view: () => number | null;
  readonly rows: Pick<Rows, 'invalidate' | 'goTo'>;
  readonly selection: Pick<Selection, 'clear'>;
  readonly detail: Pick<Detail, 'record'>;
  /** Puts the cursor on a row and shows it. */
  readonly goTo: (row: number) => void;
  readonly failed: (error: unknown) => void;
}

/** The column that the record table is sorted by. */
export class Sort {
  /** The column that someone chose; null: rows are in their own order. */
  column = $state.raw<{ readonly by: string; readonly down: boolean } | null>(null);
  /** State of the sort in the engine; null: none yet. */
  state = $state.raw<SortState | null>(null);
  readonly #options: SortOptions;
  #waiting = false;

  constructor(options: SortOptions) {
    this.#options = options;
    options.client.on('view.changed', ({ view, sort }) => {
      if (view === options.view()) this.#take(sort);
    });
  }

  /** Whether the rows are still in the order before. */
  readonly pending = $derived(this.column !== null && (this.state === null || this.state.sorting !== null));

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
    void this.#show(state !== null);
  }

  /** Shows the first of the sorted rows; in their own order, the record that was looked at, among its neighbours. */
  async #show(sorted: boolean): Promise<void> {
    const { client, rows, selection, detail, goTo, failed } = this.#options;
    const view = this.#options.view();
    const { record } = detail;
    selection.clear();
    rows.invalidate();
    rows.goTo(0);
    if (sorted || record === null || view === null) return;
    try {
      const { row } = await client.request('view.locate', { view, id: record.id });
      if (row !== null) goTo(row);
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
