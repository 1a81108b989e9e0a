import { cpus } from 'node:os';

/** Processor time of all cores since the machine started, in milliseconds. */
interface CoreTimes {
  readonly cores: number;
  readonly idle: number;
  readonly all: number;
}

/**
 * Milliseconds over which the cores are watched: in fewer, a decoder has not lost what the start of another one costs, and a core may only have been idle while
 * this one started; what was longer ago does not count. It is asked at each batch, for which a slow decoder may take a second and more.
 */
const SHORTEST_MS = 500;
const LONGEST_MS = 3000;
/** Part of a core that has to be idle: less is lost to waiting for one another. */
const IDLE_SHARE = 0.5;

/** Tells whether the machine has a core with nothing to do, by what they did since it was asked before. */
export class IdleCores {
  readonly #look: () => CoreTimes;
  readonly #now: () => number;
  #before: { readonly at: number; readonly times: CoreTimes } | null = null;

  /** @param now milliseconds on a clock that nobody sets */
  constructor(look: () => CoreTimes = coreTimes, now: () => number = () => performance.now()) {
    this.#look = look;
    this.#now = now;
  }

  /** To be called again and again while one is wanted: the first call only begins to watch. */
  hasOne(): boolean {
    const at = this.#now();
    const before = this.#before;
    if (before !== null && at - before.at < SHORTEST_MS) return false;
    const times = this.#look();
    this.#before = { at, times };
    if (before === null || at - before.at > LONGEST_MS) return false;
    return ((times.idle - before.times.idle) / (times.all - before.times.all)) * times.cores >= IDLE_SHARE;
  }
}

function coreTimes(): CoreTimes {
  const cores = cpus();
  let idle = 0;
  let all = 0;
  for (const { times } of cores) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { cores: cores.length, idle, all };
}
