/** Seconds of history that a meter keeps. */
const HISTORY = 30;

/** Counts events and knows how many a second there were, now and in the last 30 seconds. */
export class RateMeter {
  /** One count a second, at second modulo HISTORY. */
  readonly #counts = new Float64Array(HISTORY + 1);
  readonly #now: () => number;
  #second: number;
  #total = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#second = Math.floor(now() / 1000);
  }

  get total(): number {
    return this.#total;
  }

  add(count: number): void {
    this.#advance();
    this.#total += count;
    const at = this.#second % this.#counts.length;
    this.#counts[at] = (this.#counts[at] as number) + count;
  }

  /** Events per second, over the last second. */
  rate(): number {
    this.#advance();
    const part = (this.#now() / 1000) % 1;
    return Math.round(this.#at(0) + this.#at(1) * (1 - part));
  }

  /** Counts of the last 30 seconds, oldest first, this one not included. */
  history(): number[] {
    this.#advance();
    return Array.from({ length: HISTORY }, (_, i) => this.#at(HISTORY - i));
  }

  #at(secondsAgo: number): number {
    const { length } = this.#counts;
    return this.#counts[(((this.#second - secondsAgo) % length) + length) % length] as number;
  }

  #advance(): void {
    const second = Math.floor(this.#now() / 1000);
    const { length } = this.#counts;
    if (second - this.#second >= length) this.#counts.fill(0);
    else for (let s = this.#second + 1; s <= second; s++) this.#counts[s % length] = 0;
    this.#second = Math.max(this.#second, second);
  }
}
