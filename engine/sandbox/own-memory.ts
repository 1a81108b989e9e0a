import { closeSync, openSync, readSync } from 'node:fs';

const PAGE_BYTES = 4096;
const buffer = Buffer.alloc(128);

/** Reads the memory that a process has for itself, by proc(5). Files that it has mapped, and memory that it shares, do not count. */
export class OwnMemory {
  readonly #descriptor: number;

  /** @throws on systems other than Linux, and when there is no such process */
  constructor(pid: number) {
    this.#descriptor = openSync(`/proc/${pid}/statm`, 'r');
  }

  /** Number of bytes. @throws when the process has ended */
  read(): number {
    const length = readSync(this.#descriptor, buffer, 0, buffer.length, 0);
    const [, resident = 0, shared = 0] = buffer.toString('latin1', 0, length).split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
