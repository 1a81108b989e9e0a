import type { PreparedText } from '../../base/product/prepared.ts';
import type { OpenedParcel, OwnResult } from '../wire/script-context.ts';

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
}

/** A call of a script that was loaded. */
export interface ProcessMessage {
  readonly kind: 'process';
  readonly script: number;
  readonly rows: number;
  readonly parcel: OpenedParcel;
}

/** Engine to thread; each but `drop` and `columns` has one answer, in order. `columns` is the answer to a `fetch`. */
export type ToThread =
  | LoadMessage
  | ProcessMessage
  | { readonly kind: 'drop'; readonly script: number }
  | { readonly kind: 'measure' }
  | { readonly kind: 'columns'; readonly parcel: OpenedParcel };

/** Thread to engine. */
export type FromThread =
  /** It has begun; the path of its times in /proc, where there is one. */
  | { readonly kind: 'started'; readonly stat: string | null }
  | { readonly kind: 'loaded'; readonly isLoaded: boolean }
  /** The columns of a variable are wanted for the call that is under way. */
  | { readonly kind: 'fetch'; readonly variable: string }
  /** null: the script did what only a sandbox can tell about. */
  | { readonly kind: 'result'; readonly result: OwnResult | null; readonly work: Work }
  | { readonly kind: 'measured'; readonly memory: ThreadMemory };

/** Cost of a call: milliseconds on the clock, and microseconds of processor time. */
export interface Work {
  readonly ms: number;
  readonly cpu: number;
}

/** Bytes that a thread holds, and those that it held before its first script. */
export interface ThreadMemory {
  readonly now: number;
  readonly before: number;
}
