import type { Input, InputSink, InputStats } from './types.ts';

/** An input that can be held while it reads: what it has read next waits, so that it reads no further, and goes on from there when it is released. */
export class HeldInput implements Input {
  readonly name: string;
  readonly #input: Input;
  /** Resolves when it is released; null: it is not held. */
  #gate: PromiseWithResolvers<void> | null = null;

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

  async start(sink: InputSink): Promise<void> {
    await this.#input.start({
      deliver: async (batch) => {
        while (this.#gate !== null) await this.#gate.promise;
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
