/** Parameters that several decoders have. Their metas name these constants, and are read without running anything: literals only. */

import { PINO } from './header/severity.ts';

type Parameters = Readonly<Record<string, ParameterMeta>>;

export const TYPE: ParameterMeta = { type: 'string', summary: "The messages' Type." };

export const ZONE: ParameterMeta = {
  type: 'string',
  summary: 'Zone of times without one: UTC, an offset such as +02:00, Local, or an IANA name.',
  default: 'UTC',
};

export const KEEP_LINE: ParameterMeta = { type: 'bool', summary: 'Keep the line as Payload.', default: false };

export const KEEP_RECORD: ParameterMeta = { type: 'bool', summary: 'Keep the record as Payload.', default: false };

export const KEEP_CONTENT: ParameterMeta = { type: 'bool', summary: 'Keep the content of the file as Payload.', default: false };

export const UNWRAP: ParameterMeta = {
  type: 'bool',
  summary: 'Whether a text that is JSON, logfmt or a record of a form that is known becomes headers and fields of its own.',
  default: true,
};

export const KEEP_PREFIX: ParameterMeta = {
  type: 'bool',
  summary: 'Keep what stands in front of the text, as it was written, in the Payload.',
  default: false,
};

/** Parameters of decoders of access logs. */
export const ACCESS_LOG: Parameters = {
  type: TYPE,
  user_agent_transform: {
    type: 'bool',
    summary: 'Turn http_user_agent into user_agent_os, user_agent_browser and user_agent_version.',
    default: false,
  },
  user_agent_rules: {
    type: 'string',
    summary: 'How it is read: contract, by a few words, or current, by the names of the browsers, robots and programs of today.',
    values: ['contract', 'current'],
    default: 'contract',
  },
  user_agent_keep: { type: 'bool', summary: 'Keep http_user_agent also when it is transformed.', default: false },
  user_agent_conditional: { type: 'bool', summary: 'Keep http_user_agent when no browser was found in it.', default: false },
  payload_keep: KEEP_LINE,
};

/** Parameters of decoders of slow query logs. */
export const SLOW_QUERY: Parameters = {
  truncate_sql: { type: 'int', summary: 'Most bytes of a statement that are kept; a negative number cuts that many off its end.' },
};

/** Parameters of decoders of records with named fields, besides the names of the fields that become headers. */
export const NAMED_FIELDS: Parameters = {
  time_format: { type: 'string', summary: "Form of the time, in strftime's specifiers; all usual forms when it is empty.", default: '' },
  tz: ZONE,
  severity_scale: {
    type: 'string',
    summary:
      'What numbers mean: pino (and bunyan; 30 is info), python (20 is info), monolog (200 is info), opentelemetry (9 is info), nextcloud (0 debug to 4 fatal) or windows (1 critical to 5 verbose). With the first two, 0 to 7 are those of syslog.',
    default: PINO,
    values: [PINO, 'python', 'monolog', 'opentelemetry', 'nextcloud', 'windows'],
  },
  type: TYPE,
  payload_keep: { type: 'bool', summary: 'Keep the record as Payload; the message is a field then.', default: false },
};

/** Parameters of decoders of lines of names and values. */
export const PAIRS: Parameters = {
  hostname_field: { type: 'string', summary: 'Names of the Hostname.', default: 'hostname' },
  logger_field: { type: 'string', summary: 'Names of the Logger.', default: 'logger' },
  pid_field: { type: 'string', summary: 'Names of the Pid.', default: 'pid' },
  number_fields: {
    type: 'string',
    summary:
      'Which values are numbers, with commas between the names, and their units: status, bytes:B. * stands for all plain numbers; 007 and 1.10 stay texts.',
    default: '*',
  },
};
