import { SvelteSet } from 'svelte/reactivity';
import type { Graph } from '../../../engine/api/types.ts';

/** Rows of a graph before and after a time that it shows from near. */
const ROWS_BEFORE = 60;
const ROWS_AFTER = 30;

/** The state of all graph cards: the time under the pointer, what of their time they show, and which columns they hide. */
export class TimeLink {
  /** Milliseconds; null: the pointer is on no graph. */
  cursor = $state<number | null>(null);
  /** Milliseconds up to the end of the data; null: all. */
  last = $state<number | null>(null);
  /** The range that was zoomed to; null: none. */
  range = $state.raw<{ readonly from: number; readonly to: number } | null>(null);

  readonly #hidden = Object.create(null) as Record<string, SvelteSet<string> | undefined>;

  /** The columns that a graph does not show, by name. They stay hidden when its card is made anew. @param key of the graph */
  hidden(key: string): SvelteSet<string> {
    return (this.#hidden[key] ??= new SvelteSet<string>());
  }

  /** Whether the graphs show all of their time. */
  readonly whole = $derived.by(() => this.range === null && this.last === null);

  zoom(from: number, to: number): void {
    this.range = { from, to };
  }

  /** Shows a time from near, as far as there are rows around it. */
  showAround(at: number, { time, rowMs, columns }: Pick<Graph, 'time' | 'rowMs' | 'columns'>): void {
    const end = time + (columns[0]?.values.length ?? 0) * rowMs;
    this.zoom(Math.max(time, at - ROWS_BEFORE * rowMs), Math.min(end, at + ROWS_AFTER * rowMs));
  }

  /** Shows so many milliseconds up to the end of the data. */
  showLast(ms: number): void {
    this.range = null;
    this.last = ms;
  }

  reset(): void {
    this.range = null;
    this.last = null;
  }
}
