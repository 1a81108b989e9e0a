type Listener = (data: never) => void;

/** Listeners of named events. One that throws does not keep the event from the others. */
export class Listeners {
  readonly #byName = new Map<string, Set<Listener>>();

  /** Adds a listener, and returns what removes it. */
  add(name: string, listener: Listener): () => void {
    const set = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, set.add(listener));
    return () => void set.delete(listener);
  }

  /** Calls all listeners of an event; the error of one is reported as one that nobody caught. */
  call(name: string, data: unknown): void {
    for (const listener of this.#byName.get(name) ?? []) {
      try {
        listener(data as never);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
