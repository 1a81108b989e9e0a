import type { ListenAddress } from './address.ts';
import type { SentBlock } from './datagram-block.ts';

/** The options with which a thread that reads datagrams is started. */
export interface ReaderOptions {
  /** The hosts to listen on, the first one that can be. */
  readonly hosts: readonly string[];
  readonly port: number;
  /** Bytes of memory for datagrams that wait. */
  readonly queueBytes: number;
  /** Whether the senders of the datagrams are wanted: without them many are read at once, where the system allows that. */
  readonly withSenders: boolean;
  /** Bytes that the system is asked to hold for the socket. */
  readonly receiveBytes: number;
  /** Counts of the reader by `Counter`, which both threads see. */
  readonly counters: SharedArrayBuffer;
}

/** Places of the counts of a reader. */
export const Counter = {
  /** Datagrams that found no room in the queue. */
  DROPPED: 0,
  /** Datagrams that wait in the queue. */
  WAITING: 1,
} as const;

export const COUNTERS = 2;

export type ToReader =
  /** A block has been worked off: its memory comes back, and another one may be sent. */
  | { readonly kind: 'done'; readonly memory: ArrayBuffer }
  /** Read what the system still holds, then say `quiet`. */
  | { readonly kind: 'finish' }
  /** Close the socket, send what waits, then say `end`. */
  | { readonly kind: 'close' }
  /** Drop and count what waits. */
  | { readonly kind: 'discard' };

export type FromReader =
  | { readonly kind: 'listening'; readonly address: ListenAddress; readonly receiveBytes: number }
  /** It does not listen (before `listening`), or its socket has a problem. */
  | { readonly kind: 'problem'; readonly code: string; readonly text: string }
  | { readonly kind: 'block'; readonly block: SentBlock }
  | { readonly kind: 'quiet' }
  /** With the number of datagrams that the system had dropped for the socket when it was closed; null: it does not tell. */
  | { readonly kind: 'end'; readonly systemDrops: number | null };
