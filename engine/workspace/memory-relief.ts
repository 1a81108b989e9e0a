import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Looks without work before memory is given back. */
const QUIET_LOOKS = 3;
/** Microseconds of processor time between two looks that count as no work. */
const QUIET_CPU_US = 150_000;
/** Bytes beyond what was held after the last time that are worth a collection, which takes about 0.1 s. */
const GROWTH = 24 << 20;

export interface ProcessFigures {
  /** Microseconds of processor time since the start. */
  cpu(): number;
  /** Bytes of the heap and of the buffers outside of it, garbage included. */
  held(): number;
  /** Collects all garbage and gives what is free back to the system. */
  collect(): void;
}

/**
 * Gives memory back to the system when the engine rests after work. V8 collects garbage when more is made: what a large file has left, some hundred
 * megabytes, would stay for as long as nothing else is read.
 */
export class MemoryRelief {
  readonly #process: ProcessFigures;
  #cpu: number;
  #quiet = 0;
  /** Bytes that were held after the last time. */
  #after = 0;

  constructor(process: ProcessFigures = OWN_PROCESS) {
    this.#process = process;
    this.#cpu = process.cpu();
  }

  /** To be called every second or so. */
  look(): void {
    const cpu = this.#process.cpu();
    const worked = cpu - this.#cpu;
    this.#cpu = cpu;
    this.#quiet = worked > QUIET_CPU_US ? 0 : this.#quiet + 1;
    if (this.#quiet < QUIET_LOOKS || this.#process.held() < this.#after + GROWTH) return;
    this.#process.collect();
    this.#after = this.#process.held();
    this.#cpu = this.#process.cpu();
  }
}

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

let found: Collect | null = null;

/** V8's own function, which it shows only to contexts that are made after the flag was set. */
function collector(): Collect {
  if (found === null) {
    setFlagsFromString('--expose-gc');
    found = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  return found;
}

const OWN_PROCESS: ProcessFigures = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  held: () => {
    const { heapTotal, external } = process.memoryUsage();
    return heapTotal + external;
  },
  collect: () => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
};
