import type { PreparedText } from '../../base/product/prepared.ts';
import type { OpenedParcel, OwnState } from '../wire/script-context.ts';
import type { PackedBlocks, PackedTexts, SentText } from './packed.ts';

/** Data that a thread gets at its start. */
export interface ThreadStart {
  /** The code that goes into each context before the script. */
  readonly prelude: PreparedText;
  /** Counts the answers to requests: the thread waits for the next one without doing anything else. */
  readonly answered: SharedArrayBuffer;
}

/** A script to load. */
export interface LoadMessage {
  readonly kind: 'load';
  readonly script: number;
  /** Its `Setup` as JSON. */
  readonly setup: string;
  readonly code: PreparedText;
  readonly filename: string;
  /** It keeps nothing, and several share it: when a call fails, it is loaded again for the others. */
  readonly isShared: boolean;
}

/** Calls of a script that was loaded, one after the other: of process_message, and ticks. */
export interface ServeMessage {
  readonly kind: 'serve';
  readonly script: number;
  /** Rows of each call; -1: it is a tick. */
  readonly rows: Int32Array;
  /** Times of the ticks, in nanoseconds, in order. */
  readonly ticks: BigInt64Array;
  /** Of the calls that have rows: the parts of their parcels. */
  readonly heads: PackedTexts;
  readonly blocks: PackedBlocks;
  readonly texts: readonly (readonly SentText[])[];
}

/** Results of calls up to the first one that only a sandbox can tell about. */
export interface ServedMessage {
  readonly kind: 'served';
  readonly heads: PackedTexts;
  readonly arenas: PackedTexts;
  readonly blocks: PackedBlocks;
  readonly work: Work;
}

/** Columns on their way to a thread. */
export type SentParcel = Omit<OpenedParcel, 'texts'> & { readonly texts: readonly SentText[] };

/** Engine to thread; each but `drop` and `columns` has one answer, in order. `columns` is the answer to a `fetch`. */
export type ToThread =
  | LoadMessage
  | ServeMessage
  /** Has the state after the calls so far. */
  | { readonly kind: 'save'; readonly script: number }
  | { readonly kind: 'drop'; readonly script: number }
  | { readonly kind: 'measure' }
  | { readonly kind: 'columns'; readonly parcel: SentParcel };

/** Thread to engine. */
export type FromThread =
  /** It has begun; the path of its times in /proc, where there is one. */
  | { readonly kind: 'started'; readonly stat: string | null }
  | { readonly kind: 'loaded'; readonly isLoaded: boolean }
  /** The columns of a variable are wanted for a call of those that are under way, by its number. */
  | { readonly kind: 'fetch'; readonly call: number; readonly variable: string }
  | ServedMessage
  /** null: the state cannot be had. */
  | { readonly kind: 'saved'; readonly state: OwnState | null; readonly work: Work }
  | { readonly kind: 'measured'; readonly memory: ThreadMemory };

/** Cost of calls: milliseconds on the clock, and microseconds of processor time. */
export interface Work {
  readonly ms: number;
  readonly cpu: number;
}

/** Bytes that a thread holds, and those that it held before its first script. */
export interface ThreadMemory {
  readonly now: number;
  readonly before: number;
}
