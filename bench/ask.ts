import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed, type Times } from './anchors/timed.ts';
import { isInstalled, LNAV, RIPGREP } from './installed.ts';
import { generatedLog } from './logs.ts';
import { median, progress, type Benchmark, type Figure } from './report.ts';
import { folder, root } from './samples.ts';

const COMMAND = join(root, 'bin', 'sluicebox');
/** As users start it: the shell becomes the engine's Node. */
const SLUICEBOX = process.platform === 'win32' ? [process.execPath, COMMAND] : [COMMAND];
const STORE = join(folder, 'store');

/** Something that is asked of a log. */
interface Work {
  readonly what: string;
  readonly command: (log: string, table: string) => readonly string[];
  /** Does it to a store that is new. */
  readonly renewsStore?: boolean;
}

/** Questions in SQL to the table of an access log. */
const QUESTIONS: Readonly<Record<string, (table: string) => string>> = {
  'status counts': (table) => `SELECT status, count(*) FROM ${table} GROUP BY 1`,
  'top ten clients': (table) => `SELECT remote_addr, count(*) FROM ${table} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
  'per hour, 5xx': (table) => `SELECT date_trunc('hour', Timestamp), count(*) FROM ${table} WHERE status >= 500 GROUP BY 1`,
  "LIKE '%…%'": (table) => `SELECT count(*) FROM ${table} WHERE request LIKE '%items/12%'`,
};
const PATTERN = 'items/[0-9]+\\?q=[0-9]{5}[0-3]';

const lnav = (sql: string) => (log: string) => ['lnav', '-n', '-c', `;${sql}`, log];

const WORKS: readonly Work[] = [
  ...(isInstalled(LNAV) ? [{ what: 'lnav: status counts', command: lnav('SELECT sc_status, count(*) FROM access_log GROUP BY 1') }] : []),
  {
    what: 'query: status counts of a new file',
    command: (log, table) => [...SLUICEBOX, 'query', '-q', log, QUESTIONS['status counts']?.(table) ?? ''],
  },
  { what: 'import', command: (log) => [...SLUICEBOX, 'import', '-q', '--store', STORE, log], renewsStore: true },
  { what: 'import again, unchanged', command: (log) => [...SLUICEBOX, 'import', '-q', '--store', STORE, log] },
  ...Object.entries(QUESTIONS).map(([what, sql]): Work => ({
    what: `query --store: ${what}`,
    command: (_, table) => [...SLUICEBOX, 'query', '--store', STORE, sql(table)],
  })),
  ...(isInstalled(RIPGREP) ? [{ what: 'ripgrep', command: (log: string) => ['rg', '--no-config', PATTERN, log] }] : []),
  { what: 'search', command: (log) => [...SLUICEBOX, 'search', PATTERN, log] },
];

/** Measures questions to a log and to a store of it, and searches, beside lnav and ripgrep, each in turn. */
export const askBenchmark: Benchmark = {
  name: 'ask',
  title: 'Questions to a log and to a store of it, and searches; with processor time',
  async run({ lines, rounds }): Promise<Figure[]> {
    const { path } = generatedLog('access', lines);
    // A run before the measured ones fills the caches that the first start makes.
    await timed([...SLUICEBOX, 'query', '-q', generatedLog('access', 1000).path, 'SELECT 1'], { silent: false });
    const times = new Map<string, Times[]>(WORKS.map(({ what }) => [what, []]));
    for (let round = 1; round <= rounds; round++)
      for (const { what, command, renewsStore } of WORKS) {
        progress(`${what}, round ${round} of ${rounds}`);
        if (renewsStore === true) rmSync(STORE, { recursive: true, force: true });
        times.get(what)?.push(await timed(command(path, `access_${lines}`), { silent: false }));
      }
    return WORKS.map(({ what }) => figureOf(what, times.get(what) ?? [], lines));
  },
};

function figureOf(what: string, times: readonly Times[], lines: number): Figure {
  const cpu = median(times.map(({ cpuSeconds }) => cpuSeconds));
  return {
    what,
    value: median(times.map(({ seconds }) => seconds)) * 1000,
    unit: 'ms',
    note: `${cpu.toFixed(2)} s of processor time, ${((cpu / lines) * 1e6).toFixed(2)} µs a line`,
  };
}
