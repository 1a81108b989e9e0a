import type { MessageBatch } from '../message/batch.ts';
import { Stopwatch } from './plugin-report.ts';

/** A compiled matcher: the rows of a batch that a plugin wants, ascending; null: all of them. */
export interface Selector {
  select(batch: MessageBatch): Uint32Array | null;
}

/** Messages on their way, and how they came. */
export interface Routed {
  readonly batch: MessageBatch;
  /** How often the messages went around: 0 from an input. */
  readonly loop: number;
  /** Who signed the messages; '' when nobody did. */
  readonly signer: string;
  /** The messages come from a filter or from the service itself, not from an input. */
  readonly injected: boolean;
}

/** The part of routed messages that a filter or output wants. */
export interface Selection extends Routed {
  /** Ascending; null: all rows of the batch. */
  readonly rows: Uint32Array | null;
}

export interface SubscriptionOptions {
  readonly matcher: Selector;
  /** Only messages that are signed by this name. */
  readonly signer?: string | undefined;
  /** Batches of which no row is selected come too: a clock moves by them. */
  readonly everyBatch?: boolean;
}

const NO_ROWS = new Uint32Array(0);

/** The messages that a filter or output wants. Takes the time of matching. */
export class Subscription {
  readonly #options: SubscriptionOptions;
  readonly #match = new Stopwatch();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Nanoseconds that matching takes for a message, on average. */
  get averageNs(): number {
    return this.#match.averageNs;
  }

  /** The selected rows; null: nothing of it is to come. */
  select({ batch, loop, signer, injected }: Routed): Selection | null {
    const { matcher, signer: wanted, everyBatch } = this.#options;
    const wants = wanted === undefined || wanted === signer;
    const rows = wants ? this.#match.measure(() => matcher.select(batch), batch.length) : NO_ROWS;
    return rows?.length === 0 && everyBatch !== true ? null : { batch, rows, loop, signer, injected };
  }
}

/** The part of routed messages that is for a consumer; without a subscription it takes all. null: nothing of it. */
export function selectionFor({ subscription }: { readonly subscription?: Subscription }, routed: Routed): Selection | null {
  if (subscription !== undefined) return subscription.select(routed);
  const { batch, loop, signer, injected } = routed;
  return { batch, rows: null, loop, signer, injected };
}
