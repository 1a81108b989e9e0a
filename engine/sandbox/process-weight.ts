import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';

const PAGE_BYTES = 4096;

/** Resident bytes of a process; null where the system does not say (only Linux does, by proc(5)). */
async function residentBytes(pid: number): Promise<number | null> {
  if (platform() !== 'linux') return null;
  try {
    const [, resident = ''] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
    return Number(resident) * PAGE_BYTES;
  } catch {
    return null;
  }
}

/** Looks at a process from time to time, and says once when it has become too heavy. */
export class WeightWatch {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;

  constructor(pid: number, options: { readonly maxBytes: number; readonly everyMs: number; readonly onTooHeavy: () => void }) {
    const look = async (): Promise<void> => {
      const bytes = await residentBytes(pid);
      if (this.#stopped || bytes === null || bytes <= options.maxBytes) return;
      this.stop();
      options.onTooHeavy();
    };
    this.#timer = setInterval(() => void look(), options.everyMs);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
