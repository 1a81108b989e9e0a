import { parseArgs } from 'node:util';
import { Exit, UsageError, type Command } from '../command.ts';
import { checkedConfig } from '../configuration.ts';

const help = `Usage: sluicebox check CONFIG…

Checks configurations, each a TOML file or a folder of them, and prints everything that is wrong with its file and line. The exit
code is 0 when nothing is, else 1. Warnings name what can be run but does less than it says.
`;

export const check: Command = {
  help,
  async run(args, { out }) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    if (positionals.length === 0) throw new UsageError('check needs a configuration.');
    let wrong = 0;
    for (const path of positionals) {
      const { problems, warnings } = await checkedConfig(path);
      for (const problem of problems) out.add(`${problem}\n`);
      for (const warning of warnings) out.add(`warning: ${warning}\n`);
      wrong += problems.length;
      if (problems.length === 0) out.add(`${path}: no problems\n`);
    }
    return wrong === 0 ? Exit.ok : Exit.failed;
  },
};
