/** The state shared by all graph cards: the time under the pointer, and what of their time they show. */
export class TimeLink {
  /** Milliseconds; null: the pointer is on no graph. */
  cursor = $state<number | null>(null);
  /** Milliseconds up to the end of the data; null: all. */
  last = $state<number | null>(null);
  /** The range that was zoomed to; null: none. */
  range = $state.raw<{ readonly from: number; readonly to: number } | null>(null);

  /** Whether the graphs show all of their time. */
  readonly whole = $derived.by(() => this.range === null && this.last === null);

  zoom(from: number, to: number): void {
    this.range = { from, to };
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
