import type { MessageBatch } from '../message/batch.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import type { Selection } from '../pipeline/selection.ts';

/** Where messages go that were injected. */
export interface InjectedTakers {
  /** By filters. */
  readonly filters: (batch: MessageBatch) => void;
  /** By the engine itself, such as the end of a filter. */
  readonly engine: (batch: MessageBatch) => void;
  /** Messages of the source, some of which filters elsewhere may have injected; absent: there are none. */
  readonly elsewhere?: (batch: MessageBatch) => void;
}

/** The output that brings injected messages to the window. */
export class InjectedMessages implements Consumer {
  readonly name = 'window';
  readonly pending = 0;
  readonly #takers: InjectedTakers;

  constructor(takers: InjectedTakers) {
    this.#takers = takers;
  }

  async submit({ batch, loop, injected }: Selection): Promise<void> {
    const { filters, engine, elsewhere } = this.#takers;
    if (loop > 0) filters(batch);
    else if (injected) engine(batch);
    else elsewhere?.(batch);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
