import type { MessageBatch } from '../../message/batch/batch.ts';
import { holdTexts, releaseTexts } from '../../message/batch/held-texts.ts';
import type { ClockKind } from '../../message/types.ts';
import type { SavedScript } from './preservation.ts';

/** An answered call that may have changed the script's state. */
export type PastCall =
  | {
      readonly kind: 'process';
      readonly id: number;
      readonly batch: MessageBatch;
      readonly selection: Uint32Array | null;
      /** Absent: the clock of the sandbox's specification. */
      readonly clock?: ClockKind | undefined;
    }
  | { readonly kind: 'timer'; readonly id: number; readonly ns: bigint };

/** Time in milliseconds after which a checkpoint is due. */
const INTERVAL_MS = 1_000;
/** Number of calls, and of messages, after which a checkpoint is due: their batches are kept until then. */
interface Due {
  readonly calls: number;
  readonly rows: number;
}

const DUE: Due = { calls: 64, rows: 1 << 16 };
/** Largest share of the time that saving may take. */
const SHARE = 1 / 20;
/** Number of calls, and of messages, after which a checkpoint is saved whatever share of the time that takes. */
const MAX_CALLS = 512;
const MAX_ROWS = 1 << 18;

/** Limits of the history of all calls since the start: calls, messages and processor time in microseconds: other work of the machine makes it no longer. */
export interface HistoryLimits {
  readonly calls: number;
  readonly rows: number;
  readonly cpu: number;
}

const HISTORY: HistoryLimits = { calls: 256, rows: 8_192, cpu: 1e6 };

/** Messages that are held for a call beside those of the calls before it: ticks cut a batch into several calls. */
function rowsHeld(call: PastCall, before: readonly PastCall[]): number {
  if (call.kind !== 'process') return 0;
  const last = before.findLast(({ kind }) => kind === 'process') as typeof call | undefined;
  return last?.batch === call.batch ? 0 : call.batch.length;
}

/** Calls are kept for longer than their batches are under way. */
function held(call: PastCall): PastCall {
  if (call.kind === 'process') holdTexts(call.batch);
  return call;
}

function release(calls: readonly PastCall[]): void {
  for (const call of calls) if (call.kind === 'process') releaseTexts(call.batch);
}

/**
 * Records how to rebuild a script's state when its host dies. While there are few calls, all of them are repeated from the start, which restores
 * everything that the script holds. Later the last saved state is loaded and the calls since are repeated, which restores its variables.
 */
export class Journal {
  /** The state that the script began with and all calls since; null: there were too many. */
  #history: { readonly state: SavedScript | null; readonly calls: PastCall[]; rows: number; cpu: number } | null;
  #checkpoint: SavedScript | null = null;
  #calls: PastCall[] = [];
  /** Number of their messages. */
  #rows = 0;
  #savedAt: number;
  #notBefore = 0;
  #saving = false;
  /** Whether the state cannot be saved, because the script holds values that have no saved form. */
  #unsavable = false;

  readonly #due: Due;
  readonly #limits: HistoryLimits;

  constructor(
    checkpoint: SavedScript | null,
    { due = DUE, history = HISTORY }: { readonly due?: Due; readonly history?: HistoryLimits } = {},
  ) {
    this.#due = due;
    this.#limits = history;
    this.#history = { state: checkpoint, calls: [], rows: 0, cpu: 0 };
    this.#checkpoint = checkpoint;
    this.#savedAt = performance.now();
  }

  /** The state to restore first. */
  get checkpoint(): SavedScript | null {
    return this.#history === null ? this.#checkpoint : this.#history.state;
  }

  /** Whether `calls` are all since the start, so that repeating them restores everything. */
  get isWhole(): boolean {
    return this.#history !== null;
  }

  /** The calls to repeat after that, in order. */
  get calls(): readonly PastCall[] {
    return this.#history?.calls ?? this.#calls;
  }

  /**
   * Adds an answered call. Returns whether a state should be saved now; the caller must then report the result with `saved`.
   * @param globals number of global variables of the script
   * @param cpu microseconds of processor time that it has taken
   */
  add(call: PastCall, globals: number, cpu: number): boolean {
    this.#remember(call, cpu);
    if (this.#unsavable || (globals === 0 && this.#checkpoint === null)) return false;
    this.#rows += rowsHeld(call, this.#calls);
    this.#calls.push(held(call));
    return this.#saveIf((now) => this.#isTooMuch || (now >= this.#notBefore && (this.#isMuch || now - this.#savedAt >= INTERVAL_MS)));
  }

  get #isTooMuch(): boolean {
    return this.#calls.length >= MAX_CALLS || this.#rows >= MAX_ROWS;
  }

  get #isMuch(): boolean {
    return this.#calls.length >= this.#due.calls || this.#rows >= this.#due.rows;
  }

  /** Whether there are calls that a state could stand for. */
  get hasCalls(): boolean {
    return this.#calls.length > 0 && !this.#unsavable;
  }

  /** No call has come for a while. Returns whether a state should be saved now, as `add` does: else the batches of the last calls are kept for as long as none comes. */
  rest(): boolean {
    return this.hasCalls && this.#saveIf((now) => now >= this.#notBefore);
  }

  #saveIf(isDue: (now: number) => boolean): boolean {
    const now = performance.now();
    if (this.#saving || !isDue(now)) return false;
    return (this.#saving = true);
  }

  #remember(call: PastCall, cpu: number): void {
    const history = this.#history;
    const { calls, rows, cpu: mostCpu } = this.#limits;
    if (history === null) return;
    history.rows += rowsHeld(call, history.calls);
    history.calls.push(held(call));
    history.cpu += cpu;
    if (history.calls.length > calls || history.rows > rows || history.cpu > mostCpu) this.#forgetHistory();
  }

  /**
   * Takes the state that `add` or `rest` asked for, which holds all calls that were answered before it came; null: it cannot be saved.
   * @param cpu microseconds of processor time that saving took; the state may have waited for long behind other calls
   */
  saved(checkpoint: SavedScript | null, cpu = 0): void {
    const now = performance.now();
    this.#saving = false;
    this.#savedAt = now;
    this.#notBefore = now + cpu / 1000 / SHARE;
    release(this.#calls);
    this.#calls = [];
    this.#rows = 0;
    if (checkpoint === null) this.#unsavable = true;
    else this.#checkpoint = checkpoint;
    // An input has no calls to repeat.
    if (checkpoint !== null && this.#history?.calls.length === 0) this.#forgetHistory();
  }

  #forgetHistory(): void {
    release(this.#history?.calls ?? []);
    this.#history = null;
  }
}
