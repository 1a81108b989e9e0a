/** More new records than this are a rush: nobody can read them. */
const RUSH_RECORDS = 1000;
/** Longest milliseconds between two pieces of news. */
const LONGEST_MS = 1000;
/** Share of its duration that a rush waits between two pieces of news. */
const CALMING = 0.2;

/**
 * Milliseconds between two pieces of news about records that arrive. While they rush in, showing them takes time from reading them: the news then
 * come more and more rarely.
 */
export class Rush {
  readonly #quiet: number;
  readonly #shortest: number;
  #since: number | null = null;

  /**
   * @param quiet milliseconds while few records arrive
   * @param shortest milliseconds at the beginning of a rush
   */
  constructor(quiet: number, shortest: number) {
    this.#quiet = quiet;
    this.#shortest = shortest;
  }

  /** @param fresh records that nobody was told of yet */
  interval(fresh: number): number {
    if (fresh <= RUSH_RECORDS) this.#since = null;
    else this.#since ??= performance.now();
    if (this.#since === null) return this.#quiet;
    return Math.min(LONGEST_MS, Math.max(this.#shortest, (performance.now() - this.#since) * CALMING));
  }
}
