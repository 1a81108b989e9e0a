/**
 * Runs work at once and then at most every so many milliseconds; a call in between runs at the end of the pause. Work that still runs
 * is not started a second time.
 */
export class Throttle {
  readonly #pause: number;
  readonly #work: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #busy = false;
  #again = false;

  constructor(pause: number, work: () => Promise<void>) {
    this.#pause = pause;
    this.#work = work;
  }

  call(): void {
    if (this.#busy || this.#timer !== null) this.#again = true;
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    this.#again = false;
    try {
      await this.#work();
    } finally {
      this.#busy = false;
      this.#timer = setTimeout(() => {
        this.#timer = null;
        if (this.#again) void this.#run();
      }, this.#pause);
    }
  }
}
