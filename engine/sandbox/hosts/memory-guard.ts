import { platform } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Cell, cellOf, CELLS, Part, PLACES } from './guard-cells.ts';
import { PrivateMemory } from './private-memory.ts';

const ENTRY = new URL('./guard-thread.ts', import.meta.url);

/** The folder in which Node keeps compiled code, and whether it does. */
const CACHE_SETTINGS: ReadonlySet<string> = new Set(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE']);

const cells = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT));
let thread: Worker | null = null;

/** Starts the thread with the first process. It must not wait for the engine's own thread, so it is one of its own; it keeps no process alive. */
function startThread(): void {
  if (thread !== null) return;
  // With the cache its code need not be stripped of types again, which would load a compiler into this process.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => CACHE_SETTINGS.has(name)));
  thread = new Worker(ENTRY, { workerData: cells, name: 'memory guard', env });
  thread.unref();
  thread.on('error', () => undefined);
  thread.on('exit', () => (thread = null));
}

function freePlace(): number | null {
  for (let place = 0; place < PLACES; place++) {
    if (Atomics.compareExchange(cells, cellOf(place, Part.PID), 0, -1) === 0) return place;
  }
  return null;
}

/** Guards the memory of a process: while it is busy, it is killed soon after it has taken more than its bound. */
export class MemoryGuard {
  readonly #place: number;

  private constructor(place: number) {
    this.#place = place;
  }

  /** Null on systems other than Linux. */
  static of(pid: number): MemoryGuard | null {
    const place = platform() === 'linux' ? freePlace() : null;
    if (place === null) return null;
    for (const part of [Part.BUSY, Part.BOUND, Part.HEAVY]) Atomics.store(cells, cellOf(place, part), 0);
    Atomics.store(cells, cellOf(place, Part.PID), pid);
    if (place >= Atomics.load(cells, Cell.USED)) Atomics.store(cells, Cell.USED, place + 1);
    startThread();
    return new MemoryGuard(place);
  }

  /** @param bytes of memory of its own */
  bound(bytes: number): void {
    this.#store(Part.BOUND, Math.min(Math.ceil(bytes / 1024), 2 ** 31 - 1));
  }

  /** It is about to do something, or has done it. */
  busy(is: boolean): void {
    const was = Atomics.exchange(cells, cellOf(this.#place, Part.BUSY), is ? 1 : 0);
    if (!is || was === 1) return;
    // A system call for every call of a script would cost more than many of them do.
    if (Atomics.exchange(cells, Cell.ASLEEP, 0) === 0) return;
    Atomics.add(cells, Cell.WAKE, 1);
    Atomics.notify(cells, Cell.WAKE);
  }

  /** Whether it was killed. */
  get heavy(): boolean {
    return Atomics.load(cells, cellOf(this.#place, Part.HEAVY)) === 1;
  }

  /** The process has ended. */
  release(): void {
    this.#store(Part.PID, 0);
  }

  #store(part: number, value: number): void {
    Atomics.store(cells, cellOf(this.#place, part), value);
  }
}

/** Bytes of memory of its own that a process has; null when that cannot be known. */
export function ownMemoryOf(pid: number): number | null {
  try {
    const memory = new PrivateMemory(pid);
    try {
      return memory.read();
    } finally {
      memory.close();
    }
  } catch {
    return null;
  }
}
