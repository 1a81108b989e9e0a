/** The forms of slow query logs. Metas name these constants, and are read without running anything: literals and constants only. */

/** In front of the line of the user: the times in front of an entry, which its `SET timestamp` repeats, stay behind the entry before it. */
export const SLOW_QUERY_SPLIT: SplitMeta = {
  before: /# User@Host:/,
  // What a server says when it opens the file; the time of the first entry.
  preamble: /^(?:.+, Version: .+ started with:|Tcp port: .*|Time\s+Id Command\s+Argument|# Time: .*|)$/i,
};

/** Of the first entry, in front of which stand only the words of a server at its start. */
export const SLOW_QUERY_TEXT = [/^(?:[^\n]*\n){0,5}?# (?:Time|User@Host): /, /^# User@Host: .*\[.*\] +@ /m, /^# Query_time: \d/m];

/** What else servers write. */
export const PERCONA_ENTRY = /^# (?:Thread_id: \S+ +)?Schema: .*Last_errno: /m;
export const MARIADB_ENTRY = /^# Thread_id: \d+ +Schema: .*QC_hit: /m;

export const SLOW_QUERY_COLUMNS: readonly string[] = ['Query_time', 'Rows_examined', 'Rows_sent'];
