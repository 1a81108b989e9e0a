import type { MsgHdrs } from '@nats-io/transport-node';
import { EDGE_HEADER } from '../../nats/batch.ts';

/** The answer to whoever keeps a batch. */
export interface BatchAnswer {
  /** All of it is through: it does not come again. */
  acknowledge(): void;
  /** It takes longer. */
  working(): void;
  /** It may be offered again after so many milliseconds. */
  later(ms: number): void;
  /** It is of no use to anybody. */
  discard(): void;
}

/** A batch as it came, with what is to be told about it. */
export interface ReceivedBatch {
  readonly subject: string;
  /** Returns the words for it in notices. */
  readonly source: () => string;
  readonly body: Uint8Array;
  readonly answer: BatchAnswer;
}

/** Batches as they come, those together that are there; none whenever there is none for now. Ends, or throws, when there can be none any more. */
export interface BatchSource extends AsyncIterable<readonly ReceivedBatch[]> {
  /** Batches that came and could not be kept. */
  readonly lost: number;
  /** Batches that may be unanswered, at all its readers together. */
  readonly mostUnanswered: number;
  /** Milliseconds after which an unanswered batch is offered again; Infinity: it is not. */
  readonly answerMs: number;
  /** Whether nothing comes because too much is not acknowledged. */
  isHeldUp(): Promise<boolean>;
  stop(): Promise<void>;
}

const ignore = (): void => undefined;
/** Nobody waits for an answer. */
export const NOBODY: BatchAnswer = { acknowledge: ignore, working: ignore, later: ignore, discard: ignore };

/** The words for a message in notices. */
export function sourceOf({ subject, headers }: { readonly subject: string; readonly headers?: MsgHdrs | undefined }): string {
  const edge = headers?.get(EDGE_HEADER) ?? '';
  return `a batch of ${subject}${edge === '' ? '' : ` from ${edge}`}`;
}
