/** The state shared by all graph cards: the time under the pointer, and the zoomed range. */
export class TimeLink {
  /** Milliseconds; null: the pointer is on no graph. */
  cursor = $state<number | null>(null);
  /** null: everything. */
  range = $state.raw<{ readonly from: number; readonly to: number } | null>(null);

  zoom(from: number, to: number): void {
    this.range = { from, to };
  }

  reset(): void {
    this.range = null;
  }
}
