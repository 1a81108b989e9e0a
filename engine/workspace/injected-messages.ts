import type { MessageBatch } from '../message/batch/batch.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import type { Selection } from '../pipeline/selection.ts';

/** The output that brings injected messages to the window. */
export class InjectedMessages implements Consumer {
  readonly name = 'window';
  readonly pending = 0;
  readonly #take: (batch: MessageBatch, elsewhere: boolean) => void;
  readonly #takeService: (batch: MessageBatch) => void;
  readonly #bringsOutputs: boolean;

  /**
   * @param take takes messages that filters have injected, here or elsewhere
   * @param takeService takes messages of the engine itself, such as the end of a filter
   * @param bringsOutputs some messages of the source may be those that filters have injected elsewhere
   */
  constructor(take: (batch: MessageBatch, elsewhere: boolean) => void, takeService: (batch: MessageBatch) => void, bringsOutputs: boolean) {
    this.#take = take;
    this.#takeService = takeService;
    this.#bringsOutputs = bringsOutputs;
  }

  async submit({ batch, loop, injected }: Selection): Promise<void> {
    if (loop > 0) this.#take(batch, false);
    else if (injected) this.#takeService(batch);
    else if (this.#bringsOutputs) this.#take(batch, true);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
