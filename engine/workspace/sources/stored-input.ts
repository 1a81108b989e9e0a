import { messageOf } from '../../base/errors.ts';
import type { Input, InputSink, InputStats } from '../../inputs/types.ts';
import { withoutWaiting } from '../../lake/patience.ts';
import { Store } from '../../lake/store.ts';
import { storedMessages, type StoredFiles, type StoredPart } from '../../lake/stored-messages.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { rawOf, withoutRaw } from '../../store/segment.ts';
import { lakeParts } from './lake-parts.ts';
import { recordTexts } from './record-texts.ts';
import type { StoredTable } from './stored-table.ts';

/** The messages of a table of a store as an input: those that are there when it starts, in the order of their times. */
export class StoredInput implements Input {
  readonly name: string;
  readonly #stored: StoredTable;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #records = 0;
  #rows = 0;
  #bytes = 0;

  constructor(name: string, stored: StoredTable) {
    this.name = name;
    this.#stored = stored;
  }

  /** @throws {EngineError} when the store cannot be opened */
  async start(sink: InputSink): Promise<void> {
    const { folder, table } = this.#stored;
    const lake = await lakeParts(folder);
    const store = lake === null ? await withoutWaiting((patienceMs) => Store.toRead(folder, patienceMs)) : null;
    const parts = store ?? lake ?? { files: [], path: (name) => Promise.resolve(name) };
    const files = parts.files.filter((file) => file.table.toLowerCase() === table.toLowerCase());
    const sum = (of: (file: StoredPart) => number): number => files.reduce((total, file) => total + of(file), 0);
    this.#rows = sum(({ rows }) => rows);
    this.#bytes = sum(({ bytes }) => bytes);
    this.#done = this.#read(parts, store?.broken ?? [], sink).finally(() => store?.[Symbol.dispose]());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  /** Bytes are those of the Parquet files, as if each message took the same part of them. */
  stats(): InputStats {
    const bytes = this.#rows === 0 ? 0 : Math.round((this.#bytes * this.#records) / this.#rows);
    return { records: this.#records, bytes, dropped: 0, totalBytes: this.#bytes };
  }

  async #read(parts: StoredFiles, broken: Store['broken'], sink: InputSink): Promise<void> {
    const { folder, table } = this.#stored;
    for (const { name, table: of, rows, reason } of broken)
      if (of.toLowerCase() === table.toLowerCase())
        sink.notice({
          level: 'warning',
          code: 'store.broken',
          text: `${folder}/files/${name} is damaged (${reason}): ${rows} records of ${table} are missing. Import its log again.`,
        });
    try {
      for await (const batch of storedMessages(parts, { from: null, to: null, tables: new Set([table.toLowerCase()]), raw: true })) {
        if (this.#stop.signal.aborted) return;
        this.#records += batch.length;
        await sink.deliver({ ...recordsOf(batch), firstLine: 0, acknowledge: () => undefined });
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      sink.notice({ level: 'error', code: 'store.unreadable', text: `The rest of ${table} was not read: ${messageOf(error)}.` });
    }
    sink.idle();
  }
}

/** Messages and their records as they were read; where the store does not have these, a text of what it has. */
function recordsOf(stored: MessageBatch): Pick<Parameters<InputSink['deliver']>[0], 'batch' | 'raw'> {
  const batch = withoutRaw(stored);
  const raw = rawOf(stored);
  const isWhole = raw !== null && (raw.constant !== undefined || raw.rows === null);
  return { batch, raw: isWhole ? raw : recordTexts(batch, raw) };
}
