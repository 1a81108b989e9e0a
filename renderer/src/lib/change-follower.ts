/** Milliseconds of pause after a failed request. */
const RETRY_MS = 1000;

export interface FollowerOptions<C> {
  /** Requests the changes since a revision; answered once there are any. */
  readonly ask: (since: number) => Promise<C>;
  /** @param first it is the first answer of this engine process */
  readonly take: (change: C, first: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Requests changes in a loop (long polling), while it has watchers. */
export class ChangeFollower<C extends { readonly revision: number }> {
  readonly #options: FollowerOptions<C>;
  #watchers = 0;
  /** The revision of the last answer; 0: none. */
  #revision = 0;
  /** Identifies the current loop; `restart` begins another one. */
  #loop: symbol | null = null;

  constructor(options: FollowerOptions<C>) {
    this.#options = options;
  }

  /** Follows the changes until the returned function is called. */
  watch(): () => void {
    this.#watchers++;
    if (this.#loop === null) void this.#follow();
    return () => {
      this.#watchers--;
    };
  }

  /** Starts over with a new engine process: revisions of the old one do not hold. */
  restart(): void {
    this.#revision = 0;
    this.#loop = null;
    if (this.#watchers > 0) void this.#follow();
  }

  async #follow(): Promise<void> {
    const { take, failed } = this.#options;
    const loop = (this.#loop = Symbol('loop'));
    while (this.#watchers > 0) {
      const answer = await this.#ask();
      if (this.#loop !== loop) return;
      if ('change' in answer) {
        take(answer.change, this.#revision === 0);
        this.#revision = answer.change.revision;
      } else {
        failed(answer.error);
        await new Promise((done) => setTimeout(done, RETRY_MS));
        if (this.#loop !== loop) return;
      }
    }
    this.#loop = null;
  }

  async #ask(): Promise<{ readonly change: C } | { readonly error: unknown }> {
    try {
      return { change: await this.#options.ask(this.#revision) };
    } catch (error) {
      return { error };
    }
  }
}
