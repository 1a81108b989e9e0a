/** After a request that failed, the next one waits this long. */
const RETRY_MS = 1000;

export interface FollowerOptions<C> {
  /** Asks for what is newer than a revision; answered once there is something. */
  readonly ask: (since: number) => Promise<C>;
  /** @param first nothing is known yet of what answers */
  readonly take: (change: C, first: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Asks for changes again and again, as long as somebody watches. */
export class ChangeFollower<C extends { readonly revision: number }> {
  readonly #options: FollowerOptions<C>;
  #watchers = 0;
  /** What is known; 0: nothing. */
  #revision = 0;
  /** The loop that asks; another one after a restart. */
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

  /** What answers is another one: what is known of the one before counts no more. */
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
