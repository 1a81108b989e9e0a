import type { MessageBatch } from '../message/batch/batch.ts';
import type { ClockKind } from '../message/types.ts';
import { Stopwatch } from './plugin-report.ts';

/** A compiled matcher. `select` returns the rows that match, ascending; null: all rows. */
export interface Selector {
  select(batch: MessageBatch): Uint32Array | null;
}

/** A batch of messages to route, with its origin. */
export interface Routed {
  readonly batch: MessageBatch;
  /** Number of injections behind the messages; 0 from an input. */
  readonly loop: number;
  /** Name of the messages' signer; '' when they are unsigned. */
  readonly signer: string;
  /** True when the messages come from a filter or the service itself, not from an input. */
  readonly injected: boolean;
  /** The clock of the input that they come from; absent: they are injected. */
  readonly clock?: ClockKind | undefined;
  /** Nobody waits until they are written. */
  readonly isPatient?: boolean | undefined;
}

/** Routed messages with the rows selected by a filter or output. */
export interface Selection extends Routed {
  /** Ascending; null: all rows of the batch. */
  readonly rows: Uint32Array | null;
  /** The selected messages in protobuf, where they were encoded already. */
  readonly encoded?: readonly Uint8Array[];
}

export interface SubscriptionOptions {
  readonly matcher: Selector;
  /** Name of the signer whose messages alone are selected. */
  readonly signer?: string | undefined;
  /** Whether to pass a batch without selected rows too, since its times advance a clock. */
  readonly everyBatch?: (routed: Routed) => boolean;
}

const NO_ROWS = new Uint32Array(0);

/** Selects the messages for a filter or output, and measures the time of matching. */
export class Subscription {
  readonly #options: SubscriptionOptions;
  readonly #match = new Stopwatch();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Average nanoseconds of matching one message. */
  get averageNs(): number {
    return this.#match.averageNs;
  }

  /** Returns the selected rows; null when the batch is not passed on. */
  select(routed: Routed): Selection | null {
    const { batch, signer } = routed;
    const { matcher, signer: wanted, everyBatch } = this.#options;
    const wants = wanted === undefined || wanted === signer;
    const rows = wants ? this.#match.measure(() => matcher.select(batch), batch.length) : NO_ROWS;
    return rows?.length === 0 && everyBatch?.(routed) !== true ? null : { ...routed, rows };
  }
}

/** Selects routed messages for a consumer, all of them without a subscription; null when none are passed on. */
export function selectionFor({ subscription }: { readonly subscription?: Subscription }, routed: Routed): Selection | null {
  if (subscription !== undefined) return subscription.select(routed);
  return { ...routed, rows: null };
}
