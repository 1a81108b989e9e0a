import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { EngineError, messageOf } from '../base/errors.ts';
import type { Layout } from '../parquet/message-table.ts';
import { lockHolder } from '../base/process/lock-holder.ts';
import { checkBeforeOpening, checkSchemaPage, PAGE_BYTES } from './database-file.ts';
import type { Mark } from './text-file.ts';

/** File of a store that lists all others. */
export const MANIFEST = 'manifest.sqlite';
/** Version of its tables. */
const VERSION = 1;
/** Milliseconds to wait for another process that writes. Nothing else is done in this process meanwhile: see `withoutWaiting`. */
export const PATIENCE_MS = 10_000;

/** A log file that was imported. */
export interface StoredSource {
  readonly id: number;
  /** The table of its messages. */
  readonly table: string;
  readonly path: string;
  /** Name and parameters of its decoder, in JSON; null: it was not recognised. */
  readonly decoder: string | null;
  /** The file as it was read: its size and time. */
  readonly fileSize: number;
  readonly fileMtimeNs: bigint;
  /** Bytes of its text that were read. */
  readonly size: number;
  /** Marks of the beginning of the text, and of its bytes before `size`. */
  readonly head: Mark;
  readonly tail: Mark;
  /** Position at which reading goes on when the file has grown. What comes from the text behind it is in files that are then replaced. */
  readonly settled: number;
  /** Line ends before that. */
  readonly settledLines: number;
  /** A file of it was damaged, so it is to be read anew. */
  readonly damaged: boolean;
}

/** A Parquet file of a store. */
export interface ManifestFile {
  /** Within the folder of the store. */
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** CRC-32 of its end, which describes it. */
  readonly endCrc: number;
  readonly least: bigint;
  readonly most: bigint;
  readonly layout: Layout;
  readonly unused: readonly string[];
}

/** A file with where it belongs. */
export interface ListedFile extends ManifestFile {
  readonly source: number;
  readonly table: string;
  /** It holds what is behind the settled part of its source. */
  readonly last: boolean;
}

const SOURCE_TABLE = `CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, decoder TEXT, file_size INTEGER NOT NULL, file_mtime INTEGER NOT NULL,
  size INTEGER NOT NULL, head TEXT NOT NULL, tail TEXT NOT NULL, settled INTEGER NOT NULL, settled_lines INTEGER NOT NULL, damaged INTEGER NOT NULL DEFAULT 0) STRICT`;
const FILE_TABLE = `CREATE TABLE file (name TEXT PRIMARY KEY, source INTEGER NOT NULL REFERENCES source(id), last INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
  end_crc INTEGER NOT NULL, least INTEGER NOT NULL, most INTEGER NOT NULL, layout TEXT NOT NULL, unused TEXT NOT NULL) STRICT`;
/** The tables and indexes of its schema, as SQLite lists them. */
const SCHEMA = JSON.stringify([
  ['file', FILE_TABLE],
  ['source', SOURCE_TABLE],
  ['sqlite_autoindex_file_1', null],
]);

const FILE_COLUMNS = 'name, source, last, rows, bytes, end_crc, least, most, layout, unused';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The list of the files of a store and of the sources that they come from. A change is there as a whole or not at all, whenever the process is killed. */
export class Manifest implements Disposable {
  /** The list was made now; files that are in the folder were in a list that is lost. */
  readonly isNew: boolean;
  readonly #database: DatabaseSync;
  readonly #path: string;

  private constructor(database: DatabaseSync, path: string, isNew: boolean) {
    this.#database = database;
    this.#path = path;
    this.isNew = isNew;
  }

  /** @param create makes it when it is missing @param patienceMs see `PATIENCE_MS` @throws {EngineError} */
  static open(folder: string, { create, patienceMs = PATIENCE_MS }: { readonly create: boolean; readonly patienceMs?: number }): Manifest {
    const path = join(folder, MANIFEST);
    const missing = (): EngineError =>
      new EngineError('store.missing', `${folder} is not a store. Fill one: sluicebox import --store ${folder} FILE…`);
    if (!create && lstatSync(path, { throwIfNoEntry: false }) === undefined) throw missing();
    let database: DatabaseSync | null = null;
    try {
      database = openDatabase(path, create, patienceMs);
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      // SQLite takes a last page that is cut as one with zeros.
      if (version !== 0 && statSync(path).size % PAGE_BYTES !== 0) throw damaged(path, 'it was cut');
      if (version === 0 && create)
        database.exec(`BEGIN IMMEDIATE; ${SOURCE_TABLE}; ${FILE_TABLE}; PRAGMA user_version = ${VERSION}; COMMIT;`);
      // The process that created it was killed at once.
      else if (version === 0) throw missing();
      else if (version !== VERSION) throw new Error(`it has version ${version}, and ${VERSION} is known`);
      checkSchema(database);
      return new Manifest(database, path, version === 0);
    } catch (error) {
      database?.close();
      throw unreadable(path, error);
    }
  }

