import { Worker } from 'node:worker_threads';
import { after, type LongTimer } from '../base/time/long-timer.ts';
import type { LakePlace } from './place.ts';
import type { Retention } from './maintain.ts';

const ENTRY = new URL('./upkeep-thread.ts', import.meta.url);

export interface UpkeepOptions {
  readonly retention: Retention;
  readonly compacts: boolean;
  readonly graceMs: number;
  readonly everyMs: number;
}

/** Work of the thread. */
export interface UpkeepWork extends UpkeepOptions {
  readonly place: LakePlace;
}

/** Looks after a lake in a thread, again and again. It may be ended at any moment. */
export class Upkeep {
  readonly #timer: LongTimer;
  #worker: Worker | null = null;
  #told = '';

  /** @param onProblem told each problem once, until there is another one or none */
  constructor(work: UpkeepWork, onProblem: (text: string) => void) {
    this.#timer = after(work.everyMs, () => this.#start(work, onProblem), { ref: false });
  }

  #start(work: UpkeepWork, onProblem: (text: string) => void): void {
    const tell = (text: string): void => {
      if (text !== '' && text !== this.#told) onProblem(`the lake ${work.place.path} is not looked after: ${text}`);
      this.#told = text;
    };
    this.#worker = new Worker(ENTRY, { workerData: work, name: 'lake', env: {} });
    this.#worker.unref();
    this.#worker.on('message', tell);
    this.#worker.on('error', (error) => tell(String(error)));
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#worker?.terminate();
  }
}
