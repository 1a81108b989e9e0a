import { terminalColumns } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { serviceFolder } from '../service-folder.ts';
import { parseArguments } from '../settings.ts';
import { headOf, seenService, tableOf } from '../status-table.ts';

const help = `Usage: sluicebox status [--json] CONFIG

Says whether a service runs, by its configuration or its base_dir, since when, and what its plugins have done: messages, refused ones, bytes in disk
buffers, and memory of scripts. The exit code is 0 when it runs, else 1. The service writes these figures into its base_dir with each report, every five
seconds; one without a base_dir writes none.

      --json                prints one JSON object, with all figures of the report
`;

/** Columns where there is no terminal. */
const WIDTH = 80;

export const status: Command = {
  help,
  async run(args, { out }) {
    const { values, positionals } = parseArguments(args, { json: { type: 'boolean', default: false } });
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0) throw new UsageError('status needs one configuration, or the base_dir, of a service.');
    const seen = await seenService(await serviceFolder(given));
    if (values.json) out.add(`${JSON.stringify({ running: seen.isRunning, ...seen.status })}\n`);
    else {
      out.addLine(headOf(seen));
      if (seen.isRunning && seen.status !== null)
        for (const line of tableOf(seen.status, null, terminalColumns() ?? WIDTH)) out.addLine(line);
    }
    return seen.isRunning ? Exit.ok : Exit.none;
  },
};
