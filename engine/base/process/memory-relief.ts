import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks. */
const LOOK_MS = 500;
/** Looks without work before memory is given back. */
const QUIET_LOOKS = 2;
/** Microseconds of processor time between two looks that count as no work. */
const QUIET_CPU_US = 75_000;
/** Looks between two collections. */
const REST_LOOKS = 10;

export interface ProcessFigures {
  /** Bytes beyond what was held after the last time that are worth a collection. */
  readonly growth: number;
  /** Microseconds of processor time since the start. */
  cpu(): number;
  /** Bytes that are held, garbage included. */
  held(): number;
  /** Collects all garbage and gives what is free back to the system, at once or soon. */
  collect(): void;
}

/**
 * Gives memory back to the system when a process rests after work. V8 collects garbage when more is made: what a large file has left, some hundred
 * megabytes, would stay for as long as nothing else is read.
 */
export class MemoryRelief {
  readonly #process: ProcessFigures;
  #cpu: number;
  #quiet = 0;
  /** Looks since the last time. */
  #since = Infinity;
  /** The fewest bytes that were held since the last time. */
  #after = 0;

  constructor(process: ProcessFigures) {
    this.#process = process;
    this.#cpu = process.cpu();
  }

  /** To be called every half a second or so. */
  look(): void {
    const cpu = this.#process.cpu();
    const worked = cpu - this.#cpu;
    this.#cpu = cpu;
    this.#since++;
    this.#quiet = worked > QUIET_CPU_US ? 0 : this.#quiet + 1;
    if (this.#quiet < QUIET_LOOKS || this.#since < REST_LOOKS) return;
    const held = this.#process.held();
    if (held < this.#after + this.#process.growth) {
      // Memory that is freed with a delay shows only now.
      this.#after = Math.min(this.#after, held);
      return;
    }
    this.#process.collect();
    this.#after = this.#process.held();
    this.#cpu = this.#process.cpu();
    this.#since = 0;
  }
}

/** Looks after processes for as long as this one runs. */
export function relieve(...processes: readonly ProcessFigures[]): void {
  const reliefs = processes.map((process) => new MemoryRelief(process));
  setInterval(() => {
    for (const relief of reliefs) relief.look();
  }, LOOK_MS).unref();
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

/** This process, whose collection takes about 0.1 s. */
export const ownProcess = (growth: number): ProcessFigures => ({
  growth,
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  held: () => {
    const { heapTotal, external } = process.memoryUsage();
    return heapTotal + external;
  },
  collect: () => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
});
