/** Lets tasks work on what they share one at a time, in the order in which they asked. A task can let others pass while it waits for something else. */
export class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Runs a task when no other one has its turn. Resolves and rejects as the task does. Must not be awaited within a task. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Gives up the turn of the task that calls this until `wait` is over. What is shared may have changed then. */
  async aside<T>(wait: () => Promise<T>): Promise<T> {
    this.#end();
    try {
      return await wait();
    } finally {
      await this.#begin();
    }
  }

  async #begin(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
  }

  /** Hands the turn to the next one, so that nobody takes it in between. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
