import type { MessageBatch } from '../message/batch.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import type { Selection } from '../pipeline/selection.ts';

/** The output that brings injected messages to the window. */
export class InjectedMessages implements Consumer {
  readonly name = 'window';
  readonly pending = 0;
  readonly #take: (batch: MessageBatch) => void;
  readonly #takeService: (batch: MessageBatch) => void;

  /** @param takeService takes messages of the engine itself, such as the end of a filter */
  constructor(take: (batch: MessageBatch) => void, takeService: (batch: MessageBatch) => void) {
    this.#take = take;
    this.#takeService = takeService;
  }

  async submit({ batch, loop, injected }: Selection): Promise<void> {
    if (loop > 0) this.#take(batch);
    else if (injected) this.#takeService(batch);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
