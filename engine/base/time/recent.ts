/** Keeps values for a moment: hundreds who want the same at once get the same, and what changes is seen soon. */
export class Recent<T> {
  readonly #ms: number;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly value: T; readonly at: number }>();

  /** @param ms time for which a value is good @param now milliseconds on a clock that nobody sets */
  constructor(ms: number, now: () => number = () => performance.now()) {
    this.#ms = ms;
    this.#now = now;
  }

  /** The value of a key, made by `make` unless it was a moment ago. What `make` throws is not kept. */
  get(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined && this.#now() - known.at < this.#ms) return known.value;
    const value = make();
    this.#known.set(key, { value, at: this.#now() });
    return value;
  }
}
