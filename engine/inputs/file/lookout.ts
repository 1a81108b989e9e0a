import { setTimeout as sleep } from 'node:timers/promises';
import type { Follower } from './follower.ts';
import { Wake } from './wake.ts';
import { DirectoryWatch } from './watch.ts';

/** Time between two searches for new files, with hints and without; more of it for each lookout of this process, and the most. */
const [SCAN_MS, UNWATCHED_SCAN_MS, SCAN_SHARE_MS, LONGEST_SCAN_MS] = [2000, 500, 20, 8000];
/** Least time between two when there are hints. */
const HINTED_SCAN_MS = 50;
/** Least time between two looks at files that there are hints for: bursts of appended lines make one look. */
const COALESCE_MS = 4;
const FAILED_MS = 1000;
/** Milliseconds between two looks without a hint for each lookout of this process, and the most: hundreds would take a third of a core from the reading. */
const [SHARE_MS, LONGEST_POLL_MS] = [5, 2000];
/** Lookouts of this process that run. */
let running = 0;

export interface LookoutOptions {
  /** Least time between two looks at files without a hint, in milliseconds. */
  readonly pollMs: number;
  /** Changes are also seen by hints of the system. */
  readonly watch: boolean;
  /** Called after each look: there may be something to read. */
  readonly onLooked: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Looks at the names of an input in a loop of its own, so that new, renamed and removed files are seen whatever is read, and however long that waits for those that take it. */
export class Lookout {
  readonly #follower: Follower;
  readonly #options: LookoutOptions;
  readonly #watch: DirectoryWatch;
  readonly #wake = new Wake();
  #loop: Promise<void> = Promise.resolve();
  #isStopping = false;
  #isLooking = false;
  /** Times of performance.now. */
  #scannedAt = 0;
  #polledAt = 0;

  constructor(follower: Follower, options: LookoutOptions) {
    this.#follower = follower;
    this.#options = options;
    this.#watch = new DirectoryWatch((directory, name) => {
      follower.hint(directory, name);
      this.#wake.notify();
    });
  }

  /** Whether nothing is known that was not looked at. */
  get isIdle(): boolean {
    return !this.#isLooking && !this.#follower.isHinted;
  }

  /** Searches for the files, and goes on looking at them. */
  async start(): Promise<void> {
    await this.#scan();
    running++;
    this.#loop = this.#run().finally(() => running--);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake.notify();
    await this.#loop;
    this.#watch.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isLooking = true;
      const pause = this.#follower.isHinted ? COALESCE_MS : 0;
      try {
        await this.#look();
      } catch (error) {
        this.#options.onFailed(error);
        await this.#wake.sleep(FAILED_MS);
      }
      this.#isLooking = false;
      this.#options.onLooked();
      if (pause > 0) await sleep(pause);
      await this.#wake.sleep(this.#waitMs);
    }
  }

  async #look(): Promise<void> {
    const sinceScan = performance.now() - this.#scannedAt;
    if (sinceScan >= this.#scanMs || (this.#follower.scanHinted && sinceScan >= HINTED_SCAN_MS)) await this.#scan();
    await this.#follower.examineHinted();
    if (performance.now() - this.#polledAt < this.#pollMs) return;
    this.#polledAt = performance.now();
    await this.#follower.poll();
  }

  async #scan(): Promise<void> {
    const folders = await this.#follower.scan();
    if (this.#options.watch) await this.#watch.set(folders);
    this.#scannedAt = performance.now();
  }

  get #scanMs(): number {
    return Math.max(this.#options.watch ? SCAN_MS : UNWATCHED_SCAN_MS, Math.min(LONGEST_SCAN_MS, running * SCAN_SHARE_MS));
  }

  get #pollMs(): number {
    return Math.max(this.#options.pollMs, Math.min(LONGEST_POLL_MS, running * SHARE_MS));
  }

  get #waitMs(): number {
    const now = performance.now();
    const poll = this.#polledAt + this.#pollMs - now;
    return this.#follower.scanHinted ? Math.min(poll, this.#scannedAt + HINTED_SCAN_MS - now) : poll;
  }
}
