import { readdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { ask, QueryError, type QueryResult } from '../../ask/asker.ts';
import { askedTables, columnsOfTables } from '../../ask/tables.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { removeLeftovers } from '../../base/files/folders.ts';
import { Serial } from '../../base/time/serial.ts';
import type { RecordStore } from '../../store/record-store.ts';
import type { QueryFormat, QueryReply, QueryRows, QueryTable } from '../../api/query-types.ts';
import { exportResult, type ExportTarget } from './export-result.ts';
import { RecordTables, TABLES_FOLDER, type RecordTable, type TabledSource } from './record-tables.ts';
import { recordsBehind, variableOf } from './records-behind.ts';
import { firstRows } from './result-page.ts';

/** Milliseconds after the last use until the tables are removed. */
const IDLE_MS = 10 * 60_000;
/** Most bytes of the tables. */
const MAX_BYTES = 16 * 2 ** 30;
/** Memory of a query, in MiB; what does not fit goes to a temporary file. */
const MEMORY_MIB = Math.max(256, Math.min(1024, Math.floor(totalmem() / 4 / 2 ** 20)));

export interface QueriesOptions {
  readonly store: RecordStore;
  /** Folder for the files of the tables. What processes that are gone left there is removed. */
  readonly folder: string;
  /** The sources that are open. */
  readonly sources: () => readonly TabledSource[];
  readonly idleMs?: number;
  readonly maxBytes?: number;
}

/**
 * SQL over the records of the window. A query sees the records that are there when it begins: they are written as Parquet files first, those alone that are in none
 * yet, by a thread. DuckDB reads them in a process of its own, which ends with the query. Without queries there is no thread, no process and no file.
 */
export class Queries {
  readonly #options: QueriesOptions;
  readonly #turns = new Serial();
  #tables: RecordTables | null = null;
  #running: AbortController | null = null;
  #idle: NodeJS.Timeout | undefined;
  #using = 0;
  readonly #stop = new AbortController();

  constructor(options: QueriesOptions) {
    this.#options = options;
    if (existing(options.folder).some((name) => TABLES_FOLDER.test(name))) removeLeftovers(options.folder, TABLES_FOLDER);
  }

  /** The tables as they are now. @throws {EngineError} `query.tables`, `query.space` */
  tables(): Promise<QueryTable[]> {
    return this.#with(new AbortController().signal, (tables) => Promise.resolve(describe(tables)));
  }

  /**
   * Runs a query. What is wrong with it is an answer, too.
   * @throws {EngineError} `query.busy`, `query.tables`, `query.space`
   */
  async run(sql: string): Promise<QueryReply> {
    if (this.#running !== null) throw new EngineError('query.busy', 'Another query is running. Cancel it, or wait until it has ended.');
    const stop = (this.#running = new AbortController());
    const started = performance.now();
    try {
      return await this.#ask(sql, stop.signal, async (result, tables) => ({
        kind: 'rows',
        ...(await firstRows(result)),
        ms: performance.now() - started,
        records: recordsBehind(result.selection, result.columns, tables),
      }));
    } catch (error) {
      if (stop.signal.aborted) return { kind: 'canceled' };
      if (error instanceof QueryError) return { kind: 'problem', text: error.problem.text, at: error.problem.at };
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /**
   * The first rows of a query, beside one that runs in the window. What is wrong with it is an answer, too.
   * @throws {EngineError} `query.tables`, `query.space`
   */
  async glance(
    sql: string,
    signal: AbortSignal,
    most: number,
  ): Promise<Pick<QueryRows, 'columns' | 'rows' | 'more'> | { problem: string }> {
    try {
      return await this.#ask(sql, signal, (result) => firstRows(result, most));
    } catch (error) {
      if (signal.aborted) return { problem: 'It took too long, so it was ended.' };
      if (error instanceof QueryError) return { problem: error.problem.text };
      throw error;
    }
  }

  /** Ends the query that runs, if one does. */
  cancel(): void {
    this.#running?.abort();
  }

  /** Writes all rows of a query. @throws {EngineError} `query.tables`, `query.space`; {QueryError} */
  async export(sql: string, format: QueryFormat, target: ExportTarget): Promise<void> {
    await this.#ask(sql, target.signal, (result) => exportResult(result, format, target));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.cancel();
    clearTimeout(this.#idle);
    await this.#turns.run(() => this.#drop());
  }

  #ask<T>(sql: string, signal: AbortSignal, read: (result: QueryResult, tables: readonly QueryTable[]) => Promise<T>): Promise<T> {
    return this.#with(signal, (tables, spill) => {
      const files = tables.flatMap((table) => table.files.map(({ path }) => path));
      const question = { tables: tables.length === 0 ? [] : askedTables(tables), files, spill, memoryMib: MEMORY_MIB, sql };
      return ask(question, signal, (result) => read(result, describe(tables)));
    });
  }

  /** Does something with the tables, which stay until it is done. */
  async #with<T>(signal: AbortSignal, work: (tables: readonly RecordTable[], spill: string) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#using++;
    try {
      const { made, tables } = await this.#turns.run(() => this.#extended(signal));
      return await made.reading((spill) => work(tables, spill));
    } finally {
      if (--this.#using === 0 && !this.#stop.signal.aborted)
        this.#idle = setTimeout(() => void this.#turns.run(() => this.#dropIdle()), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  async #extended(signal: AbortSignal): Promise<{ readonly made: RecordTables; readonly tables: readonly RecordTable[] }> {
    if (this.#stop.signal.aborted) throw new EngineError('query.tables', 'The engine is stopping.');
    const { store, folder, maxBytes = MAX_BYTES } = this.#options;
    const made = (this.#tables ??= new RecordTables({ store, folder, maxBytes }));
    try {
      return { made, tables: await made.extend(this.#options.sources(), AbortSignal.any([signal, this.#stop.signal])) };
    } catch (error) {
      await this.#drop();
      if (error instanceof EngineError) throw error;
      throw new EngineError('query.tables', `The records could not be written as tables: ${messageOf(error)}`, { cause: error });
    }
  }

  async #dropIdle(): Promise<void> {
    if (this.#using === 0) await this.#drop();
  }

  async #drop(): Promise<void> {
    const tables = this.#tables;
    this.#tables = null;
    await tables?.close().catch(() => undefined);
  }
}

function describe(tables: readonly RecordTable[]): QueryTable[] {
  return [...columnsOfTables(tables)].map(([name, columns]): QueryTable => {
    const own = tables.filter((table) => table.name === name);
    const of = own.length === 0 ? tables : own;
    return {
      name,
      sources: of.flatMap(({ sources }) => sources),
      rows: of.reduce((sum, { rows }) => sum + rows, 0),
      columns: columns.map((column) => ({ name: column.name, type: column.type, variable: variableOf(column) })),
    };
  });
}

function existing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
