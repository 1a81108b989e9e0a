import type { MessageBatch } from '../../message/batch/batch.ts';

/** The connection cannot be read any further. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}

/** Something that a connection has brought. */
export interface Step {
  /** null: it brought no records. */
  readonly batch: MessageBatch | null;
  /** Some of the records were no UTF-8. */
  readonly invalid?: boolean;
  /** Records that are left out, and why. */
  readonly rejected?: { readonly count: number; readonly reason: string };
  /** Records that were cut at the greatest length. */
  readonly truncated?: number;
  /** Sent when these records and all before them are safe. */
  readonly answer: Buffer;
  /** Nothing is read behind it. */
  readonly isLast?: boolean;
}

/** One connection of a protocol in which the receiver acknowledges what it has. */
export interface Session {
  /** Bytes of a message whose end is not there yet. */
  readonly waiting: number;
  /** Sent again and again while the sender waits for an answer. */
  readonly patience?: Buffer;
  /** Sent when this side ends the connection. */
  readonly farewell?: Buffer;
  /** Takes the next bytes. @throws {SessionError} behind the steps that can be made */
  push(chunk: Buffer): Iterable<Step> | AsyncIterable<Step>;
}

export interface Peer {
  readonly host: string;
  readonly port: number;
}
