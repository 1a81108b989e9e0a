/** What one piece of reading led to. */
interface Commit {
  /** Batches that were made of it and are under way. */
  outstanding: number;
  /** Tells the source that what was read is done with; null: the script is at work on it. */
  done: (() => void) | null;
  /** The script's state of after it is where it will be found again. */
  covered: boolean;
}

/**
 * Tells a source that what a script has read is done with, in order: when everything that the script made of it has been through, and, where its state
 * is to outlast the service, when that is written.
 */
export class CommitLog {
  readonly #keepsState: boolean;
  #commits: Commit[] = [];
  #current = newCommit();
  #settled: (() => void)[] = [];

  /** @param keepsState states are written, and `cover` is called then */
  constructor(keepsState: boolean) {
    this.#keepsState = keepsState;
  }

  /** Whether everything that was read and is done with has been told. */
  get isSettled(): boolean {
    return this.#commits.length === 0;
  }

  /** Whether a state has to be written before something can be told. */
  get isUncovered(): boolean {
    return this.#commits.some(({ covered }) => !covered);
  }

  /** A batch is on its way. Returns what is to be called when it has been through. */
  deliver(): () => void {
    const commit = this.#current;
    commit.outstanding++;
    return () => {
      commit.outstanding--;
      this.#settle();
    };
  }

  /** The script is done with what it read. */
  commit(done: () => void): void {
    const commit = this.#current;
    this.#current = newCommit();
    commit.done = done;
    commit.covered = !this.#keepsState;
    this.#commits.push(commit);
    this.#settle();
  }

  /** All that is committed now. Its state is written when the returned function is called. */
  cover(): () => void {
    const commits = [...this.#commits];
    return () => {
      for (const commit of commits) commit.covered = true;
      this.#settle();
    };
  }

  /** Resolves when everything that is committed has been told. */
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
