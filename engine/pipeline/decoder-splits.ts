import type { SplitOptions } from '../inputs/splitters/index.ts';

const LINES: SplitOptions = { kind: 'line' };
const WHOLE: SplitOptions = { kind: 'none' };
/** In front of each entry; the times in front of it, which its `SET timestamp` repeats, stay behind the entry before it. */
const SLOW_QUERIES: SplitOptions = { kind: 'regex', pattern: '\\n(# User@Host:)', delimiterEol: false };

const SPLITS: Readonly<Record<string, SplitOptions>> = {
  mysql_slow_query: SLOW_QUERIES,
  mariadb_slow_query: SLOW_QUERIES,
  percona_slow_query: SLOW_QUERIES,
  linux_memstats: WHOLE,
  linux_procstat: WHOLE,
  linux_loadavg: WHOLE,
  linux_diskstats: WHOLE,
};

/** How a file has to be cut into records for a bundled decoder. */
export function decoderSplit(decoder: string): SplitOptions {
  return SPLITS[decoder] ?? LINES;
}
