/** Parts of the time of a side, of equal length. */
export const SIDE_BLOCKS = 24;
/** Those of A, and behind them those of B. */
export const BLOCKS = 2 * SIDE_BLOCKS;
/** The block of a row of neither side. */
export const NO_BLOCK = 255;
/** The code of an entry that has no value, or one that is not numbered. */
export const NO_CODE = 0xffff;

/** Counts of numbered things by block. Those of a block lie side by side: records come by time, so that few of them are in use at once. */
export class BlockCounts {
  #room = 16;
  #counts = new Uint32Array(BLOCKS * this.#room);

  /** Counts the entries of a column. @param rows of the entries; null: the entries are rows */
  add(codes: Uint16Array, count: number, rows: Uint32Array | null, blocks: Uint8Array, size: number): void {
    this.#reserve(size);
    const [counts, room] = [this.#counts, this.#room];
    for (let i = 0; i < count; i++) {
      const block = blocks[rows === null ? i : (rows[i] as number)] as number;
      const code = codes[i] as number;
      if (block === NO_BLOCK || code === NO_CODE) continue;
      const at = block * room + code;
      counts[at] = (counts[at] as number) + 1;
    }
  }

  addAll(code: number, totals: Uint32Array): void {
    if (code === NO_CODE) return;
    this.#reserve(code + 1);
    for (let block = 0, at = code; block < BLOCKS; block++, at += this.#room)
      this.#counts[at] = (this.#counts[at] as number) + (totals[block] as number);
  }

  /** A copy of those of one thing. */
  of(code: number): Uint32Array {
    this.#reserve(code + 1);
    const counts = new Uint32Array(BLOCKS);
    for (let block = 0, at = code; block < BLOCKS; block++, at += this.#room) counts[block] = this.#counts[at] as number;
    return counts;
  }

  /** All records of a side with each of so many things. */
  sums(side: 0 | 1, size: number): Float64Array {
    this.#reserve(size);
    const sums = new Float64Array(size);
    for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++)
      for (let code = 0, at = block * this.#room; code < size; code++, at++)
        sums[code] = (sums[code] as number) + (this.#counts[at] as number);
    return sums;
  }

  #reserve(size: number): void {
    if (size <= this.#room) return;
    const room = Math.max(size, this.#room * 2);
    const counts = new Uint32Array(BLOCKS * room);
    for (let block = 0; block < BLOCKS; block++)
      counts.set(this.#counts.subarray(block * this.#room, (block + 1) * this.#room), block * room);
    [this.#counts, this.#room] = [counts, room];
  }
}

/** The rows of each block. */
export function totalsOf(blocks: Uint8Array): Uint32Array {
  const totals = new Uint32Array(BLOCKS);
  for (let row = 0; row < blocks.length; row++) {
    const block = blocks[row] as number;
    if (block !== NO_BLOCK) totals[block] = (totals[block] as number) + 1;
  }
  return totals;
}

/** The sum of a side. */
export function sumOf(counts: ArrayLike<number>, side: 0 | 1): number {
  let sum = 0;
  for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) sum += counts[block] as number;
  return sum;
}
