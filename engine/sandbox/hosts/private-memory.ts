import { closeSync, openSync, readSync } from 'node:fs';

const PAGE_BYTES = 4096;
const buffer = Buffer.alloc(128);
/** The first fields of `statm`, in pages. */
const pages = new Float64Array(3);
const RESIDENT = 1;
const SHARED = 2;

/** Reads the memory that a process has for itself, by proc(5). Files that it has mapped, and memory that it shares, do not count. */
export class PrivateMemory {
  readonly #descriptor: number;

  /** @throws on systems other than Linux, and when there is no such process */
  constructor(pid: number) {
    this.#descriptor = openSync(`/proc/${pid}/statm`, 'r');
  }

  /** Number of bytes. @throws when the process has ended */
  read(): number {
    const length = readSync(this.#descriptor, buffer, 0, buffer.length, 0);
    pages.fill(0);
    // The guard reads this hundreds of times a second, so no texts are made of it.
    for (let i = 0, field = 0; i < length && field < pages.length; i++) {
      const digit = (buffer[i] as number) - 48;
      if (digit < 0) field++;
      else pages[field] = (pages[field] as number) * 10 + digit;
    }
    return ((pages[RESIDENT] as number) - (pages[SHARED] as number)) * PAGE_BYTES;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
