import { readFile } from 'node:fs/promises';

/** A process as Electron tells of it. */
export interface MeasuredProcess {
  readonly pid: number;
  /** `workingSetSize` in KiB, with the pages that it shares with others. */
  readonly memory: { readonly workingSetSize: number };
}

/** Least milliseconds between two measurements. */
const INTERVAL_MS = 1000;

/** The resident memory of the processes of the window: the shell, the page, and those that draw it. */
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
    this.#bytes = process.platform === 'linux' ? await residentBytes(processes.map(({ pid }) => pid)) : working;
  }
}

/** Resident bytes of processes of one program (Linux: `status` of proc(5)); what they map of files is shared, and counted once. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
  const bytes = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  const own = texts.reduce((sum, text) => sum + bytes(text, 'RssAnon') + bytes(text, 'RssShmem'), 0);
  return own + Math.max(0, ...texts.map((text) => bytes(text, 'RssFile')));
}
