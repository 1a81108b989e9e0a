import { readRegularFile } from '../../base/files/regular-file.ts';
import { QueryError } from '../../ask/asker.ts';
import { neededTables } from '../../ask/needed-tables.ts';
import { TOO_MUCH } from '../../ask/problem.ts';
import { MOST_FILE_BYTES } from '../../lake/file-end.ts';
import { ALL, askedTables, type StoredTable } from '../../ask/tables.ts';
import { messageOf } from '../../base/errors.ts';

/** A file of a store whose values are damaged, though its size and its metadata are as they were written. */
export interface UnreadableFile {
  readonly path: string;
  readonly table: string;
  readonly reason: string;
}

/** Whether a query may have failed because of a file: it was understood, and took no more than it may. */
export const mayBeOfDamage = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof QueryError && error.cause.problem.ran && error.cause.problem.error !== TOO_MUCH;

/** Compares the files that a query reads with their checksums, and finds those that are damaged. */
export async function unreadableFiles(tables: readonly StoredTable[], sql: string): Promise<UnreadableFile[]> {
  const needed = new Set(neededTables(askedTables(tables), sql).map(({ name }) => name));
  const found: UnreadableFile[] = [];
  for (const { name: table, files } of tables)
    if (needed.has(table) || needed.has(ALL))
      for (const { path } of files) {
        const reason = await damageIn(path);
        if (reason !== null) found.push({ path, table, reason });
      }
  return found;
}

/** Damage of the values of a file; null: none. */
export async function damageIn(path: string): Promise<string | null> {
  const { checkPages } = await import('../../parquet/read/check-pages.ts');
  try {
    const { bytes } = await readRegularFile(path, MOST_FILE_BYTES);
    if (checkPages(bytes)) return null;
    // A file of an earlier version has no checksums: its values are read.
    const { TableReader } = await import('../../parquet/read/table-reader.ts');
    const batches = TableReader.of(bytes).batches();
    while (batches.next().done !== true);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Warning about such a file. */
export const wordsOf = ({ path, table, reason }: UnreadableFile): string =>
  `${path} is damaged (${reason}): its rows of the table ${table} are missing; remove the file and import its source again`;
