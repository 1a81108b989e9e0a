import { availableParallelism } from 'node:os';
import { expectDetached } from '../../base/process/detached-buffers.ts';
import { ScriptThread } from './script-thread.ts';

/** More threads than these gain nothing: the engine's own thread reads and stores for all of them. */
const MOST_THREADS = 3;

/** Threads that scripts are spread over: one for each core but that of the engine's own thread. They are started when scripts need them. */
export class ThreadPool {
  /** Maximum number of threads; 0: the machine has one core, and a thread gains nothing. */
  readonly size: number;
  readonly #threads: ScriptThread[] = [];

  constructor(size = Math.min(MOST_THREADS, availableParallelism() - 1)) {
    this.size = size;
    if (size > 0) expectDetached();
  }

  /** The thread with the fewest scripts; a further one when all have some. */
  pick(): ScriptThread {
    for (const lost of this.#threads.filter(({ isLost }) => isLost)) this.#threads.splice(this.#threads.indexOf(lost), 1);
    const [first, ...others] = this.#threads;
    if (first === undefined) return this.#start();
    const least = others.reduce((best, thread) => (thread.scripts < best.scripts ? thread : best), first);
    return least.scripts > 0 && this.#threads.length < this.size ? this.#start() : least;
  }

  close(): void {
    for (const thread of this.#threads.splice(0)) thread.end();
  }

  #start(): ScriptThread {
    const thread = new ScriptThread();
    this.#threads.push(thread);
    return thread;
  }
}
