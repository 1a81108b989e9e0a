import { Accumulator } from './accumulator.ts';

/** The accumulators of one pipeline by the names of their inputs; inputs that receive stats add to them. */
export class StatHub {
  readonly #accumulators = new Map<string, Accumulator>();
  /** The inputs that bring stats and are ending: their last stats are still to be counted. */
  readonly #ending = new Set<Promise<void>>();

  /** The accumulator of that name; null: it does not run. */
  get(name: string): Accumulator | null {
    return this.#accumulators.get(name) ?? null;
  }

  /** Begins to accumulate. */
  open(name: string): Accumulator {
    const accumulator = new Accumulator();
    this.#accumulators.set(name, accumulator);
    return accumulator;
  }

  close(name: string): void {
    this.#accumulators.delete(name);
  }

  /** Registers the end of an input that brings stats. */
  ending(end: Promise<void>): void {
    this.#ending.add(end);
    void end.finally(() => this.#ending.delete(end));
  }

  /** Resolves when all inputs that are ending have brought their last stats. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }
}