  sources(): StoredSource[] {
    return this.#rows('source').map(sourceOf);
  }

  /** The files, those of a source in the order of its text. */
  files(): ListedFile[] {
    return this.#inOneState(() => {
      const tables = new Map(this.#rows('source').map(({ id, name }) => [id, String(name)]));
      const files = this.#rows('file').flatMap((row) => {
        const table = tables.get(row.source ?? null);
        return table === undefined ? [] : fileOf(row, table);
      });
      // Those of a source are in the order in which they were entered.
      return files.sort((a, b) => a.source - b.source);
    });
  }

  /** Adds a source or replaces what is known of it, with files that are new, and takes files from the list. All of it is on the disk when this returns. */
  commit(source: Omit<StoredSource, 'id' | 'damaged'>, id: number | null, change: FileChange): number {
    return this.#transaction(() => {
      const { table, path, decoder, fileSize, fileMtimeNs, size, head, tail, settled, settledLines } = source;
      const values = [table, path, decoder, fileSize, fileMtimeNs, size, JSON.stringify(head), JSON.stringify(tail), settled, settledLines];
      const kept = this.#database
        .prepare('INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING id')
        .get(id, ...values)?.id as number;
      for (const name of change.removed) this.#database.prepare('DELETE FROM file WHERE name = ?').run(name);
      for (const { file, last } of change.added) this.#insert(file, kept, last, null);
      return kept;
    });
  }

  /** Lists a file in the place of neighbours that have the same messages. */
  replaceFiles(names: readonly string[], by: readonly ManifestFile[]): void {
    this.#transaction(() => {
      const rows = names.map((name) => this.#database.prepare('DELETE FROM file WHERE name = ? RETURNING rowid, source').get(name));
      const [first] = rows;
      if (first === undefined || rows.includes(undefined) || by.length !== 1) throw new Error('files were changed while they were merged');
      for (const file of by) this.#insert(file, Number(first.source), false, Number(first.rowid));
    });
  }

  /** Takes a source and its files from the list. */
  removeSource(id: number): void {
    this.#transaction(() => {
      this.#database.prepare('DELETE FROM file WHERE source = ?').run(id);
      this.#database.prepare('DELETE FROM source WHERE id = ?').run(id);
    });
  }

  /** Takes files from the list. @param damaged their sources are to be read anew */
  removeFiles(names: readonly string[], { damaged }: { readonly damaged: boolean }): void {
    this.#transaction(() => {
      for (const name of names) {
        if (damaged) this.#database.prepare('UPDATE source SET damaged = 1 WHERE id = (SELECT source FROM file WHERE name = ?)').run(name);
        this.#database.prepare('DELETE FROM file WHERE name = ?').run(name);
      }
    });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** @param place its number in the order of files; null: behind all others */
  #insert(
    { name, rows, bytes, endCrc, least, most, layout, unused }: ManifestFile,
    source: number,
    last: boolean,
    place: number | null,
  ): void {
    this.#database
      .prepare(`INSERT INTO file (rowid, ${FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(place, name, source, last ? 1 : 0, rows, bytes, endCrc, least, most, JSON.stringify(layout), JSON.stringify(unused));
  }

  #inOneState<T>(read: () => T): T {
    try {
      this.#database.exec('BEGIN');
      try {
        return read();
      } finally {
        if (this.#database.isTransaction) this.#database.exec('COMMIT');
      }
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }

  /** The rows of a table, by their numbers. Pages that lead to each other would have more in them than the file has bytes. */
  #rows(table: 'source' | 'file'): Row[] {
    try {
      const statement = this.#database.prepare(`SELECT * FROM ${table} ORDER BY rowid`);
      statement.setReadBigInts(true);
      const rows: Row[] = [];
      let used = 0;
      let size = 0;
      for (const row of statement.iterate()) {
        used++;
        for (const value of Object.values(row)) if (typeof value === 'string') used += value.length;
        if (used > size) size = statSync(this.#path).size;
        if (used > size) throw damaged(this.#path, 'it has more rows than it has room for');
        rows.push(row);
      }
      return rows;
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }

  #transaction<T>(work: () => T): T {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw new EngineError('store.unwritable', `the list of the store's files cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** Files that come and go with a commit. */
export interface FileChange {
  readonly added: readonly { readonly file: ManifestFile; readonly last: boolean }[];
  readonly removed: readonly string[];
}

/** A reader also writes when a process was killed within a commit, to undo that, if it may. */
function openDatabase(path: string, create: boolean, timeout: number): DatabaseSync {
  checkBeforeOpening(path);
  let database: DatabaseSync | null = null;
  try {
    database = firstRead(new DatabaseSync(path, { timeout }), path);
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
    return database;
  } catch (error) {
    database?.close();
    if (create || isLocked(error)) throw error;
    return firstRead(new DatabaseSync(path, { timeout, readOnly: true }), path);
  }
}

/** Lets SQLite take back what a killed process has left, and looks at the schema before SQLite does. */
function firstRead(database: DatabaseSync, path: string): DatabaseSync {
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA user_version;');
    checkSchemaPage(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Checks that there are the tables of a store and nothing else: a view or a trigger of a stranger would run. */
function checkSchema(database: DatabaseSync): void {
  const found = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY sql IS NULL, name').all();
  if (JSON.stringify(found.map(({ name, sql }) => [name, sql])) !== SCHEMA) throw new Error('its tables are not those of a store');
}

/** Result codes of SQLite. */
const RESULT = { busy: 5, corrupt: 11, full: 13, notDatabase: 26 } as const;

const resultOf = (error: unknown): unknown => (error instanceof Error && 'errcode' in error ? error.errcode : null);

/** Whether an error, or its cause, says that another process keeps the list locked. */
export const isLocked = (error: unknown): boolean =>
  resultOf(error) === RESULT.busy || (error instanceof EngineError && resultOf(error.cause) === RESULT.busy);

function unreadable(path: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const said = messageOf(error);
  switch (resultOf(error)) {
    case RESULT.full:
      return new EngineError('store.unwritable', `${path} cannot be written: ${said}; free some space on its disk`, { cause: error });
    case RESULT.busy:
      return new EngineError(
        'store.unreadable',
        `${path} cannot be read: ${lockHolder(path) ?? 'another process'} keeps it locked; ask again when that has ended`,
        { cause: error },
      );
    case RESULT.corrupt:
    case RESULT.notDatabase:
      return damaged(path, said, error);
    default:
      return new EngineError('store.unreadable', `${path} cannot be read: ${said}`, { cause: error });
  }
}

function damaged(path: string, how: string, cause?: unknown): EngineError {
  const advice =
    'Put a copy of it back; or move it away and import the logs again: the files that it listed are then kept in the folder broken';
  return new EngineError('store.unreadable', `${path} is damaged (${how}). ${advice}`, { cause });
}

function sourceOf(row: Row): StoredSource {
  return {
    id: Number(row.id),
    table: String(row.name),
    path: String(row.path),
    decoder: row.decoder === null ? null : String(row.decoder),
    fileSize: Number(row.file_size),
    fileMtimeNs: BigInt(row.file_mtime as bigint),
    size: Number(row.size),
    head: JSON.parse(String(row.head)) as Mark,
    tail: JSON.parse(String(row.tail)) as Mark,
    settled: Number(row.settled),
    settledLines: Number(row.settled_lines),
    damaged: Number(row.damaged) === 1,
  };
}

/** Names that files of a store have: none leads out of the folder. */
const FILE_NAME = /^[\w-][\w.:-]*\.parquet$/;

function fileOf(row: Row, table: string): ListedFile {
  const name = String(row.name);
  if (!FILE_NAME.test(name)) throw new Error(`it lists ${JSON.stringify(name.slice(0, 100))}, which is not a file of a store`);
  return {
    name,
    table,
    source: Number(row.source),
    last: Number(row.last) === 1,
    rows: Number(row.rows),
    bytes: Number(row.bytes),
    endCrc: Number(row.end_crc),
    least: BigInt(row.least as bigint),
    most: BigInt(row.most as bigint),
    layout: JSON.parse(String(row.layout)) as Layout,
    unused: JSON.parse(String(row.unused)) as string[],
  };
}
