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

/**
 * How a script's state can be had again when its host dies: the last state that was saved, and the calls that were answered since. Only for scripts
 * with global variables; others have no state that outlives them.
 */
export class Journal {
  #checkpoint: SavedScript | null = null;
  #calls: PastCall[] = [];
  #savedAt: number;
  #notBefore = 0;
  #saving: number | null = null;
  /** The state cannot be saved: the script holds what cannot be kept. */
  #hopeless = false;

  constructor(checkpoint: SavedScript | null) {
    this.#checkpoint = checkpoint;
    this.#savedAt = performance.now();
  }

  get checkpoint(): SavedScript | null {
    return this.#checkpoint;
  }

  /** The calls since the checkpoint, in order. */
  get calls(): readonly PastCall[] {
    return this.#calls;
  }

  /**
   * Notes a call that was answered. Returns whether a state should be saved now; the caller must then say how that went.
   * @param globals how many global variables the script has
   */
  add(call: PastCall, globals: number): boolean {
    if (this.#hopeless || (globals === 0 && this.#checkpoint === null)) return false;
    this.#calls.push(call);
    if (this.#saving !== null) return false;
    const now = performance.now();
    const count = this.#calls.length;
    const due = count >= MOST_CALLS || (now >= this.#notBefore && (count >= CALLS || now - this.#savedAt >= INTERVAL_MS));
    if (due) this.#saving = now;
    return due;
  }

  /** The state after all calls so far was saved; null: it cannot be. */
  saved(checkpoint: SavedScript | null): void {
    const now = performance.now();
    const took = this.#saving === null ? 0 : now - this.#saving;
    this.#saving = null;
    this.#savedAt = now;
    this.#notBefore = now + took / SHARE;
    this.#calls = [];
    if (checkpoint === null) this.#hopeless = true;
    else this.#checkpoint = checkpoint;
  }

  /** What was being saved is lost with the host. */
  interrupted(): void {
    this.#saving = null;
  }
}
