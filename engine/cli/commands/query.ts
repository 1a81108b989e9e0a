import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ask, QueryError, type QueryResult } from '../../ask/asker.ts';
import { parquetOf, ResultTooLargeError } from '../../ask/result-parquet.ts';
import { writeCsv, writeJson } from '../../ask/result-text.ts';
import { namedWords } from '../../ask/named-words.ts';
import { ALL, askedTables, type StoredTable } from '../../ask/tables.ts';
import { EngineError, errorCode } from '../../errors.ts';
import { Store } from '../../lake/store.ts';
import { startSandboxes } from '../../plugins/starter.ts';
import { atTerminal, tellProgress } from '../../terminal.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { DECODING_HELP, DECODING_OPTIONS } from '../decoding-options.ts';
import { FileDecoders, parseDecoding, type Decoding } from '../file-decoders.ts';
import { keepHeapSmall } from '../heap.ts';
import { namedFiles, type NamedFile } from '../named-files.ts';
import { FileStore } from '../query/file-store.ts';
import { printTable } from '../query/result-forms.ts';
import { temporaryFolder } from '../query/temporary-folder.ts';
import { tellBroken } from '../store/complaints.ts';
import { StoreJob } from '../query/store-job.ts';
import { tableName } from '../../ask/table-names.ts';
import { parseChoice } from '../settings.ts';
import type { Output } from '../output.ts';

const help = `Usage: sluicebox query [OPTIONS] FILE… 'SQL'
       sluicebox query --store DIR [OPTIONS] 'SQL'

Decodes log files and asks them by SQL, in the dialect of DuckDB. Each file is a table by the stem of its name: access.log, access.log.1 and
access.log.2.gz are the table access, other characters than letters and digits become _, and standard input (-) is stdin. The columns are
the time of the messages, their fields and their headers, by type. The table messages has those of all files, with the column "table".
A folder stands for the files in it, a pattern ('/var/log/**/*.log') for the files that it fits.

  sluicebox query access.log 'SELECT status, count(*) FROM access GROUP BY 1'
  sluicebox query access.log 'DESCRIBE access'          the columns and their types

A query is one SELECT. It reads the tables alone: no other file, no network, and it writes nothing. What a decoder refuses is not in the table;
standard error says how much, and the exit code is then 1.

      --store DIR           asks the tables of a store, which sluicebox import fills, instead of files
      --format table|csv|json|parquet
                            how the result is printed (table); json: an object a line
      --memory MIB          memory of the query (1024); what does not fit goes to a temporary file
${DECODING_HELP}`;

const FORMS: Readonly<Record<'table' | 'csv' | 'json' | 'parquet', (result: QueryResult, out: Output) => Promise<number>>> = {
  table: printTable,
  csv: writeCsv,
  json: writeJson,
  parquet: printParquet,
};

async function printParquet(result: QueryResult, out: Output): Promise<number> {
  try {
    const { bytes, rows } = await parquetOf(result);
    await out.write(bytes);
    return rows;
  } catch (error) {
    throw error instanceof ResultTooLargeError ? new UsageError(error.message, { cause: error }) : error;
  }
}

