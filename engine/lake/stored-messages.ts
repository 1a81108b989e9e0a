import { readRegularFile } from '../base/files/regular-file.ts';
import { EngineError, errorCode, messageOf } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { mergeRows, takeRows } from '../message/batch/gather.ts';
import { ParquetError } from '../parquet/read/byte-reader.ts';
import { TableReader, type TablePart } from '../parquet/read/table-reader.ts';
import { withRaw } from '../store/segment.ts';
import { MOST_FILE_BYTES } from './file-end.ts';
import type { ListedFile } from './manifest.ts';

/** A file of messages. Those of one source are in the order of its text. */
export type StoredPart = Pick<ListedFile, 'name' | 'source' | 'table' | 'rows' | 'bytes' | 'least' | 'most'>;

/** The files of a store or of a lake. */
export interface StoredFiles {
  readonly files: readonly StoredPart[];
  /** The path on this machine of a file. */
  path(name: string): Promise<string>;
}

/** The messages of a store that are wanted. */
export interface Wanted {
  /** Times in [from, to); null: no bound. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** Names in lower case; null: all tables. */
  readonly tables: ReadonlySet<string> | null;
  /** Whether the records that they were made of come along, where the store has them, as `withRaw` adds them; false by default. */
  readonly raw?: boolean;
}

/** Rows of a batch that is merged. */
const MERGED_ROWS = 4096;

/**
 * The messages of a store: those of each log in the order of its text, those of several logs merged by their times.
 * @throws {EngineError} `store.changed`, `store.unreadable`
 */
export async function* storedMessages(store: StoredFiles, wanted: Wanted): AsyncGenerator<MessageBatch> {
  const logs = [...Map.groupBy(filesOf(store, wanted), ({ source }) => source).values()];
  let cursors = logs.map((files) => new LogCursor(store, files, wanted));
  let merge = new Merge();
  for (;;) {
    cursors = cursors.filter(({ isAtEnd }) => !isAtEnd);
    const [first, second] = earliest(cursors);
    if (first === null) break;
    if (first.batch === null) {
      await first.load();
      continue;
    }
    merge.add(first, first.rowsUntil(second));
    // A batch stays where it is until its rows are taken.
    if (merge.rows < MERGED_ROWS && first.hasRows) continue;
    yield merge.batch();
    merge = new Merge();
    for (const cursor of cursors) cursor.leaveBatch();
  }
  if (merge.rows > 0) yield merge.batch();
}

function filesOf(store: StoredFiles, { from, to, tables }: Wanted): StoredPart[] {
  return store.files.filter(
    ({ table, least, most }) =>
      (tables === null || tables.has(table.toLowerCase())) && (from === null || most >= from) && (to === null || least < to),
  );
}

/** The cursor whose next message is the earliest, and the one after it. */
function earliest(cursors: readonly LogCursor[]): [LogCursor | null, LogCursor | null] {
  let first: LogCursor | null = null;
  let second: LogCursor | null = null;
  for (const cursor of cursors) {
    if (first === null || cursor.time < first.time) [first, second] = [cursor, first];
    else if (second === null || cursor.time < second.time) second = cursor;
  }
  return [first, second];
}

/** Reads the messages of one log, file by file. */
class LogCursor {
  /** null: the next one is not read yet. */
  batch: MessageBatch | null = null;
  isAtEnd = false;
  #row = 0;
  readonly #log: number;
  readonly #store: StoredFiles;
  readonly #files: StoredPart[];
  readonly #wanted: Wanted;
  #parts: Iterator<TablePart> | null = null;

  constructor(store: StoredFiles, files: readonly StoredPart[], wanted: Wanted) {
    this.#log = files[0]?.source ?? 0;
    this.#store = store;
    this.#files = [...files];
    this.#wanted = wanted;
  }

  /** The time of the next message, or one before it. */
  get time(): bigint {
    return this.batch?.timestamps[this.#row] ?? this.#files[0]?.least ?? 0n;
  }

  /** Whether rows of the batch are left. */
  get hasRows(): boolean {
    return this.batch !== null && this.#row < this.batch.length;
  }

  /** Reads the next batch. */
  async load(): Promise<void> {
    while (this.batch === null) {
      this.#parts ??= await this.#open();
      if (this.#parts === null) {
        this.isAtEnd = true;
        return;
      }
      const next = this.#read(this.#parts);
      if (next === null) {
        this.#parts = null;
        this.#files.shift();
      } else if (next.length > 0) this.batch = next;
    }
    this.#row = 0;
  }

  /** Takes the next rows, up to the time of another log. @returns the first one and the one behind them */
  rowsUntil(other: LogCursor | null): { readonly from: number; readonly to: number } {
    const { timestamps } = this.batch as MessageBatch;
    const from = this.#row++;
    if (other === null) this.#row = timestamps.length;
    else {
      const bound = other.time;
      // At the same time, the log that was imported first comes first.
      const until = other.#log > this.#log ? bound : bound - 1n;
      while (this.#row < timestamps.length && (timestamps[this.#row] as bigint) <= until) this.#row++;
    }
    return { from, to: this.#row };
  }

  /** Lets a batch go whose rows were all taken. */
  leaveBatch(): void {
    if (!this.hasRows) this.batch = null;
  }

  async #open(): Promise<Iterator<TablePart> | null> {
    const [file] = this.#files;
    if (file === undefined) return null;
    try {
      const { bytes } = await readRegularFile(await this.#store.path(file.name), MOST_FILE_BYTES);
      return this.#guarded(() => TableReader.of(bytes).parts());
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      throw new EngineError('store.changed', 'files of the store were replaced meanwhile: ask again', { cause: error });
    }
  }

  /** The wanted rows of the next batch of a file; null: it has no more. */
  #read(parts: Iterator<TablePart>): MessageBatch | null {
    const next = this.#guarded(() => parts.next());
    if (next.done === true) return null;
    const { batch, raw } = next.value;
    return inRange(this.#wanted.raw === true ? withRaw(batch, raw) : batch, this.#wanted);
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ParquetError)) throw error;
      throw new EngineError('store.unreadable', `${this.#files[0]?.name ?? ''}: ${messageOf(error)}`, { cause: error });
    }
  }
}

function inRange(batch: MessageBatch, { from, to }: Wanted): MessageBatch {
  if (from === null && to === null) return batch;
  const rows: number[] = [];
  for (const [row, time] of batch.timestamps.entries()) if ((from === null || time >= from) && (to === null || time < to)) rows.push(row);
  return rows.length === batch.length ? batch : takeRows(batch, Uint32Array.from(rows));
}

/** Rows of several logs on their way into one batch. */
class Merge {
  rows = 0;
  readonly #parts = new Map<MessageBatch, { readonly rows: number[]; readonly order: number[] }>();

  add({ batch }: LogCursor, { from, to }: { readonly from: number; readonly to: number }): void {
    const own = this.#parts.get(batch as MessageBatch) ?? { rows: [], order: [] };
    this.#parts.set(batch as MessageBatch, own);
    for (let row = from; row < to; row++) {
      own.rows.push(row);
      own.order.push(this.rows++);
    }
  }

  batch(): MessageBatch {
    const parts = [...this.#parts].map(([batch, { rows, order }]) => ({
      batch: takeRows(batch, Uint32Array.from(rows)),
      order: Uint32Array.from(order),
    }));
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first.batch : mergeRows(parts);
  }
}
