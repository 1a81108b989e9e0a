/** Does pieces of asynchronous work one after another, in the order in which they come. One that fails does not keep the others from their turn. */
export class Serial {
  #tail: Promise<void> = Promise.resolve();

  /** Does the work when all that came before is done, never at once. Resolves and rejects as the work does: whoever does not wait gives work that cannot fail. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.then(ignore, ignore);
    return turn;
  }

  /** Resolves when nothing is left to do, not even of what comes meanwhile. Must not be waited for within the work. */
  async idle(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#tail;) await (last = this.#tail);
  }
}

const ignore = (): void => undefined;
