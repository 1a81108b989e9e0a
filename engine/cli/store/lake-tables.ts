import type { StoredFile, StoredTable } from '../../ask/tables.ts';
import { nameFor } from '../../ask/table-names.ts';
import { readableSnapshot, type Lake } from '../../catalogue/lake.ts';
import { Exit, type CommandContext } from '../command.ts';
import type { Tables } from '../query/answer.ts';

/** Name of the table for messages without a type. */
const NO_TYPE = 'untyped';

/** The tables of a lake as it is now: one for each type of messages. Their files stay while a query reads them. */
export async function lakeTables(lake: Lake, { complain }: CommandContext): Promise<Tables> {
  const tables = new Map<string, { name: string; files: StoredFile[] }>();
  for (const { path, type, layout, unused, uuids } of (await readableSnapshot(lake)).files.values()) {
    const name = nameFor(type ?? NO_TYPE);
    const table = tables.get(name.toLowerCase()) ?? { name, files: [] };
    tables.set(name.toLowerCase(), table);
    table.files.push({ path: await lake.files.local(path), layout, unused, uuids });
  }
  if (tables.size === 0) complain(`the lake ${lake.files.root} is empty, so there is no table`);
  return { tables: [...tables.values()] satisfies StoredTable[], code: Exit.ok };
}
