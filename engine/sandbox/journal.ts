import type { MessageBatch } from '../message/batch.ts';
import type { SavedScript } from './preservation.ts';

/** A call that has changed a script's state. */
export type PastCall =
  | { readonly kind: 'process'; readonly id: number; readonly batch: MessageBatch; readonly selection: Uint32Array | null }
  | { readonly kind: 'timer'; readonly id: number; readonly ns: bigint };

/** A checkpoint is due when this long after the last one, … */
const INTERVAL_MS = 1_000;
/** … or after so many calls, … */
const CALLS = 64;
/** … but saving takes at most this share of the time, … */
const SHARE = 1 / 20;
/** … unless so many calls have come together. */
const MOST_CALLS = 512;

/** All calls since the start are remembered up to so many, with so many messages, which took no longer than this together. */
const HISTORY_CALLS = 256;
const HISTORY_ROWS = 8_192;
const HISTORY_NS = 1e9;

/**
 * How a script's state can be had again when its host dies. As long as there were few calls, all of them are repeated, which brings back whatever the
 * script holds. Later on it is the last state that was saved, and the calls that were answered since: that brings back global variables.
 */
export class Journal {
  /** The state that the script began with, and all calls since; null: there were too many. */
  #history: { readonly state: SavedScript | null; readonly calls: PastCall[]; rows: number; nanoseconds: number } | null;
  #checkpoint: SavedScript | null = null;
  #calls: PastCall[] = [];
  #savedAt: number;
  #notBefore = 0;
  #saving: number | null = null;
  /** So many of the calls are in the state that is on its way. */
  #covered = 0;
  /** The state cannot be saved: the script holds what cannot be kept. */
  #hopeless = false;

  constructor(checkpoint: SavedScript | null) {
    this.#history = { state: checkpoint, calls: [], rows: 0, nanoseconds: 0 };
    this.#checkpoint = checkpoint;
    this.#savedAt = performance.now();
  }

  /** The state to begin with. */
  get checkpoint(): SavedScript | null {
    return this.#history === null ? this.#checkpoint : this.#history.state;
  }

  /** The calls to repeat from there on, in order. */
  get calls(): readonly PastCall[] {
    return this.#history?.calls ?? this.#calls;
  }

  /**
   * Notes a call that was answered. Returns whether a state should be saved now; the caller must then say how that went.
   * @param globals how many global variables the script has
   * @param averageNs how long it takes for a message
   */
  add(call: PastCall, globals: number, averageNs: number): boolean {
    this.#remember(call, averageNs);
    if (this.#hopeless || (globals === 0 && this.#checkpoint === null)) return false;
    this.#calls.push(call);
    if (this.#saving !== null) return false;
    const now = performance.now();
    const count = this.#calls.length;
    const due = count >= MOST_CALLS || (now >= this.#notBefore && (count >= CALLS || now - this.#savedAt >= INTERVAL_MS));
    if (!due) return false;
    this.#saving = now;
    this.#covered = count;
    return true;
  }

  #remember(call: PastCall, averageNs: number): void {
    const history = this.#history;
    if (history === null) return;
    history.calls.push(call);
    if (call.kind === 'process') {
      history.rows += call.batch.length;
      history.nanoseconds += (call.selection?.length ?? call.batch.length) * averageNs;
    }
    if (history.calls.length > HISTORY_CALLS || history.rows > HISTORY_ROWS || history.nanoseconds > HISTORY_NS) this.#history = null;
  }

  /** The state was saved that was due; null: it cannot be. Calls may have been answered meanwhile. */
  saved(checkpoint: SavedScript | null): void {
    const now = performance.now();
    const took = this.#saving === null ? 0 : now - this.#saving;
    this.#saving = null;
    this.#savedAt = now;
    this.#notBefore = now + took / SHARE;
    this.#calls = this.#calls.slice(this.#covered);
    this.#covered = 0;
    if (checkpoint === null) this.#hopeless = true;
    else this.#checkpoint = checkpoint;
    // An input has no calls that could be repeated.
    if (checkpoint !== null && this.#history?.calls.length === 0) this.#history = null;
  }

  /** The host is gone. A state that was on its way comes from the next one, which has repeated all calls so far. */
  interrupted(): void {
    if (this.#saving !== null) this.#covered = this.#calls.length;
  }
}
