import { after, type LongTimer } from '../base/time/long-timer.ts';

/**
 * Runs a function at a fixed pace that does not drift: tick n is n intervals after the start. Ticks that come while the work of an
 * earlier one goes on are left out.
 */
export class Ticker {
  readonly #interval: number;
  readonly #work: () => Promise<void> | void;
  #timer: LongTimer | null = null;
  #started = 0;
  #ticks = 0;
  #turn: Promise<void> = Promise.resolve();
  #stopped = true;

  /** @param work must not throw */
  constructor(milliseconds: number, work: () => Promise<void> | void) {
    this.#interval = milliseconds;
    this.#work = work;
  }

  /** The first tick comes at once or after one interval. */
  start({ immediately = false }: { readonly immediately?: boolean } = {}): void {
    this.#started = performance.now();
    this.#ticks = 0;
    this.#stopped = false;
    if (immediately) this.#tick();
    else this.#wait();
  }

  /** No tick comes after this; resolves when the work of the last one is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = null;
    await this.#turn;
  }

  #wait(): void {
    if (this.#stopped) return;
    const now = performance.now() - this.#started;
    this.#ticks = Math.max(this.#ticks + 1, Math.floor(now / this.#interval) + 1);
    const rest = this.#started + this.#ticks * this.#interval - performance.now();
    this.#timer = after(Math.max(0, rest), () => this.#tick());
  }

  #tick(): void {
    this.#timer = null;
    this.#turn = Promise.resolve(this.#work()).then(() => this.#wait());
  }
}
