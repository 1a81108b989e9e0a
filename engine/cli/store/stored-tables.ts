import { EngineError, errorCode } from '../../base/errors.ts';
import { lakeAt } from '../../catalogue/place.ts';
import { Store } from '../../lake/store.ts';
import { Exit, type CommandContext } from '../command.ts';
import { tellBroken } from './complaints.ts';
import { answerFrom, type Asked, type Tables } from '../query/answer.ts';
import { lakeTables } from './lake-tables.ts';
import { mayBeOfDamage, unreadableFiles, wordsOf } from './unreadable-files.ts';

/** Number of attempts to query a store whose files another process merges or replaces before they are read. */
const TRIES = 5;

/** Asks the tables of a store or of a lake. A file that turns out to be damaged is left out, and told. @returns the exit code @throws as `answerFrom` */
export async function askStore(folder: string, asked: Asked, context: CommandContext): Promise<number> {
  let begun = false;
  const print: Asked['print'] = (result, out) => {
    begun = true;
    return asked.print(result, out);
  };
  const lake = await lakeAt(folder);
  const unreadable = new Set<string>();
  for (let left = TRIES; ; left--) {
    const { tables, code } = lake === null ? tablesOf(folder, context, unreadable) : await lakeTables(lake, asked.sql, context);
    try {
      return await answerFrom({ tables, code }, { ...asked, print }, context);
    } catch (error) {
      const isChanged = errorCode(error) === 'store.changed';
      const damaged = lake === null && !isChanged && mayBeOfDamage(error) ? await unreadableFiles(tables, asked.sql) : [];
      if (damaged.length === 0 && !isChanged) throw error;
      for (const file of damaged) {
        unreadable.add(file.path);
        context.complain(wordsOf(file));
      }
      if (begun && damaged.length > 0)
        throw new EngineError('store.unreadable', 'so the answer is not complete: ask again', { cause: error });
      if (begun || left === 1) throw error;
    }
  }
}

/** The tables of a store. Its damaged files are left out, and told; those that were found unreadable are left out, too. */
function tablesOf(folder: string, { complain }: CommandContext, unreadable: ReadonlySet<string>): Tables {
  using opened = Store.toRead(folder);
  const isBroken = tellBroken(opened, complain, { areSetAside: false });
  const tables = opened.tables().flatMap((table) => {
    const files = table.files.filter(({ path }) => !unreadable.has(path));
    return files.length === 0 ? [] : [{ ...table, files }];
  });
  if (tables.length === 0) complain(`the store ${folder} is empty, so there is no table`);
  return { tables, code: isBroken || unreadable.size > 0 ? Exit.trouble : Exit.ok };
}
