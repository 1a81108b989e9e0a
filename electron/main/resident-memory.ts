import { memoryOf, parentOf } from '../../engine/base/process/process-memory.ts';

/** A process as Electron tells of it. */
export interface MeasuredProcess {
  readonly pid: number;
  /** `workingSetSize` in KiB, with the pages that it shares with others. */
  readonly memory: { readonly workingSetSize: number };
}

/** Least milliseconds between two measurements. */
const INTERVAL_MS = 1000;

/** The memory of the processes of the window: the shell, the page, and those that draw it. */
export class ResidentMemory {
  readonly #processes: () => readonly MeasuredProcess[];
  readonly #now: () => number;
  #bytes = 0;
  #at = -Infinity;

  /** @param processes the processes that are running now */
  constructor(processes: () => readonly MeasuredProcess[], now: () => number = () => performance.now()) {
    this.#processes = processes;
    this.#now = now;
  }

  /** Bytes as they were when it was last asked, at most a second or the time between two questions ago. */
  get bytes(): number {
    if (this.#now() - this.#at >= INTERVAL_MS) {
      this.#at = this.#now();
      void this.#measure();
    }
    return this.#bytes;
  }

  async #measure(): Promise<void> {
    const processes = this.#processes();
    const working = processes.reduce((sum, { memory }) => sum + memory.workingSetSize * 1024, 0);
    this.#bytes = process.platform === 'linux' ? await memoryOf(await withParents(processes.map(({ pid }) => pid))) : working;
  }
}

/** Those through which a process starts others (zygotes, Linux), which Electron does not tell of. */
async function withParents(pids: readonly number[]): Promise<number[]> {
  const all = new Set([process.pid, ...pids]);
  for (const pid of all) {
    const parent = pid === process.pid ? null : await parentOf(pid);
    if (parent !== null && parent > 1) all.add(parent);
  }
  return [...all];
}
