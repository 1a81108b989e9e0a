/** The forms of slow query logs. Metas name these constants, and are read without running anything: literals and constants only. */

/** Cuts before the line of the user. The `# Time` line of an entry stays with the entry before it; `SET timestamp` repeats its time. */
export const SLOW_QUERY_SPLIT: SplitMeta = {
  before: /# User@Host:/,
  // The lines that a server writes when it opens the file, and the time of the first entry.
  preamble: /^(?:.+, Version: .+ started with:|Tcp port: .*|Time\s+Id Command\s+Argument|# Time: .*|)$/i,
};

/** Patterns of the first entry, before which there may be only the lines that a server writes at its start. */
export const SLOW_QUERY_TEXT = [/^(?:[^\n]*\n){0,5}?# (?:Time|User@Host): /, /^# User@Host: .*\[.*\] +@ /m, /^# Query_time: \d/m];

/** Lines that only Percona Server and MariaDB write. */
export const PERCONA_ENTRY = /^# (?:Thread_id: \S+ +)?Schema: .*Last_errno: /m;
export const MARIADB_ENTRY = /^# Thread_id: \d+ +Schema: .*QC_hit: /m;

export const SLOW_QUERY_COLUMNS: readonly string[] = ['Query_time', 'Rows_examined', 'Rows_sent'];
