import { parseArgs } from 'node:util';
import { Exit, type Command } from '../command.ts';
import { namingOptions } from '../settings.ts';
import type { ManualCommand } from '../manual/man-page.ts';

const help = `Usage: sluicebox manual

Prints the manual page of sluicebox, made from the help of all commands:

  sluicebox manual | man -l -
`;

/** The command `manual`. @param all reads every command's help */
export const manualOf = (all: () => Promise<ManualCommand[]>): Command => ({
  help,
  async run(args, { out }) {
    namingOptions(args, {}, () => parseArgs({ args: [...args], options: {} }));
    const [{ manPage }, { packageVersion }] = await Promise.all([import('../manual/man-page.ts'), import('../../base/product/version.ts')]);
    out.add(manPage(packageVersion(), await all()));
    return Exit.ok;
  },
});
