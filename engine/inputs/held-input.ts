import type { Input, InputSink, InputStats } from './types.ts';

/** An input that can be held while it reads: what it has read next waits, so that it reads no further, and goes on from there when it is released. */
export class HeldInput implements Input {
  readonly name: string;
  readonly #input: Input;
  /** Resolves when it is released; null: it is not held. */
  #gate: PromiseWithResolvers<void> | null = null;
  /** It reads no further during these. */
  readonly #works = new Set<Promise<unknown>>();

  constructor(input: Input) {
    this.name = input.name;
    this.#input = input;
  }

  hold(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  /** Reads no further while something else has to be quick. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const begun = work();
    this.#works.add(begun);
    try {
      return await begun;
    } finally {
      this.#works.delete(begun);
    }
  }

  async start(sink: InputSink): Promise<void> {
    await this.#input.start({
      deliver: async (batch) => {
        while (this.#gate !== null || this.#works.size > 0) await (this.#gate?.promise ?? Promise.allSettled(this.#works));
        await sink.deliver(batch);
      },
      notice: (notice) => sink.notice(notice),
      ended: (stream) => sink.ended?.(stream),
      idle: () => sink.idle(),
    });
  }

  /** Stops; what waits is delivered. */
  async stop(): Promise<void> {
    this.release();
    await this.#input.stop();
  }

  stats(): InputStats {
    return this.#input.stats();
  }

  figures(): Readonly<Record<string, number>> {
    return this.#input.figures?.() ?? {};
  }
}
