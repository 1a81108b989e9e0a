import type { Demand, FromEngine } from '../api/wire.ts';

/** The questions to the shell that are not answered yet. */
export class Questions {
  readonly #post: (message: FromEngine) => void;
  readonly #open = new Map<number, (allowed: readonly string[]) => void>();
  #nextId = 1;

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
  }

  /** Asks whether these may start. Resolves with the keys of those that may. */
  ask(demands: readonly Demand[]): Promise<readonly string[]> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#post({ kind: 'ask', id, demands });
    });
  }

  answer(id: number, allowed: readonly string[]): void {
    this.#open.get(id)?.(allowed);
    this.#open.delete(id);
  }
}
