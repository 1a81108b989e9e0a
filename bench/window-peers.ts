import { timed } from './anchors/timed.ts';
import { isInstalled, LNAV } from './installed.ts';
import { median, type Figure } from './report.ts';

/** Without a screen, lnav prints what it would show: nothing. */
const NOTHING_SHOWN = [':goto 0', ':hide-lines-after 1970-01-01'];

/** Commands of lnav without its screen: it reads the log, and does so much more. The difference to reading alone is what a user waits for. */
const WORKS: Readonly<Record<string, readonly string[]>> = {
  'starts, reads all and sorts it by time': NOTHING_SHOWN,
  'the same, and a filter by text goes over all': [':filter-in 404', ...NOTHING_SHOWN],
  'the same, and a search finds its next hit from the top': [':goto 0', '/ 503 ', ':next-mark search', ...NOTHING_SHOWN],
  'the same, and it counts by status': [';SELECT sc_status, count(*) FROM access_log GROUP BY 1'],
};

/** The figures of lnav for the file that the window opens; none where it is not installed. Its screen cannot be driven by a script. */
export async function peerFigures(name: string, file: string, rounds: number): Promise<Figure[]> {
  if (!isInstalled(LNAV)) return [];
  const figures: Figure[] = [];
  for (const [what, commands] of Object.entries(WORKS)) {
    const command = ['lnav', '-n', ...commands.flatMap((one) => ['-c', one]), file];
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await timed(command, { silent: false }));
    const cpu = Math.round(median(times.map(({ cpuSeconds }) => cpuSeconds)) * 1000);
    figures.push({
      what: `${name}: lnav ${what}`,
      value: median(times.map(({ seconds }) => seconds)) * 1000,
      unit: 'ms',
      note: `processor time ${cpu} ms`,
    });
  }
  return figures;
}
