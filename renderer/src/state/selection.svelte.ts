/** The selected rows: one range between the row where it began and the row where the cursor is. */
export class Selection {
  anchor = $state<number | null>(null);
  cursor = $state<number | null>(null);
  readonly first = $derived(this.cursor === null || this.anchor === null ? null : Math.min(this.cursor, this.anchor));
  readonly last = $derived(this.cursor === null || this.anchor === null ? null : Math.max(this.cursor, this.anchor));
  readonly count = $derived(this.first === null || this.last === null ? 0 : this.last - this.first + 1);

  /** @param extend from where the selection began, instead of anew */
  set(row: number, extend: boolean): void {
    this.cursor = row;
    if (!extend || this.anchor === null) this.anchor = row;
  }

  all(total: number): void {
    if (total === 0) return;
    this.anchor = 0;
    this.cursor = total - 1;
  }

  clear(): void {
    this.anchor = null;
    this.cursor = null;
  }

  has(row: number): boolean {
    return this.first !== null && this.last !== null && row >= this.first && row <= this.last;
  }
}
