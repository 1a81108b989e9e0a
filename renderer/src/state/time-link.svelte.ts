/** What all graph cards share: the time under the pointer, and the range they are zoomed to. */
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
