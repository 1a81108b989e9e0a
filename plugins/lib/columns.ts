/** Columns that several decoders show. Their metas name these constants, and are read without running anything: literals only. */

/** Columns of decoders of access logs. */
export const ACCESS_COLUMNS: readonly string[] = [
  'status',
  'request',
  'request_method',
  'uri',
  'remote_addr',
  'body_bytes_sent',
  'bytes_sent',
  'response_length',
  'request_time',
];

/** Columns of decoders of syslog. */
export const SYSLOG_COLUMNS: readonly string[] = ['programname', 'app-name'];