export const query: Command = {
  help,
  async run(args, context) {
    keepHeapSmall();
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        store: { type: 'string' },
        format: { type: 'string', default: 'table' },
        ...DECODING_OPTIONS,
        memory: { type: 'string', default: '1024' },
      },
    });
    const sql = positionals.at(-1);
    const files = positionals.slice(0, -1);
    if (values.store !== undefined && files.length > 0) throw new UsageError('query asks a store or files: give one of them');
    if (sql === undefined || (files.length === 0 && values.store === undefined))
      throw new UsageError(
        "query needs a file (- is standard input) and a query, as in: sluicebox query access.log 'SELECT count(*) FROM access'",
      );
    if (existsSync(sql)) throw new UsageError(`the query comes last, and ${sql} is a file`);
    if (values.format === 'parquet' && atTerminal())
      throw new UsageError('--format parquet writes bytes: send them to a file (> result.parquet)');
    const print = FORMS[parseChoice('--format', values.format, ['table', 'csv', 'json', 'parquet'])];
    if (!/^\d{2,7}$/.test(values.memory)) throw new UsageError(`--memory must be a number of MiB from 10 on, not '${values.memory}'`);
    const decoding = parseDecoding(values, context.complain);
    const folder = await temporaryFolder();
    try {
      const asked = { folder, sql, memoryMib: Number(values.memory), print };
      if (values.store !== undefined) return await askStore(values.store, asked, context);
      return await answerFrom(await store(files, sql, { decoding, folder }, context), asked, context);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function answerFrom({ tables, code }: Tables, asked: Omit<Asked, 'tables'>, context: CommandContext): Promise<number> {
  if (context.signal.aborted) return Exit.interrupted;
  await answer({ ...asked, tables }, context);
  return context.signal.aborted && !context.out.closed ? Exit.interrupted : code;
}

/** How often a store is asked whose files another process merges or replaces before they are read. */
const TRIES = 5;

async function askStore(folder: string, asked: Omit<Asked, 'tables'>, context: CommandContext): Promise<number> {
  let begun = false;
  const print: Asked['print'] = (result, out) => {
    begun = true;
    return asked.print(result, out);
  };
  for (let left = TRIES; ; left--) {
    try {
      return await answerFrom(await tablesOf(folder, context), { ...asked, print }, context);
    } catch (error) {
      if (begun || left === 1 || errorCode(error) !== 'store.changed') throw error;
    }
  }
}

/** The tables of a store. Its damaged files are left out, and told. */
async function tablesOf(folder: string, { complain }: CommandContext): Promise<Tables> {
  using opened = await Store.toRead(folder);
  const isBroken = tellBroken(opened, complain, { areSetAside: false });
  const tables = opened.tables();
  if (tables.length === 0) complain(`the store ${folder} is empty, so there is no table`);
  return { tables, code: isBroken ? Exit.failed : Exit.ok };
}

interface Tables {
  readonly tables: readonly StoredTable[];
  readonly code: number;
}

/** Decodes files and stores of their messages what the query may need in a folder. */
async function store(
  paths: readonly string[],
  sql: string,
  { decoding, folder }: { readonly decoding: Decoding; readonly folder: string },
  context: CommandContext,
): Promise<Tables> {
  const { signal, complain } = context;
  const sandboxes = startSandboxes({ hosts: 1 });
  sandboxes.warm();
  const files: NamedFile[] = [];
  for await (const file of namedFiles(paths)) files.push(file);
  const stored = new FileStore(folder, namedWords(sql, [ALL, ...files.map(({ file }) => tableName(file))]));
  let rows = 0;
  const progress = tellProgress(() => `${rows.toLocaleString('en')} messages`);
  const job = new StoreJob(stored, context, (more) => (rows += more));
  const decoders = new FileDecoders(sandboxes, decoding, context);
  const decodeFile = (file: string): Promise<void> =>
    decoders.with(file, async ({ sandbox, chunks }) => {
      job.into(tableName(file), sandbox);
      await job.run(chunks);
    });
  try {
    for (const { file, problem } of files) {
      if (signal.aborted) break;
      await job.try(() => (problem === undefined ? decodeFile(file) : Promise.reject(problem)));
      job.tellRefused(file);
    }
    const tables = signal.aborted ? [] : await stored.end();
    const code = job.exitCode();
    if (tables.length === 0 && !signal.aborted) complain('no file could be read, so there is no table');
    return { tables, code };
  } finally {
    progress.end();
    await sandboxes.close();
  }
}

interface Asked {
  readonly tables: readonly StoredTable[];
  readonly folder: string;
  readonly sql: string;
  readonly memoryMib: number;
  readonly print: (result: QueryResult, out: Output) => Promise<number>;
}

/** Asks the tables and prints the result. @throws {UsageError} for a query that is refused, with its place */
async function answer({ tables, folder, sql, memoryMib, print }: Asked, { out, signal }: CommandContext): Promise<void> {
  const files = tables.flatMap((table) => table.files.map(({ path }) => path));
  const question = { tables: tables.length === 0 ? [] : askedTables(tables), files, spill: join(folder, 'spill'), memoryMib, sql };
  try {
    await ask(question, signal, async (result) => {
      await print(result, out);
      await out.flush();
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof QueryError)) throw error;
    if (files.some((path) => !existsSync(path)))
      throw new EngineError('store.changed', 'files of the store were replaced meanwhile: ask again', { cause: error });
    const [first = '', ...details] = error.message.split('\n').filter((line) => line.trim() !== '');
    throw new UsageError(first, { details, cause: error });
  }
}
