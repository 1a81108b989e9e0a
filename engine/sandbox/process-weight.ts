import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';

const PAGE_BYTES = 4096;

/** Resident memory of a process in bytes, by proc(5); null on systems other than Linux and when the process is gone. */
async function residentBytes(pid: number): Promise<number | null> {
  if (platform() !== 'linux') return null;
  try {
    const [, resident = ''] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
    return Number(resident) * PAGE_BYTES;
  } catch {
    return null;
  }
}

/** Checks a process's resident memory at an interval, and calls `onTooHeavy` once when it exceeds the limit. */
export class WeightWatch {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;

  constructor(pid: number, options: { readonly maxBytes: number; readonly everyMs: number; readonly onTooHeavy: () => void }) {
    const check = async (): Promise<void> => {
      const bytes = await residentBytes(pid);
      if (this.#stopped || bytes === null || bytes <= options.maxBytes) return;
      this.stop();
      options.onTooHeavy();
    };
    this.#timer = setInterval(() => void check(), options.everyMs);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
