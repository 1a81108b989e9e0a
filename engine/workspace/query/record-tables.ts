import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tableName, nameFor } from '../../ask/table-names.ts';
import type { StoredTable } from '../../ask/tables.ts';
import { EngineError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { firstIndex } from '../../message/binary-search.ts';
import type { RecordStore } from '../../store/record-store.ts';
import type { Segment } from '../../store/segment.ts';
import { rowsOf } from '../../store/source-records.ts';
import type { SourceInfo } from '../../api/types.ts';
import type { WrittenFile } from './table-protocol.ts';
import { TableWriter } from './table-writer.ts';

/** Rows of a file, and bytes in memory from which it is written though it has fewer. */
const FILE_ROWS = 120_000;
const FILE_BYTES = 64 << 20;
/** Number of small files at the end of a source that are written anew as one. */
const MAX_SMALL = 8;

/** The part of a source from which its table is made. */
export type TabledSource = Pick<SourceInfo, 'id' | 'kind' | 'label' | 'location'>;

/** A table, and the sources whose records it has. */
export interface RecordTable extends StoredTable {
  readonly sources: readonly number[];
  readonly rows: number;
}

/** A file, and the number of the first record that was looked at for it. */
interface SourceFile extends WrittenFile {
  readonly from: number;
}

/** The files of one source. */
interface StoredSource {
  readonly table: string;
  readonly files: SourceFile[];
  /** Number of the first record that was not looked at. */
  next: number;
}

export interface RecordTablesOptions {
  readonly store: RecordStore;
  /** Folder for the folder of the files. */
  readonly folder: string;
  /** Most bytes of all files. */
  readonly maxBytes: number;
}

/** Name of the folder of the files, with the number of the process. */
export const TABLES_FOLDER = /^tables-(\d+)-/;

/**
 * The records of the window as Parquet files for SQL. `extend` adds what has come since, so that a query sees all records; the files stay until `close`. Records of one
 * source never change, they only come, or go all together when it is closed or decoded anew.
 */
export class RecordTables {
  readonly #options: RecordTablesOptions;
  readonly #writer = new TableWriter();
  readonly #sources = new Map<number, StoredSource>();
  readonly #folder: Promise<string>;
  #files = 0;
  /** Queries that read files, and files that go when there are none. */
  #readers = 0;
  readonly #unused: string[] = [];

  constructor(options: RecordTablesOptions) {
    this.#options = options;
    this.#folder = makeFolder(options.folder, 0o700).then(() => mkdtemp(join(options.folder, `tables-${process.pid}-`)));
    // The first file reports a failure.
    this.#folder.catch(() => undefined);
  }

  /**
   * Brings the files up to date, as far as it comes before `signal` is aborted. Must not be called while it is at work, nor after it has thrown.
   * @throws {EngineError} `query.space`; {Error} when a file cannot be written
   */
  async extend(sources: readonly TabledSource[], signal: AbortSignal): Promise<RecordTable[]> {
    for (const id of [...this.#sources.keys()]) if (!sources.some((source) => source.id === id)) await this.#forget(id);
    const names = new Map<string, string>();
    for (const source of sources) {
      const wanted = source.kind === 'file' ? tableName(source.location) : nameFor(source.label);
      // SQL does not tell cases apart: the first one says how it is written.
      const table = names.get(wanted.toLowerCase()) ?? wanted;
      names.set(wanted.toLowerCase(), table);
      if (!signal.aborted) await this.#extendSource(source.id, table, signal);
    }
    return [...new Set(names.values())].map((name) => this.#table(name));
  }

  /** Keeps all files that are there while work goes on. @param work gets a folder for what does not fit into the memory of a query */
  async reading<T>(work: (spill: string) => Promise<T>): Promise<T> {
    this.#readers++;
    try {
      return await work(join(await this.#folder, 'spill'));
    } finally {
      this.#readers--;
      await this.#remove([]);
    }
  }

  /** Removes the files. Nothing may be asked of it afterwards. */
  async close(): Promise<void> {
    await this.#writer.close();
    const folder = await this.#folder.catch(() => null);
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }

  #table(name: string): RecordTable {
    const stored = [...this.#sources].filter(([, { table }]) => table === name);
    const files = stored.flatMap(([, source]) => source.files);
    return { name, files, sources: stored.map(([id]) => id), rows: files.reduce((sum, { rows }) => sum + rows, 0) };
  }

  async #extendSource(id: number, table: string, signal: AbortSignal): Promise<void> {
    const known = this.#sources.get(id);
    if (known !== undefined && (known.table !== table || !this.#isWhole(id, known))) await this.#forget(id);
    const source = this.#sources.get(id) ?? { table, files: [], next: 0 };
    this.#sources.set(id, source);
    await this.#joinSmall(source);
    let from = source.next;
    let rows = 0;
    let held = 0;
    const write = async (): Promise<void> => {
      source.files.push({ ...(await this.#write(table)), from });
      from = source.next;
      rows = 0;
    };
    for (let segment = this.#segmentAt(source.next); segment !== undefined && !signal.aborted; segment = this.#segmentAt(source.next)) {
      const wanted = tableRows(segment, id, source.next - segment.firstId);
      const next = endOf(segment);
      if (wanted.length > 0) {
        rows += wanted.length;
        held = await this.#writer.add(await this.#options.store.encoded(segment), wanted);
      }
      source.next = next;
      if (rows >= FILE_ROWS || (rows > 0 && held >= FILE_BYTES)) await write();
    }
    if (rows > 0 || source.files.length === 0) await write();
  }

  /** The segment that holds a record, or the next one that does not end before it. */
  #segmentAt(id: number): Segment | undefined {
    const { segments } = this.#options.store;
    return segments[firstIndex(segments.length, (i) => endOf(segments[i] as Segment) > id)];
  }

  /** Whether the records of a source that were written are still there. */
  #isWhole(id: number, { files, next }: StoredSource): boolean {
    let alive = 0;
    for (const segment of this.#options.store.segments) {
      if (segment.firstId >= next) break;
      segment.parts.forEach((part, i) => {
        const end = Math.min(segment.parts[i + 1]?.firstRow ?? segment.length, next - segment.firstId);
        if (part.source !== id || part.removed || end <= part.firstRow) return;
        alive += end - part.firstRow - segment.comments.filter((row) => row >= part.firstRow && row < end).length;
      });
    }
    return alive === files.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Lets small files at the end go, when there are many, so that their records are written as one. */
  async #joinSmall(source: StoredSource): Promise<void> {
    const first = source.files.findLastIndex(({ rows }) => rows >= FILE_ROWS / 2) + 1;
    if (source.files.length - first < MAX_SMALL) return;
    const small = source.files.splice(first);
    source.next = (small[0] as SourceFile).from;
    await this.#remove(small);
  }

  async #write(table: string): Promise<WrittenFile> {
    const bytes = [...this.#sources.values()].flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
    const { maxBytes } = this.#options;
    if (bytes > maxBytes)
      throw new EngineError(
        'query.space',
        `The tables take ${Math.round(bytes / 2 ** 20)} MiB, and may take ${Math.round(maxBytes / 2 ** 20)}. Close a source.`,
      );
    const folder = await this.#folder;
    return this.#writer.write(table, join(folder, `${this.#files++}.parquet`));
  }

  /** Removes files, as soon as nobody reads. */
  async #remove(files: readonly WrittenFile[]): Promise<void> {
    this.#unused.push(...files.map(({ path }) => path));
    if (this.#readers === 0) for (const path of this.#unused.splice(0)) await rm(path, { force: true });
  }

  async #forget(id: number): Promise<void> {
    const files = this.#sources.get(id)?.files ?? [];
    this.#sources.delete(id);
    await this.#remove(files);
  }
}

/** The rows of a source in a segment, from a row on, that are rows of its table: without the headers and comments of its files. */
function tableRows(segment: Segment, source: number, from: number): Uint32Array<ArrayBuffer> {
  const rows = rowsOf(segment, source, from);
  if (segment.comments.length === 0) return rows;
  const left = new Set(segment.comments);
  return rows.filter((row) => !left.has(row));
}

const endOf = ({ firstId, length }: Segment): number => firstId + length;
