import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFile, StoredTable } from '../../ask/tables.ts';
import { EngineError } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { ColumnNames } from '../../parquet/column-names.ts';
import { MessageTable } from '../../parquet/message-table.ts';
import { unwritable } from '../../base/files/unwritable.ts';

/** Rows of a file. */
const FILE_ROWS = 120_000;
/** Bytes in memory from which a file is written though it has fewer rows. */
const FILE_BYTES = 64 << 20;

interface TableInWork {
  readonly name: string;
  readonly names: ColumnNames;
  readonly files: StoredFile[];
  open: MessageTable;
}

/** Stores messages as Parquet files in a folder, by tables. */
export class FileStore {
  readonly #folder: string;
  readonly #wants: ((name: string) => boolean) | undefined;
  /** By names in lower case, as SQL does not tell cases apart. */
  readonly #tables = new Map<string, TableInWork>();
  #files = 0;

  /** @param words names one of which a column must begin with, in lower case; null: all columns are written */
  constructor(folder: string, words: ReadonlySet<string> | null = null) {
    this.#folder = folder;
    this.#wants = words === null ? undefined : beginsAny(words);
  }

  /** Makes a table, also one without rows. */
  table(name: string): void {
    this.#tableOf(name);
  }

  /** @throws {EngineError} `query.tables` when a file cannot be written */
  async add(name: string, batch: MessageBatch): Promise<void> {
    const table = this.#tableOf(name);
    table.open.add(batch);
    if (table.open.rows >= FILE_ROWS || table.open.bytes >= FILE_BYTES) await this.#write(table);
  }

  /** Writes what is open. @returns all tables @throws as `add` */
  async end(): Promise<StoredTable[]> {
    for (const table of this.#tables.values()) if (table.open.rows > 0 || table.files.length === 0) await this.#write(table);
    return [...this.#tables.values()];
  }

  #tableOf(name: string): TableInWork {
    const known = this.#tables.get(name.toLowerCase());
    if (known !== undefined) return known;
    const table: TableInWork = { name, names: new ColumnNames(), files: [], open: this.#newTable() };
    this.#tables.set(name.toLowerCase(), table);
    return table;
  }

  async #write(table: TableInWork): Promise<void> {
    const { bytes, layout, unused, leftOut } = table.open.file('sluicebox', table.names);
    table.open = this.#newTable();
    const path = join(this.#folder, `${this.#files++}.parquet`);
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
      const text = `${unwritable(this.#folder, error)}. TMPDIR can name another folder for temporary files`;
      throw new EngineError('query.tables', text, { cause: error });
    });
    table.files.push({ path, layout, unused, leftOut });
  }

  #newTable(): MessageTable {
    return new MessageTable({ uuids: false, packing: 'texts', wants: this.#wants });
  }
}

/** A column is needed when a word of the query begins as it does: what is added to the names of columns is known at the end only. */
function beginsAny(words: ReadonlySet<string>): (name: string) => boolean {
  return (name) => {
    const begin = name.toLowerCase();
    for (const word of words) if (word.startsWith(begin)) return true;
    return false;
  };
}
