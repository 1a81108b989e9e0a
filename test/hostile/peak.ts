import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Reads the resident pages of all child processes of this one, every millisecond, and keeps the most of each. */
const THREAD = `
const { readFileSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { cells, pid } = workerData;
const sleep = new Int32Array(new SharedArrayBuffer(4));
const numbers = (path) => { try { return readFileSync(path, 'latin1').split(' ').map(Number); } catch { return []; } };
while (Atomics.load(cells, 0) === 0) {
  for (const child of numbers('/proc/' + pid + '/task/' + pid + '/children')) {
    if (child === 0) continue;
    const pages = numbers('/proc/' + child + '/statm')[1] ?? 0;
    const at = 1 + (child % (cells.length - 1));
    if (pages > Atomics.load(cells, at)) Atomics.store(cells, at, pages);
  }
  Atomics.wait(sleep, 0, 0, 1);
}`;

const PAGE = 4096;

/** Watches how much memory the processes that this one has started take, all of them, by proc(5). */
export class PeakWatch {
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * 4096));
  readonly #worker = new Worker(THREAD, { eval: true, workerData: { cells: this.#cells, pid: process.pid } });

  /** Begins anew. */
  reset(): void {
    for (let i = 1; i < this.#cells.length; i++) Atomics.store(this.#cells, i, 0);
  }

  /** The most bytes that any of them took since `reset`. */
  get bytes(): number {
    return Math.max(...this.#cells.subarray(1)) * PAGE;
  }

  async close(): Promise<void> {
    Atomics.store(this.#cells, 0, 1);
    await this.#worker.terminate();
  }
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;
}
