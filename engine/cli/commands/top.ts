import { setTimeout as delay } from 'node:timers/promises';
import { printableLine } from '../../api/printable.ts';
import { atTerminal, ownText, terminalColumns, terminalRows } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { cutTo } from '../display-width.ts';
import { serviceFolder } from '../service-folder.ts';
import { parseArguments } from '../settings.ts';
import type { ServiceStatus } from '../status-file.ts';
import { headOf, seenService, tableOf, type SeenService } from '../status-table.ts';
import { painterOf, wantsColours } from '../view/colours.ts';
import { status } from './status.ts';

const help = `Usage: sluicebox top CONFIG

Shows the figures of status as a table that follows them, with messages per second between the last two reports, until it is interrupted. Where standard
output is no terminal, it prints what status prints, once. CONFIG is the configuration or the base_dir of a service.
`;

const LOOK_MS = 1000;
const WIDTH = 80;
const HEIGHT = 24;
/** Another screen without a cursor, and back. */
const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
/** Lines are written over each other, so that nothing flickers. */
const HOME = '\x1b[H';
const END_OF_LINE = '\x1b[K';
const BELOW = '\x1b[J';

export const top: Command = {
  help,
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0) throw new UsageError('top needs one configuration, or the base_dir, of a service.');
    if (!atTerminal()) return status.run([given], context);
    const folder = await serviceFolder(given);
    const screen = ownText();
    const { signal } = context;
    const hasColours = wantsColours('auto', true, process.env);
    let [last, before]: (ServiceStatus | null)[] = [null, null];
    screen.write(ENTER);
    try {
      while (!signal.aborted) {
        const seen = await seenService(folder);
        if (seen.status !== null && seen.status.time !== last?.time) [last, before] = [seen.status, last];
        const [width, height] = [terminalColumns() ?? WIDTH, terminalRows() ?? HEIGHT];
        screen.write(frameOf(seen, before ?? null, { width, height, hasColours }));
        await delay(LOOK_MS, null, { signal }).catch(() => undefined);
      }
    } finally {
      screen.write(LEAVE);
    }
    return Exit.ok;
  },
};

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly hasColours: boolean;
}

/** One picture, as it is written to the terminal. */
export function frameOf(seen: SeenService, before: ServiceStatus | null, { width, height, hasColours }: Screen): string {
  const { status: found } = seen;
  const [titles = '', ...rows] = seen.isRunning && found !== null ? tableOf(found, before ?? found, width) : [];
  const room = Math.max(0, height - 3);
  const left = rows.length > room ? [`… ${rows.length - room + 1} more`] : [];
  const table = left.length > 0 ? [...rows.slice(0, room - 1), ...left] : rows;
  const shown = [cutTo(printableLine(headOf(seen)), width), '', painterOf(hasColours)(titles, '7'), ...table];
  return `${HOME}${shown.map((line) => line + END_OF_LINE).join('\n')}${BELOW}`;
}
