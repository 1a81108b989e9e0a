import type { End } from '../../api/ends.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { PastCall } from '../wire/journal.ts';
import type { SavedScript } from '../wire/preservation.ts';
import type { ReportedHead } from '../contract/protocol.ts';
import { NO_RESULT, type InputStatus, type SandboxResult, type ScriptSource, type Termination } from '../contract/types.ts';

/** Callers that wait for an answer. */
export interface Pending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export type ProcessCall = Extract<PastCall, { kind: 'process' }> & Pending<SandboxResult> & { readonly timed?: number };
export type WorkCall = PastCall & Pending<SandboxResult> & { readonly timed?: number };
export type RunCall = {
  readonly kind: 'run';
  readonly id: number;
  readonly take: (batch: MessageBatch) => Promise<void>;
  readonly source?: ScriptSource | undefined;
} & Pending<InputStatus | Termination>;
export type Call =
  | WorkCall
  | RunCall
  | ({ readonly kind: 'report'; readonly id: number } & Pending<ReportedHead>)
  | ({ readonly kind: 'save'; readonly id: number; readonly checkpoint: boolean } & Pending<SavedScript>);

/** The calls of a sandbox that are not answered yet, in order. */
export class CallQueue {
  #calls: Call[] = [];
  #next: number;

  /** @param answered number of the last call that was answered elsewhere */
  constructor(answered = 0) {
    this.#next = answered + 1;
  }

  get open(): readonly Call[] {
    return this.#calls;
  }

  /** Messages of open calls, with the ticks; null: it is an input, which works for as long as it likes. */
  get waiting(): number | null {
    let waiting = 0;
    for (const call of this.#calls) {
      if (call.kind === 'run') return null;
      if (call.kind === 'process') waiting += call.selection?.length ?? call.batch.length;
      else if (call.kind === 'timer') waiting++;
    }
    return waiting;
  }

  /** Adds a call and returns it with the promise of its answer. */
  add<T>(make: (id: number, pending: Pending<T>) => Call): { readonly call: Call; readonly answer: Promise<T> } {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const call = make(this.#next++, { resolve, reject });
    this.#calls.push(call);
    return { call, answer: promise };
  }

  /** The first open call, when it is this one; it is open no more. */
  take<K extends Call['kind']>(kind: K, id: number): Extract<Call, { kind: K }> | undefined {
    const call = this.#calls[0];
    if (call?.id !== id || call.kind !== kind) return undefined;
    this.#calls.shift();
    return call as Extract<Call, { kind: K }>;
  }

  /** The first call that does some work gets the end as its result. */
  answerWithEnd(end: End): void {
    const at = this.#calls.findIndex(({ kind }) => kind === 'process' || kind === 'timer' || kind === 'run');
    const [call] = at < 0 ? [] : this.#calls.splice(at, 1);
    if (call !== undefined) answerWithEnd(call, { ...end, row: -1 });
  }

  /** Rejects all calls. */
  fail(error: Error): void {
    for (const call of this.#calls.splice(0)) call.reject(error);
  }
}

function answerWithEnd(call: Call, terminated: Termination): void {
  if (call.kind === 'run') call.resolve(terminated);
  else if (call.kind === 'process' || call.kind === 'timer') call.resolve({ ...NO_RESULT, terminated });
}

/**
 * A call without those who wait for it.
 * @param done only so many of its rows were processed
 */
export function pastOf(call: WorkCall, done?: number): PastCall {
  if (call.kind === 'timer') return { kind: 'timer', id: call.id, ns: call.ns };
  const { kind, id, batch, selection, clock } = call;
  return {
    kind,
    id,
    batch,
    clock,
    selection: done === undefined ? selection : firstRows(selection, done),
  };
}

function firstRows(selection: Uint32Array | null, count: number): Uint32Array {
  return selection?.subarray(0, count) ?? Uint32Array.from({ length: count }, (_, row) => row);
}
