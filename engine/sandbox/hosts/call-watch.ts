import { readFileSync } from 'node:fs';
import { isCpuStarved, MOST_PATIENCE, SHARE } from '../contract/cpu-starvation.ts';

/** A call that goes on for longer has the processor time of its process or thread read. */
const LOOK_MS = 100;
/** Milliseconds between two looks at a call that is late and had no processor, at least. */
const PAUSE_MS = 250;

/** Milliseconds for which all threads of a process had a processor, by proc(5); null on systems other than Linux and when the process is gone. */
export const processorMs = (pid: number): number | null => (process.platform === 'linux' ? timesIn(`/proc/${pid}/stat`) : null);

/** Milliseconds for which the process or thread of a `stat` file of proc(5) had a processor; null when it is gone. */
export function timesIn(stat: string): number | null {
  try {
    const [user, system] = (readFileSync(stat, 'utf8').split(') ')[1] ?? '').split(' ').slice(11, 13).map(Number);
    // The unit is a hundredth of a second on all machines.
    return ((user ?? 0) + (system ?? 0)) * 10;
  } catch {
    return null;
  }
}

export interface CallWatchOptions {
  /** Reads for how many milliseconds whoever serves the call had a processor; null: that is not known. */
  readonly usedMs: () => number | null;
  /** Milliseconds of processor time that the call may take. */
  readonly allowedMs: number;
  /** Milliseconds that it may take longer on the clock. */
  readonly graceMs: number;
  readonly onDue: () => void;
}

/**
 * Watches a call in another process or thread, and calls `onDue` once when it has taken too long. A machine that is busy, or was asleep, may keep the process from
 * its work: then the call has more time on the clock, up to a limit.
 */
export class CallWatch {
  readonly #options: CallWatchOptions;
  readonly #startedAt = performance.now();
  #before: number | null = null;
  #timer: NodeJS.Timeout;

  constructor(options: CallWatchOptions) {
    this.#options = options;
    const { allowedMs, graceMs, usedMs } = options;
    const first = Math.min(LOOK_MS, allowedMs + graceMs);
    this.#timer = setTimeout(() => {
      this.#before = usedMs();
      this.#timer = setTimeout(() => this.#look(), allowedMs + graceMs - first);
    }, first);
  }

  /** Whether the call has taken so many times the time that it may take, on the clock. */
  isLate(times: number): boolean {
    return performance.now() - this.#startedAt >= this.#options.allowedMs * times;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const { allowedMs, graceMs, usedMs, onDue } = this.#options;
    const now = usedMs();
    const used = this.#before === null || now === null ? Infinity : now - this.#before;
    const left = allowedMs * MOST_PATIENCE + graceMs - (performance.now() - this.#startedAt);
    if (left <= 0 || !isCpuStarved(used, allowedMs)) onDue();
    else this.#timer = setTimeout(() => this.#look(), Math.min(left, Math.max(PAUSE_MS, SHARE * allowedMs - used)));
  }
}
