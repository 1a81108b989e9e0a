import { Worker } from 'node:worker_threads';
import { EngineError } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { byteLengthOf, encodeBatch } from '../message/batch/wire.ts';
import type { NamedColumn } from '../parquet/column-names.ts';
import type { ManifestFile } from './manifest.ts';
import type { FromWriter, ToWriter } from './protocol.ts';

const ENTRY = new URL('./writer-thread.ts', import.meta.url);
/** Batches that wait for the thread. */
const MOST_WAITING = 8;

interface Waiting {
  readonly resolve: (answer: FromWriter) => void;
  readonly reject: (error: Error) => void;
}

/** Writes messages as Parquet files into a folder, in a thread of its own. */
export class StoreWriter {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #room: Promise<unknown>[] = [];
  #failure: Error | null = null;

  constructor(folder: string) {
    this.#worker = new Worker(ENTRY, { workerData: folder, name: 'store', env: {} });
    this.#worker.on('message', (answer: FromWriter) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#fail(new Error('the thread that writes the store has ended')));
  }

  /** Begins the files of a source. @param names those that the columns of its table have */
  async begin(names: readonly NamedColumn[]): Promise<void> {
    await this.#ask({ kind: 'begin', names });
  }

  /** Adds messages; resolves when there is room for more. @param raw the records that they were made of, as Payloads @throws {EngineError} `store.unwritable`, also for earlier ones */
  async add(batch: MessageBatch, raw: MessageBatch | null = null): Promise<void> {
    const bytes = bytesOf(batch);
    const records = raw === null ? null : bytesOf(raw);
    const added = this.#ask({ kind: 'add', batch: bytes, raw: records }, [bytes.buffer, ...(records === null ? [] : [records.buffer])]);
    // It is awaited in its turn.
    added.catch(() => undefined);
    this.#room.push(added);
    if (this.#room.length >= MOST_WAITING) await this.#room.shift();
  }

  /** Writes what was added. @returns the files since the last seal, which are on the disk */
  async seal(): Promise<readonly ManifestFile[]> {
    await this.#added();
    const answer = await this.#ask({ kind: 'seal' });
    return answer.kind === 'sealed' ? answer.files : [];
  }

  /** Makes one file of several, which stay. @returns the new one, which is on the disk @throws {EngineError} `store.unwritable` */
  async merge(files: readonly string[]): Promise<readonly ManifestFile[]> {
    const answer = await this.#ask({ kind: 'merge', files });
    return answer.kind === 'sealed' ? answer.files : [];
  }

  /** Forgets what was added since the last seal, and removes its files. */
  async drop(): Promise<void> {
    this.#room = [];
    await this.#ask({ kind: 'drop' });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #added(): Promise<void> {
    const room = this.#room;
    this.#room = [];
    await Promise.all(room);
  }

  async #ask(message: ToWriter, transfer: ArrayBuffer[] = []): Promise<FromWriter> {
    if (this.#failure !== null) throw this.#failure;
    const answer = await new Promise<FromWriter>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message, transfer);
    });
    if (answer.kind === 'failed') throw new EngineError('store.unwritable', answer.text);
    return answer;
  }

  #fail(error: Error): void {
    this.#failure ??= new EngineError('store.unwritable', `the store cannot be written: ${error.message}`, { cause: error });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

/** The bytes of a batch. A store has no Uuids, so none are made. */
function bytesOf(batch: MessageBatch): Uint8Array<ArrayBuffer> {
  const pieces = encodeBatch(batch, { uuids: false });
  const bytes = new Uint8Array(byteLengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
