import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed, type Times } from './anchors/timed.ts';
import { isInstalled, LNAV, RIPGREP } from './installed.ts';
import { generatedLog } from './logs.ts';
import { median, progress, type Benchmark, type Figure } from './report.ts';
import { folder, root } from './samples.ts';
import { storingFigures } from './storing.ts';

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
  /** The work that it is compared with in each round. */
  readonly beside?: string;
  /** The work that is a part of it, and is not counted. */
  readonly without?: string;
}

/** Questions in SQL to the table of an access log, and the same to lnav. */
const QUESTIONS: Readonly<Record<string, { readonly own: (table: string) => string; readonly lnav: string }>> = {
  'status counts': {
    own: (table) => `SELECT status, count(*) FROM ${table} GROUP BY 1`,
    lnav: 'SELECT sc_status, count(*) FROM access_log GROUP BY 1',
  },
  'top ten clients': {
    own: (table) => `SELECT remote_addr, count(*) FROM ${table} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
    lnav: 'SELECT c_ip, count(*) FROM access_log GROUP BY 1 ORDER BY 2 DESC LIMIT 10',
  },
  'per hour, 5xx': {
    own: (table) => `SELECT date_trunc('hour', Timestamp), count(*) FROM ${table} WHERE status >= 500 GROUP BY 1`,
    lnav: "SELECT timeslice(log_time, '1h'), count(*) FROM access_log WHERE sc_status >= 500 GROUP BY 1",
  },
  "LIKE '%…%'": {
    own: (table) => `SELECT count(*) FROM ${table} WHERE request LIKE '%items/12%'`,
    lnav: "SELECT count(*) FROM access_log WHERE cs_uri_stem LIKE '%items/12%'",
  },
};
const STATUS_COUNTS = 'status counts';
const PATTERN = 'items/[0-9]+\\?q=[0-9]{5}[0-3]';

const lnav = (log: string, ...queries: readonly string[]): string[] => ['lnav', '-n', ...queries.flatMap((sql) => ['-c', `;${sql}`]), log];
/** The names of works of lnav. */
const cold = (what: string): string => `lnav: ${what}`;
const next = (what: string): string => `lnav: ${what}, as its second question`;

function lnavWorks(): Work[] {
  const [first] = Object.values(QUESTIONS).map((question) => question.lnav) as [string];
  return Object.entries(QUESTIONS).flatMap(([what, question]) => [
    { what: cold(what), command: (log) => lnav(log, question.lnav) },
    { what: next(what), command: (log) => lnav(log, first, question.lnav), without: cold(STATUS_COUNTS) },
  ]);
}

const WORKS: readonly Work[] = [
  ...(isInstalled(LNAV) ? lnavWorks() : []),
  {
    what: 'query: status counts of a new file',
    command: (log, table) => [...SLUICEBOX, 'query', '-q', log, QUESTIONS[STATUS_COUNTS]?.own(table) ?? ''],
    beside: cold(STATUS_COUNTS),
  },
  { what: 'import', command: (log) => [...SLUICEBOX, 'import', '-q', '--store', STORE, log], renewsStore: true },
  { what: 'import again, unchanged', command: (log) => [...SLUICEBOX, 'import', '-q', '--store', STORE, log] },
  ...Object.entries(QUESTIONS).map(([what, { own }]): Work => ({
    what: `query --store: ${what}`,
    command: (_, table) => [...SLUICEBOX, 'query', '--store', STORE, own(table)],
    beside: cold(what),
  })),
  ...(isInstalled(RIPGREP) ? [{ what: 'ripgrep', command: (log: string) => ['rg', '--no-config', PATTERN, log] }] : []),
  { what: 'search', command: (log) => [...SLUICEBOX, 'search', PATTERN, log], beside: 'ripgrep' },
];

/** A log of so many times the lines that were asked for is measured, too. */
const LARGE = 5;

/** Measures questions to a log and to a store of it, and searches, beside lnav and ripgrep, each in turn. */
export const askBenchmark: Benchmark = {
  name: 'ask',
  title: 'Questions to a log and to a store of it, and searches; with processor time',
  async run({ lines, rounds }): Promise<Figure[]> {
    // A run before the measured ones fills the caches that the first start makes.
    await timed([...SLUICEBOX, 'query', '-q', generatedLog('access', 1000).path, 'SELECT 1'], { silent: false });
    return [...(await storingFigures(rounds)), ...(await figuresOf(lines, rounds)), ...(await figuresOf(lines * LARGE, rounds))];
  },
};

async function figuresOf(lines: number, rounds: number): Promise<Figure[]> {
  const { path } = generatedLog('access', lines);
  const times = new Map<string, Times[]>(WORKS.map(({ what }) => [what, []]));
  for (let round = 1; round <= rounds; round++)
    for (const { what, command, renewsStore } of WORKS) {
      progress(`${what}, ${lines.toLocaleString('en')} lines, round ${round} of ${rounds}`);
      if (renewsStore === true) rmSync(STORE, { recursive: true, force: true });
      times.get(what)?.push(await timed(command(path, `access_${lines}`), { silent: false }));
    }
  for (const { what, without } of WORKS) {
    const parts = without === undefined ? [] : (times.get(without) ?? []);
    if (parts.length > 0)
      times.set(
        what,
        (times.get(what) ?? []).map((whole, round) => difference(whole, parts[round] as Times)),
      );
  }
  return WORKS.map((work) => figureOf(work, times, lines));
}

const difference = (whole: Times, part: Times): Times => ({
  seconds: whole.seconds - part.seconds,
  cpuSeconds: whole.cpuSeconds - part.cpuSeconds,
});

function figureOf({ what, beside }: Work, times: ReadonlyMap<string, readonly Times[]>, lines: number): Figure {
  const own = times.get(what) ?? [];
  const cpu = median(own.map(({ cpuSeconds }) => cpuSeconds));
  const spent = `${cpu.toFixed(2)} s of processor time, ${((cpu / lines) * 1e6).toFixed(2)} µs a line`;
  const ratios = [...besideOf(what, beside)].flatMap((other) => ratio(own, times.get(other) ?? [], other));
  return {
    what: `${lines.toLocaleString('en')} lines, ${what}`,
    value: median(own.map(({ seconds }) => seconds)) * 1000,
    unit: 'ms',
    note: [spent, ...ratios].join('; '),
  };
}

/** A question to a store is also compared with the same one to lnav when that has read the file already. */
const besideOf = (what: string, beside: string | undefined): readonly string[] =>
  beside === undefined ? [] : what.startsWith('query --store: ') ? [beside, next(beside.slice(cold('').length))] : [beside];

/** Compares it with another work, by the medians of the pairs. */
function ratio(own: readonly Times[], others: readonly Times[], name: string): string[] {
  if (others.length === 0) return [];
  const of = (part: keyof Times): string => median(own.map((times, round) => times[part] / (others[round] as Times)[part])).toFixed(2);
  return [`${of('cpuSeconds')} × the processor time and ${of('seconds')} × the time of ${name}`];
}
