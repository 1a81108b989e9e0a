import { Worker } from 'node:worker_threads';
import type { Rows } from '../query.ts';
import type { KeyedPart, SortColumn, SortResult } from './sort-keys.ts';
import type { FromSorter, ToSorter } from './sort-protocol.ts';

const ENTRY = new URL('./sort-thread.ts', import.meta.url);
/** Segments that may be on their way to the thread. */
const MOST_WAITING = 4;

/** Sorts the rows of one view in a thread of its own, which ends with it. */
export class Sorter {
  readonly #worker = new Worker(ENTRY, { name: 'sort', env: {} });
  readonly #sorted = Promise.withResolvers<SortResult>();
  #waiting = 0;
  #room = Promise.withResolvers<void>();

  constructor(column: SortColumn, most: number) {
    this.#worker.unref();
    this.#worker.on('message', (reply: FromSorter) => this.#take(reply));
    this.#worker.on('error', (error) => this.#fail(new Error(`the thread that sorts has ended: ${String(error)}`, { cause: error })));
    this.#worker.on('exit', () => this.#fail(new Error('the thread that sorts has ended')));
    this.#sorted.promise.catch(() => undefined);
    this.#send({ kind: 'begin', column, most }, []);
  }

  /** Adds rows of the next segment. The memory of its records goes to the thread. Resolves when there is room for more. @throws {Error} */
  async add(bytes: Uint8Array<ArrayBuffer>, rows: Rows, parts: readonly KeyedPart[]): Promise<void> {
    this.#waiting++;
    this.#send({ kind: 'add', bytes, rows, parts }, [bytes.buffer]);
    while (this.#waiting >= MOST_WAITING) await Promise.race([this.#room.promise, this.#sorted.promise]);
  }

  /** @throws {Error} */
  sort(): Promise<SortResult> {
    this.#send({ kind: 'sort' }, []);
    return this.#sorted.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(message: ToSorter, memory: ArrayBuffer[]): void {
    this.#worker.postMessage(message, memory);
  }

  #take(reply: FromSorter): void {
    if (reply.kind === 'failed') this.#fail(new Error(reply.text));
    else if (reply.kind === 'sorted') this.#sorted.resolve(reply.result);
    else {
      this.#waiting--;
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
  }

  #fail(error: Error): void {
    this.#sorted.reject(error);
  }
}
