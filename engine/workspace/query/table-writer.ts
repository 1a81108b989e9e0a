import { Worker } from 'node:worker_threads';
import type { FromTables, ToTables, WrittenFile } from './table-protocol.ts';

const ENTRY = new URL('./table-thread.ts', import.meta.url);

type Waiter = PromiseWithResolvers<FromTables>;

/** A thread that writes records as Parquet files. When it fails, it is of no further use. */
export class TableWriter {
  readonly #worker = new Worker(ENTRY, { name: 'tables', env: {} });
  readonly #waiters: Waiter[] = [];
  #failure: Error | null = null;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (reply: FromTables) => this.#waiters.shift()?.resolve(reply));
    this.#worker.on('error', (error) =>
      this.#fail(new Error(`the thread that writes tables has ended: ${String(error)}`, { cause: error })),
    );
    this.#worker.on('exit', () => this.#fail(new Error('the thread that writes tables has ended')));
  }

  /**
   * Adds records to the next file. The memory of both goes to the thread.
   * @returns bytes that were added and are not written, about
   * @throws {Error}
   */
  async add(bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array<ArrayBuffer>): Promise<number> {
    const reply = await this.#ask({ kind: 'add', bytes, rows }, [bytes.buffer, rows.buffer]);
    return reply.kind === 'added' ? reply.heldBytes : 0;
  }

  /** Writes a file of what was added. @throws {Error} */
  async write(table: string, path: string): Promise<WrittenFile> {
    const reply = await this.#ask({ kind: 'write', table, path }, []);
    if (reply.kind !== 'written') throw new Error('the thread that writes tables has answered something else');
    return reply.file;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask(message: ToTables, transfer: ArrayBuffer[]): Promise<FromTables> {
    if (this.#failure !== null) throw this.#failure;
    const waiter: Waiter = Promise.withResolvers();
    this.#waiters.push(waiter);
    this.#worker.postMessage(message, transfer);
    const reply = await waiter.promise;
    if (reply.kind === 'failed') throw new Error(reply.text);
    return reply;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#failure);
  }
}
