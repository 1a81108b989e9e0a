const SHORTEST_MS = 200;
const SMOOTHING = 0.3;

/** Measures the smoothed growth of an amount, and estimates when it reaches a goal. */
export class Pace {
  #last: { readonly at: number; readonly amount: number } | null = null;
  #rate: number | null = null;

  /** Amount a second; null until two measurements lie far enough apart. */
  get rate(): number | null {
    return this.#rate;
  }

  /** @param at milliseconds of a steady clock */
  add(at: number, amount: number): void {
    const last = this.#last;
    if (last === null || amount < last.amount) {
      this.#last = { at, amount };
      this.#rate = null;
      return;
    }
    if (at - last.at < SHORTEST_MS) return;
    const now = ((amount - last.amount) * 1000) / (at - last.at);
    this.#rate = this.#rate === null ? now : this.#rate + SMOOTHING * (now - this.#rate);
    this.#last = { at, amount };
  }

  /** Milliseconds until the amount is reached; null: unknown or never. */
  timeLeft(amount: number): number | null {
    if (this.#last === null || this.#rate === null || this.#rate <= 0) return null;
    return Math.max(0, ((amount - this.#last.amount) / this.#rate) * 1000);
  }
}

/** The paces of many amounts, by number. */
export class Paces {
  readonly #paces = new Map<number, Pace>();

  add(id: number, at: number, amount: number): void {
    const pace = this.#paces.get(id) ?? new Pace();
    this.#paces.set(id, pace);
    pace.add(at, amount);
  }

  get(id: number): Pace | undefined {
    return this.#paces.get(id);
  }
}
