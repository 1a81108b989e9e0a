/** Parts of the time of a side, of equal length. */
export const SIDE_BLOCKS = 24;
/** Those of A, and behind them those of B. */
export const BLOCKS = 2 * SIDE_BLOCKS;
/** The block of a row of neither side. */
export const NO_BLOCK = 255;

/** Counts of numbered things by block. */
export class BlockCounts {
  #counts = new Uint32Array(16 * BLOCKS);

  /** Counts the entries of a column. @param codes -1: not counted @param rows of the entries; null: the entries are rows */
  add(codes: Int32Array, count: number, rows: Uint32Array | null, blocks: Uint8Array, size: number): void {
    this.#reserve(size);
    const counts = this.#counts;
    for (let i = 0; i < count; i++) {
      const block = blocks[rows === null ? i : (rows[i] as number)] as number;
      const code = codes[i] as number;
      if (block === NO_BLOCK || code < 0) continue;
      const at = code * BLOCKS + block;
      counts[at] = (counts[at] as number) + 1;
    }
  }

  addAll(code: number, totals: Uint32Array): void {
    this.#reserve(code + 1);
    for (let block = 0; block < BLOCKS; block++)
      this.#counts[code * BLOCKS + block] = (this.#counts[code * BLOCKS + block] as number) + (totals[block] as number);
  }

  of(code: number): Uint32Array {
    this.#reserve(code + 1);
    return this.#counts.subarray(code * BLOCKS, (code + 1) * BLOCKS);
  }

  #reserve(size: number): void {
    if (size * BLOCKS <= this.#counts.length) return;
    const counts = new Uint32Array(Math.max(size * BLOCKS, this.#counts.length * 2));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

/** The sum of a side. */
export function sumOf(counts: ArrayLike<number>, side: 0 | 1): number {
  let sum = 0;
  for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) sum += counts[block] as number;
  return sum;
}
