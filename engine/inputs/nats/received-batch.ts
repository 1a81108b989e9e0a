import type { MsgHdrs } from '@nats-io/transport-node';
import { EDGE_HEADER } from '../../nats/batch.ts';

/** A batch as it came, with what is to be told about it. */
export interface ReceivedBatch {
  readonly subject: string;
  /** The words for it in notices. */
  readonly source: string;
  readonly body: Uint8Array;
  /** All of it is through: it does not come again. */
  acknowledge(): void;
  /** It takes longer. */
  working(): void;
  /** It may be offered again after so many milliseconds. */
  later(ms: number): void;
  /** It is of no use to anybody. */
  discard(): void;
}

/** Batches as they come; null whenever there is none for now. Ends, or throws, when there can be none any more. */
export interface BatchSource extends AsyncIterable<ReceivedBatch | null> {
  /** Batches that came and could not be kept. */
  readonly lost: number;
  stop(): Promise<void>;
}

/** The words for a message in notices. */
export function sourceOf({ subject, headers }: { readonly subject: string; readonly headers?: MsgHdrs | undefined }): string {
  const edge = headers?.get(EDGE_HEADER) ?? '';
  return `a batch of ${subject}${edge === '' ? '' : ` from ${edge}`}`;
}
