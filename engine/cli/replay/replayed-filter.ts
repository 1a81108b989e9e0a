import type { End } from '../../api/ends.ts';
import { compileMatcher } from '../../matcher/matcher.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { FilterRunner } from '../../pipeline/filter-runner.ts';
import type { Selector } from '../../pipeline/selection.ts';
import type { Failure, Sandbox } from '../../sandbox/contract/types.ts';

export interface ReplayedFilterOptions {
  readonly sandbox: Sandbox;
  /** Seconds between two ticks. */
  readonly ticker: number;
  /** The messages that it gets; null: all. The others move its clock, too. */
  readonly where: Selector | null;
  readonly onInjected: (batch: MessageBatch) => void;
  readonly onFailures: (failures: readonly Failure[]) => void;
  readonly onTerminated: (end: End) => void;
}

/** Selects nothing: messages that the filter injects are given to no filter, itself included. */
const NOTHING = compileMatcher('FALSE');

/** A filter over stored messages, on their clock, as `sluicebox run` runs it over a file. */
export class ReplayedFilter {
  readonly #runner: FilterRunner;
  readonly #where: Selector | null;

  constructor({ sandbox, ticker, where, onInjected, onFailures, onTerminated }: ReplayedFilterOptions) {
    this.#where = where;
    const inject = (batch: MessageBatch): Promise<void> => {
      onInjected(batch);
      return Promise.resolve();
    };
    this.#runner = new FilterRunner({
      name: sandbox.spec.name,
      sandbox,
      matcher: NOTHING,
      router: { pending: 0, inject },
      tickerInterval: ticker,
      clock: 'message',
      maxMessageLoops: 1,
      onFailures,
      onTerminated,
    });
  }

  get ended(): boolean {
    return this.#runner.ended;
  }

  /** Calls must be made in the order of the messages; they need not wait for one another. */
  take(batch: MessageBatch): Promise<void> {
    const rows = this.#where === null ? null : this.#where.select(batch);
    return this.#runner.submit({ batch, rows, loop: 0, signer: '', injected: false, clock: 'message' });
  }

  /** The last tick. */
  async end(): Promise<void> {
    await this.#runner.idle();
    await this.#runner.stop();
  }
}
