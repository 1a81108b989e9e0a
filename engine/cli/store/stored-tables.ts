import { errorCode } from '../../errors.ts';
import { Store } from '../../lake/store.ts';
import { Exit, type CommandContext } from '../command.ts';
import { tellBroken } from './complaints.ts';
import { answerFrom, type Asked, type Tables } from '../query/answer.ts';

/** How often a store is asked whose files another process merges or replaces before they are read. */
const TRIES = 5;

/** Asks the tables of a store. @returns the exit code @throws as `answerFrom` */
export async function askStore(folder: string, asked: Asked, context: CommandContext): Promise<number> {
  let begun = false;
  const print: Asked['print'] = (result, out) => {
    begun = true;
    return asked.print(result, out);
  };
  for (let left = TRIES; ; left--) {
    try {
      return await answerFrom(tablesOf(folder, context), { ...asked, print }, context);
    } catch (error) {
      if (begun || left === 1 || errorCode(error) !== 'store.changed') throw error;
    }
  }
}

/** The tables of a store. Its damaged files are left out, and told. */
function tablesOf(folder: string, { complain }: CommandContext): Tables {
  using opened = Store.toRead(folder);
  const isBroken = tellBroken(opened, complain, { areSetAside: false });
  const tables = opened.tables();
  if (tables.length === 0) complain(`the store ${folder} is empty, so there is no table`);
  return { tables, code: isBroken ? Exit.failed : Exit.ok };
}
