import type { Config } from '../../plugins/parameters.ts';
import type { SandboxLimits } from '../../sandbox/types.ts';

/** A filter of the workspace. Every source gets its own, on its own clock: two files of different years cannot mix in one graph. */
export interface FilterTemplate {
  /** Its section in the configuration. */
  readonly name: string;
  /** Bundled name or path of the script. */
  readonly script: string;
  readonly matcher: string;
  /** Only messages that are signed by this name. */
  readonly signer?: string;
  readonly config: Readonly<Config>;
  /** Seconds; on the message clock for files, on the wall clock for live sources. */
  readonly ticker: number;
  readonly limits?: Partial<SandboxLimits>;
  /** Sections of the inputs whose messages it gets; absent: all of them. */
  readonly inputs?: readonly string[];
  /** Sections of the inputs for which someone stopped it. */
  readonly stoppedFor?: readonly string[];
  /** Folders that `require` searches before that of the bundled modules. */
  readonly modules?: readonly string[];
  /** Waits for its first message before it starts, and shows progress while a file is being read. */
  readonly builtIn: boolean;
}

/** Room for a thousand long items, which the default of 63 KiB is not. */
const LARGE_OUTPUT: Partial<SandboxLimits> = { output: 1 << 20, memory: 32 << 20 };
/** The window is told at the end of a file and while it is read anyway; on the message clock more ticks only cost. */
const TICKER = 3600;

const frequent = (name: string, field: string): FilterTemplate => ({
  name,
  script: 'frequent_items',
  matcher: `Fields[${field}] != NIL`,
  config: { message_variable: `Fields[${field}]`, min_output_weight: 0, reset_days: 0 },
  ticker: TICKER,
  limits: LARGE_OUTPUT,
  builtIn: true,
});

/** What a workspace starts with. Their matchers say for which logs they are. */
export const DEFAULT_TEMPLATES: readonly FilterTemplate[] = [
  {
    name: 'http_status',
    script: 'http_status',
    matcher: 'Fields[status] != NIL',
    config: {},
    ticker: TICKER,
    limits: LARGE_OUTPUT,
    builtIn: true,
  },
  frequent('frequent_clients', 'remote_addr'),
  frequent('frequent_requests', 'request'),
  frequent('frequent_programs', 'programname'),
];

const ACCESS_COLUMNS = [
  ...['status', 'request', 'request_method', 'uri', 'remote_addr'],
  ...['body_bytes_sent', 'bytes_sent', 'response_length', 'request_time'],
];
const SYSLOG_COLUMNS = ['programname', 'app-name'];
const SLOW_QUERY_COLUMNS = ['Query_time', 'Rows_examined', 'Rows_sent'];

/** The fields that say most of the records of a decoder, the most telling first. */
const DECODER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  nginx_access: ACCESS_COLUMNS,
  apache_access: ACCESS_COLUMNS,
  nginx_error: [],
  syslog: SYSLOG_COLUMNS,
  rfc3164: SYSLOG_COLUMNS,
  rfc5424: SYSLOG_COLUMNS,
  rsyslog: SYSLOG_COLUMNS,
  linux_auth: ['programname', 'event', 'user', 'remote_addr'],
  linux_kern: ['event'],
  linux_dpkg: ['action', 'package'],
  graylog_extended: ['short_message'],
  mysql_slow_query: SLOW_QUERY_COLUMNS,
  mariadb_slow_query: SLOW_QUERY_COLUMNS,
  percona_slow_query: SLOW_QUERY_COLUMNS,
  haproxy: ['status', 'request', 'frontend', 'server', 'time_total'],
  squid_access: ['status', 'cache_status', 'request_method', 'request_uri', 'remote_addr'],
  w3c_extended: ACCESS_COLUMNS,
  container_log: ['stream'],
  program_log: [],
  apache_error: ['module', 'code', 'remote_addr'],
  aws_access: ACCESS_COLUMNS,
  envoy_access: ['status', 'request_method', 'request_uri', 'host', 'request_time'],
  android_logcat: [],
  cisco: ['event', 'src_addr', 'dst_addr', 'dst_port', 'mnemonic'],
  postgresql: ['user', 'database', 'duration', 'level'],
};
const MOST_COLUMNS = 5;
const MOST_OF_OTHERS = 4;

/**
 * The fields that a table of a decoder's records shows unless someone chose others: of those that the records have, those that the decoder
 * is known for, else the first ones, and those last that begin with an underscore: the journal has many of these that it fills in by itself.
 * @param seen names of the fields of its first records, in their order
 */
export function tableColumns(decoder: string, seen: readonly string[]): string[] {
  const known = DECODER_COLUMNS[decoder];
  if (known !== undefined) return known.filter((name) => seen.includes(name)).slice(0, MOST_COLUMNS);
  const shown = seen.filter((name) => !name.startsWith('decode_') && !name.startsWith('__'));
  const isInner = (name: string): boolean => name.startsWith('_');
  return [...shown.filter((name) => !isInner(name)), ...shown.filter(isInner)].slice(0, MOST_OF_OTHERS);
}
