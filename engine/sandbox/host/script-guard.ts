import type { End } from '../../api/ends.ts';
import { SAVE_MS } from '../contract/protocol.ts';
import { isCpuStarved, MOST_PATIENCE } from '../contract/cpu-starvation.ts';
import { isTimeout, TOP_LEVEL, type EndReasons } from './end-reasons.ts';
import type { TimeLimits } from './isolate-limits.ts';
import type { IsolatedVM } from './isolate.ts';

/** The part of a sandbox that its guard uses. */
interface Guarded {
  readonly limits: TimeLimits;
  /** Milliseconds of the processor that a call may take; 0: any. */
  readonly callMs: number;
  readonly patience: number;
  readonly isolate: IsolatedVM.Isolate;
  readonly reasons: EndReasons;
  /** The end, when the sandbox was ended from inside the script's code; else null. */
  readonly endedBy: () => End | null;
  /** Gives the host up: the machine has kept it from its work. */
  readonly onStarved: () => void;
}

/** Runs a script's code, and finds the end of the sandbox that follows from what it throws. */
export class ScriptGuard {
  readonly #of: Guarded;
  /** The time at which the script's code last began to run, what for, and the processor time that the host had used by then. */
  #begun = { at: 0, during: TOP_LEVEL, usage: process.cpuUsage() };

  constructor(guarded: Guarded) {
    this.#of = guarded;
  }

  /** Runs code of the script. Returns the end of the sandbox, or null. */
  run(during: string, run: () => End | null): End | null {
    this.begin(during);
    try {
      return run();
    } catch (error) {
      return this.endOf(error);
    }
  }

  /** The script's code is given the word. */
  begin(during = this.#begun.during): void {
    this.#begun = { at: performance.now(), during, usage: process.cpuUsage() };
  }

  /** Returns the end that follows from an error of the isolate. */
  endOf(error: unknown): End {
    return this.#of.endedBy() ?? this.#endOf(error);
  }

  #endOf(error: unknown): End {
    const { limits, patience, isolate, reasons, onStarved } = this.#of;
    const { at, during } = this.#begun;
    const late = performance.now() - at >= Math.min(limits.loadMs ?? Infinity, limits.saveMs);
    if (late && isTimeout(error) && patience < MOST_PATIENCE && this.#isCpuStarved()) onStarved();
    return reasons.ofError(error, during, isolate.isDisposed, late);
  }

  /** Whether the machine has kept the host from its work since the script was given the word. */
  #isCpuStarved(): boolean {
    const { user, system } = process.cpuUsage(this.#begun.usage);
    return isCpuStarved((user + system) / 1000, Math.min(this.#of.callMs || SAVE_MS, SAVE_MS));
  }
}
