/** Progress of one piece of reading. */
interface Commit {
  /** Batches made from it that are still in processing. */
  outstanding: number;
  /** Acknowledges it to the source; null while the script works on it. */
  done: (() => void) | null;
  /** True when the script's state after it is saved. */
  covered: boolean;
}

/**
 * Acknowledges to a source, in order, what a script has read: when all messages made from it are processed and, where the script's state is
 * kept, that state is saved.
 */
export class CommitLog {
  readonly #keepsState: boolean;
  #commits: Commit[] = [];
  #current = newCommit();
  #settled: (() => void)[] = [];

  /** @param keepsState states are saved, each with a call of `cover` */
  constructor(keepsState: boolean) {
    this.#keepsState = keepsState;
  }

  /** True when every commit is acknowledged. */
  get isSettled(): boolean {
    return this.#commits.length === 0;
  }

  /** True when a commit waits for the state to be saved. */
  get isUncovered(): boolean {
    return this.#commits.some(({ covered }) => !covered);
  }

  /** Records a batch as in processing. Returns a function to call when it is processed. */
  deliver(): () => void {
    const commit = this.#current;
    commit.outstanding++;
    return () => {
      commit.outstanding--;
      this.#settle();
    };
  }

  /** Ends the current piece of reading. @param done acknowledges it to the source */
  commit(done: () => void): void {
    const commit = this.#current;
    this.#current = newCommit();
    commit.done = done;
    commit.covered = !this.#keepsState;
    this.#commits.push(commit);
    this.#settle();
  }

  /** Begins a save of the state. The returned function marks all commits made before as saved. */
  cover(): () => void {
    const commits = [...this.#commits];
    return () => {
      for (const commit of commits) commit.covered = true;
      this.#settle();
    };
  }

  /** Resolves when every commit is acknowledged. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  #settle(): void {
    for (let first = this.#commits[0]; first?.outstanding === 0 && first.covered; first = this.#commits[0]) {
      this.#commits.shift();
      first.done?.();
    }
    if (this.isSettled) for (const resolve of this.#settled.splice(0)) resolve();
  }
}

const newCommit = (): Commit => ({ outstanding: 0, done: null, covered: false });
