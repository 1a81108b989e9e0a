import { readFile } from 'node:fs/promises';
import { QueryError } from '../../ask/asker.ts';
import type { StoredTable } from '../../ask/tables.ts';
import { messageOf } from '../../errors.ts';

/** A file of a store that cannot be read to its end, though its size and its metadata are as they were written. */
export interface UnreadableFile {
  readonly path: string;
  readonly table: string;
  readonly reason: string;
}

/** Words of DuckDB's messages about Parquet files that it cannot read: it gives no code for them. The files are read afterwards to be sure. */
const DAMAGE = /failed to read|corrupt|decompress|parquet|thrift|tprotocol|ttransport|out of buffer/i;

/** Whether a query has failed because of a file, as far as its words tell. */
export const maySpeakOfDamage = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof QueryError && error.cause.problem.at === null && DAMAGE.test(error.cause.problem.text);

/** Reads all files of tables, and finds those that cannot be read. */
export async function unreadableFiles(tables: readonly StoredTable[]): Promise<UnreadableFile[]> {
  const { TableReader } = await import('../../parquet/read/table-reader.ts');
  const found: UnreadableFile[] = [];
  for (const { name: table, files } of tables)
    for (const { path } of files)
      try {
        const batches = TableReader.of(await readFile(path)).batches();
        while (batches.next().done !== true);
      } catch (error) {
        found.push({ path, table, reason: messageOf(error) });
      }
  return found;
}
