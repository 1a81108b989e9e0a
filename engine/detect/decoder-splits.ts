import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { Config } from '../plugins/parameters.ts';

type RegexSplit = Extract<SplitOptions, { kind: 'regex' }>;

const LINES: SplitOptions = { kind: 'line' };
/** What the decoder of delimited values also calls a tab. */
const TABS: ReadonlySet<string> = new Set(['tab', '\\t']);
const WHOLE: SplitOptions = { kind: 'none' };

/** In front of each line that begins so. */
const before = (start: string): RegexSplit => ({ kind: 'regex', pattern: `\\n(${start})`, delimiterEol: false });

/** The times in front of an entry, which its `SET timestamp` repeats, stay behind the entry before it. */
const SLOW_QUERIES: SplitOptions = {
  ...before('# User@Host:'),
  // What a server says when it opens the file; the time of the first entry.
  preamble: /^(?:.+, Version: .+ started with:|Tcp port: .*|Time\s+Id Command\s+Argument|# Time: .*|)$/i,
};
/** A date, perhaps with brackets, a level and a thread, or colours in front of it: lines of a stack trace have none. */
const DATED = before(
  String.raw`(?:\x1b\[[\d;]*m)*\[?(?:\w+ *\]?[:,]?[ \t]+(?:\[[^\]\n]{1,80}\] |\[)?)?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d:\d\d|\d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d)`,
);

const SPLITS: Readonly<Record<string, SplitOptions>> = {
  mysql_slow_query: SLOW_QUERIES,
  mariadb_slow_query: SLOW_QUERIES,
  percona_slow_query: SLOW_QUERIES,
  program_log: DATED,
  glog: before(String.raw`[IWEF]\d{4}`),
  php_error: before(String.raw`\[\d\d-[A-Z][a-z]{2}-\d{4} `),
  android_logcat: before(String.raw`(?:\[ +)?(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.|[VDIWEFA](?:/|\( *\d)|-{5,} beginning of`),
  postgresql: before('[^\\t\\n]'),
  journal_export: { kind: 'regex', pattern: '\\n\\n' },
  linux_memstats: WHOLE,
  linux_procstat: WHOLE,
  linux_loadavg: WHOLE,
  linux_diskstats: WHOLE,
};

/** How a file has to be cut into records for a bundled decoder with these parameters. */
export function decoderSplit(decoder: string, config: Readonly<Config> = {}): SplitOptions {
  if (decoder !== 'csv') return SPLITS[decoder] ?? LINES;
  const delimiter = String(config['delimiter'] ?? ',');
  return { kind: 'csv', delimiter: TABS.has(delimiter) ? '\t' : delimiter };
}
