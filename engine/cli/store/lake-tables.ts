import { ALL, type StoredFile, type StoredTable } from '../../ask/tables.ts';
import type { LakeFile } from '../../catalogue/commit.ts';
import { neededTables } from '../../ask/needed-tables.ts';
import { nameFor, UNTYPED } from '../../ask/table-names.ts';
import { readableSnapshot, type Lake } from '../../catalogue/lake.ts';
import { Exit, type CommandContext } from '../command.ts';
import type { Tables } from '../query/answer.ts';

/** Files of a bucket that are fetched at a time. */
const AT_A_TIME = 8;

/** The tables of a lake as it is now that a query may mean: one for each type of messages. Their files stay while it reads them. */
export async function lakeTables(lake: Lake, sql: string, { complain }: Pick<CommandContext, 'complain'>): Promise<Tables> {
  const tables = new Map<string, { name: string; files: LakeFile[] }>();
  for (const file of (await readableSnapshot(lake)).files.values()) {
    const name = nameFor(file.type ?? UNTYPED);
    const table = tables.get(name.toLowerCase()) ?? { name, files: [] };
    tables.set(name.toLowerCase(), table);
    table.files.push(file);
  }
  if (tables.size === 0) complain(`the lake ${lake.files.root} is empty, so there is no table`);
  const names = [ALL, ...[...tables.values()].map(({ name }) => name)];
  const needed = new Set(
    neededTables(
      names.map((name) => ({ name, select: '' })),
      sql,
    ).map(({ name }) => name),
  );
  const asked = [...tables.values()].filter(({ name }) => needed.has(ALL) || needed.has(name));
  return { tables: await Promise.all(asked.map((table) => storedTable(lake, table))), code: Exit.ok };
}

async function storedTable(
  lake: Lake,
  { name, files }: { readonly name: string; readonly files: readonly LakeFile[] },
): Promise<StoredTable> {
  const stored: StoredFile[] = [];
  for (let from = 0; from < files.length; from += AT_A_TIME)
    stored.push(
      ...(await Promise.all(
        files
          .slice(from, from + AT_A_TIME)
          .map(async ({ path, layout, unused, uuids }) => ({ path: await lake.files.local(path), layout, unused, uuids })),
      )),
    );
  return { name, files: stored };
}
