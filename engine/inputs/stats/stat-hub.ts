import { Accumulator } from './accumulator.ts';

/** The accumulators of one pipeline by the names of their inputs: where those that receive stats bring them. */
export class StatHub {
  readonly #accumulators = new Map<string, Accumulator>();
  /** Those that bring stats and are ending: what they still have is to be counted. */
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

  /** Somebody who brings stats is ending. */
  ending(end: Promise<void>): void {
    this.#ending.add(end);
    void end.finally(() => this.#ending.delete(end));
  }

  /** Resolves when all that are ending have brought what they had. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }
}
