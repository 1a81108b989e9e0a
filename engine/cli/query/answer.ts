import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask, QueryError, type QueryResult } from '../../ask/asker.ts';
import { TOO_MUCH } from '../../ask/problem.ts';
import { askedTables, type StoredTable } from '../../ask/tables.ts';
import { EngineError } from '../../base/errors.ts';
import { Exit, UsageError, type CommandContext } from '../command.ts';
import type { Output } from '../output.ts';

/** Tables that can be asked. */
export interface Tables {
  readonly tables: readonly StoredTable[];
  /** The exit code of the command when the query is answered. */
  readonly code: number;
}

/** A query, and what is done with its result. */
export interface Asked {
  /** A folder for temporary files. */
  readonly folder: string;
  readonly sql: string;
  readonly memoryMib: number;
  readonly print: (result: QueryResult, out: Output) => Promise<number>;
}

/** Asks tables and prints the result. @returns the exit code @throws {UsageError} for a query that is refused, with its place */
export async function answerFrom({ tables, code }: Tables, asked: Asked, context: CommandContext): Promise<number> {
  if (context.signal.aborted) return Exit.interrupted;
  await answer(tables, asked, context);
  return context.signal.aborted && !context.out.closed ? Exit.interrupted : code;
}

async function answer(
  tables: readonly StoredTable[],
  { folder, sql, memoryMib, print }: Asked,
  { out, signal }: CommandContext,
): Promise<void> {
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
    if (error.problem.error === TOO_MUCH) throw new UsageError(`${first.replace(/\.$/, '')}. ${adviceFor(folder)}`, { cause: error });
    throw new UsageError(first, { details, cause: error });
  }
}

/** Advice about a query that takes too much. @param folder of its temporary files */
const adviceFor = (folder: string): string =>
  `Give the query more by --memory MIB, or its temporary files more room: up to 4 GiB in ${dirname(folder)}, or in the folder that TMPDIR names`;
