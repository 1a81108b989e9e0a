import { BLOCKS, SIDE_BLOCKS } from './block-counts.ts';

/** Share of the steps that go up, from which on numbers count upwards, and steps that are needed to say so. */
const [RISING, LEAST_STEPS, LEAST_BLOCKS] = [0.9, 20, 8];
/** Numbers that are looked at in a column, and those before each with which it is compared. */
const [PROBES, RECENT] = [256, 64];

/**
 * Tells numbers that count upwards from those that measure something: nearly each is larger than the one before, or than the nearest of those before, as where several
 * processes count, or their mean rises from block to block.
 */
export class NumberOrder {
  #last = NaN;
  #rises = 0;
  #steps = 0;
  readonly #recent = new Float64Array(RECENT);
  #seen = 0;
  #above = 0;
  #compared = 0;
  readonly #sums = new Float64Array(BLOCKS);
  readonly #counts = new Uint32Array(BLOCKS);

  get isRising(): boolean {
    if (this.#steps <= LEAST_STEPS) return false;
    if (this.#rises > RISING * this.#steps) return true;
    if (this.#compared > LEAST_STEPS && this.#above > RISING * this.#compared) return true;
    return this.#isRisingByBlocks(0) && this.#isRisingByBlocks(1);
  }

  /** Numbers of another column follow. */
  begin(): void {
    this.#seen = 0;
    this.#last = NaN;
  }

  add(value: number, block: number): void {
    this.#sums[block] = (this.#sums[block] as number) + value;
    this.#counts[block] = (this.#counts[block] as number) + 1;
    if (value > this.#last) this.#rises++;
    if (value !== this.#last) this.#steps++;
    this.#last = value;
    if (this.#seen < PROBES) this.#compare(value);
  }

  #compare(value: number): void {
    const recent = this.#recent;
    const known = Math.min(this.#seen, RECENT);
    let [nearest, isAbove] = [Infinity, false];
    for (let i = 0; i < known; i++) {
      const by = value - (recent[i] as number);
      const distance = Math.abs(by);
      if (distance < nearest) [nearest, isAbove] = [distance, by > 0];
    }
    if (known === RECENT) {
      this.#compared++;
      if (isAbove) this.#above++;
    }
    recent[this.#seen++ % RECENT] = value;
  }

  #isRisingByBlocks(side: 0 | 1): boolean {
    let [last, rises, blocks] = [-Infinity, 0, 0];
    for (let block = side * SIDE_BLOCKS; block < (side + 1) * SIDE_BLOCKS; block++) {
      const count = this.#counts[block] as number;
      if (count === 0) continue;
      const mean = (this.#sums[block] as number) / count;
      if (blocks++ > 0 && mean > last) rises++;
      last = mean;
    }
    return blocks >= LEAST_BLOCKS && rises >= RISING * (blocks - 1);
  }
}
