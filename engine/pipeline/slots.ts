/** A counting semaphore. Waiters get their turn in the order of their requests. */
export class Slots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param limit number of slots, at least 1 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Resolves when there is a free slot. Each `take` needs one `free`. */
  async take(): Promise<void> {
    if (this.#taken < this.#limit && this.#waiting.length === 0) {
      this.#taken++;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
