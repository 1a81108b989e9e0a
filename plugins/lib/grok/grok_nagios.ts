/** Grok patterns for the logs of Nagios; see `grok_base.ts`. An entry is a kind of event, a colon, and values with semicolons between them. */

/** Values by short names: their two patterns each. */
const VALUES = {
  host: '%{DATA:nagios_hostname|[host][hostname]}',
  service: '%{DATA:nagios_service|[service][name]}',
  state: '%{DATA:nagios_state|[service][state]}',
  soft: '%{DATA:nagios_statetype|[nagios][log][state_type]}',
  tries: '%{DATA:nagios_statecode|[nagios][log][attempt]:int}',
  level: '%{DATA:nagios_statelevel|[nagios][log][state_type]}',
  attempt: '%{INT:nagios_attempt|[nagios][log][attempt]:int}',
  notified: '%{DATA:nagios_notifyname|[user][name]}',
  contact: '%{DATA:nagios_contact|[nagios][log][notification_command]}',
  handler: '%{GREEDYDATA:nagios_event_handler_name|[nagios][log][event_handler_name]}',
  message: '%{GREEDYDATA:nagios_message|message}',
  comment: '%{GREEDYDATA:nagios_comment|[nagios][log][comment]}',
  from: '%{NUMBER:nagios_unknown1|[nagios][log][period_from]:int}',
  to: '%{NUMBER:nagios_unknown2|[nagios][log][period_to]:int}',
  result: '%{GREEDYDATA:nagios_check_result|[nagios][log][check_result]}',
  start: '%{NUMBER:nagios_start_time|[nagios][log][start_time]}',
  end: '%{NUMBER:nagios_end_time|[nagios][log][end_time]}',
  fixed: '%{NUMBER:nagios_fixed|[nagios][log][fixed]}',
  trigger: '%{NUMBER:nagios_trigger_id|[nagios][log][trigger_id]}',
  duration: '%{NUMBER:nagios_duration|[nagios][log][duration]:int}',
  author: '%{DATA:author|[user][name]}',
  remark: '%{GREEDYDATA:comment|[nagios][log][comment]}',
} as const;

type Values = readonly (keyof typeof VALUES)[];

/** The values of each kind of event; a host's are those of a service without `service`. */
const EVENTS: Readonly<Record<string, Values>> = {
  'CURRENT * STATE': ['host', 'service', 'state', 'soft', 'tries', 'message'],
  '* NOTIFICATION': ['notified', 'host', 'service', 'state', 'contact', 'message'],
  '* ALERT': ['host', 'service', 'state', 'level', 'attempt', 'message'],
  '* FLAPPING ALERT': ['host', 'service', 'state', 'message'],
  '* DOWNTIME ALERT': ['host', 'service', 'state', 'comment'],
  'PASSIVE * CHECK': ['host', 'service', 'state', 'comment'],
  '* EVENT HANDLER': ['host', 'service', 'state', 'level', 'handler'],
};

/** The values of each external command. */
const COMMANDS: Readonly<Record<string, Values>> = {
  DISABLE_SVC_CHECK: ['host', 'service'],
  ENABLE_SVC_CHECK: ['host', 'service'],
  DISABLE_HOST_CHECK: ['host'],
  ENABLE_HOST_CHECK: ['host'],
  PROCESS_SERVICE_CHECK_RESULT: ['host', 'service', 'state', 'result'],
  PROCESS_HOST_CHECK_RESULT: ['host', 'state', 'result'],
  SCHEDULE_HOST_DOWNTIME: ['host', 'start', 'end', 'fixed', 'trigger', 'duration', 'author', 'remark'],
  DISABLE_HOST_SVC_NOTIFICATIONS: ['host'],
  ENABLE_HOST_SVC_NOTIFICATIONS: ['host'],
  DISABLE_HOST_NOTIFICATIONS: ['host'],
  ENABLE_HOST_NOTIFICATIONS: ['host'],
  DISABLE_SVC_NOTIFICATIONS: ['host', 'service'],
  ENABLE_SVC_NOTIFICATIONS: ['host', 'service'],
};

/** The kind of an entry, by the pattern that it has. */
const typed = (type: string): string => `%{${typeName(type)}:nagios_type|[nagios][log][type]}`;
const typeName = (type: string): string => `NAGIOS_TYPE_${type.replaceAll(' ', '_')}`;

/** A pattern: its name, and the entry behind the time. */
type Entry = readonly [name: string, expression: string];

/** The values in their order; the last one takes the rest. */
function valuesOf(names: Values): string {
  const last = names.length - 1;
  return names.map((name, i) => (i === last ? VALUES[name].replace('%{DATA:', '%{GREEDYDATA:') : VALUES[name])).join(';');
}

const types = [
  ...Object.keys(EVENTS).flatMap((kind) => ['SERVICE', 'HOST'].map((of) => kind.replace('*', of))),
  'TIMEPERIOD TRANSITION',
  'EXTERNAL COMMAND',
];

const events: readonly Entry[] = Object.entries(EVENTS).flatMap(([kind, names]): Entry[] =>
  ['SERVICE', 'HOST'].map((of) => {
    const type = kind.replace('*', of);
    const own = of === 'HOST' ? names.filter((name) => name !== 'service') : names;
    return [`NAGIOS_${type.replaceAll(' ', '_')}`, `${typed(type)}: ${valuesOf(own)}`];
  }),
);

const commands: readonly Entry[] = Object.entries(COMMANDS).map(([command, names]): Entry => [
  `NAGIOS_EC_LINE_${command}`,
  `${typed('EXTERNAL COMMAND')}: %{NAGIOS_EC_${command}:nagios_command|[nagios][log][command]};${valuesOf(names)}`,
]);

const entries: readonly Entry[] = [
  ['NAGIOS_WARNING', `Warning:\\s*${VALUES.message}`],
  ...events,
  ['NAGIOS_TIMEPERIOD_TRANSITION', `${typed('TIMEPERIOD TRANSITION')}: ${valuesOf(['service', 'from', 'to'])}`],
  ...commands,
];

export const NAGIOS_PATTERNS = `
NAGIOSTIME \\[%{NUMBER:nagios_epoch|timestamp}\\]
${types.map((type) => `${typeName(type)} ${type}`).join('\n')}
${Object.keys(COMMANDS)
  .map((command) => `NAGIOS_EC_${command} ${command}`)
  .join('\n')}
${entries.map(([name, expression]) => `${name} ${expression}`).join('\n')}
NAGIOSLOGLINE %{NAGIOSTIME} (?:${entries.map(([name]) => `%{${name}}`).join('|')})
`;
