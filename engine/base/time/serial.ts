/** Runs asynchronous tasks one after another, in the order of the calls. A failed task does not stop the ones behind it. */
export class Serial {
  #tail: Promise<void> = Promise.resolve();

  /**
   * Runs a task after all earlier ones, never synchronously. Resolves and rejects as the task does; a caller that does not wait must give a
   * task that cannot fail.
   */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.then(ignore, ignore);
    return turn;
  }

  /** Resolves when no task is left, with those that come meanwhile. Must not be awaited within a task. */
  async idle(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#tail;) await (last = this.#tail);
  }
}

const ignore = (): void => undefined;
