import type { LogSource } from './model.ts';

/**
 * The table of the logs that rules are about, by their decoders. Data alone: `program.ts` works by it.
 *
 * The field '' is each text of a record, as keywords are looked for. A field of a rule is written as the places that its value can stand in: a field of the decoder, a header
 * (`@Payload`), a part of a field (`request|path`, see `SLICES`), or a key at any depth of the JSON in a field (`requestObject//hostPath`), or the arguments of a command (`a0*`). A field that is not
 * in the table is one of the decoder, by its own name.
 */

/** Messages of one kind of decoders. */
interface LogKind {
  /** Decoders that make such messages. */
  readonly decoders: readonly string[];
  /** An expression that selects them, whatever Type the user gave them. */
  readonly where: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that its decoders make; null: any that the log has. */
  readonly known: readonly string[] | null;
}

const ACCESS_KNOWN = [
  ...[
    'remote_addr',
    'remote_port',
    'remote_user',
    'request',
    'request_method',
    'request_uri',
    'uri',
    'args',
    'query_string',
    'status',
    'host',
  ],
  ...['body_bytes_sent', 'bytes_sent', 'request_length', 'request_time', 'http_referer', 'http_user_agent', 'http_cookie', 'server_name'],
  ...['server_addr', 'server_port', 'server_protocol', 'sc_win32_status', 's_sitename', 's_computername'],
];

/** The target of a request stands in several fields, by the format of the log. */
const TARGET = ['request|target', 'request_uri', 'uri'];
const ACCESS_FIELDS = {
  'c-ip': ['remote_addr'],
  'cs-username': ['remote_user'],
  'cs-method': ['request_method', 'request|method'],
  'cs-uri': TARGET,
  'c-uri': TARGET,
  // Rules look for paths in it, too.
  'cs-uri-query': TARGET,
  'c-uri-query': ['args', 'query_string', 'request|query', 'request_uri|query'],
  'cs-uri-stem': ['uri', 'request|path', 'request_uri|path'],
  'c-uri-stem': ['uri', 'request|path', 'request_uri|path'],
  'c-uri-extension': ['request|extension', 'request_uri|extension', 'uri|extension'],
  'cs-version': ['server_protocol', 'request|version'],
  'sc-status': ['status'],
  'sc-bytes': ['body_bytes_sent', 'bytes_sent'],
  'cs-bytes': ['request_length'],
  'cs-host': ['host', 'http_host', 'server_name', 'request_uri|host', 'request|host'],
  'r-dns': ['host', 'http_host', 'request_uri|host', 'request|host'],
  'c-useragent': ['http_user_agent'],
  'cs-user-agent': ['http_user_agent'],
  'cs-referer': ['http_referer'],
  'cs-referrer': ['http_referer'],
  'cs-cookie': ['http_cookie'],
  's-ip': ['server_addr'],
  's-port': ['server_port'],
  's-sitename': ['s_sitename'],
  's-computername': ['s_computername', '@Hostname'],
  'c-win32-status': ['sc_win32_status'],
  'time-taken': ['request_time'],
  src_ip: ['remote_addr'],
  dst_ip: ['upstream_addr', 'server_addr'],
} as const;

const WINDOWS_FIELDS = {
  Provider_Name: ['Provider', 'ProviderName'],
  ComputerName: ['@Hostname'],
  Computer: ['@Hostname'],
  Execution_ProcessID: ['@Pid'],
  Execution_ThreadID: ['Execution.ThreadID'],
  Security_UserID: ['Security.UserID'],
  Message: ['@Payload'],
} as const;

const SYSLOG_WHERE = 'Fields[programname] != NIL';

export const LOG_KINDS = {
  access: {
    decoders: ['nginx_access', 'apache_access', 'aws_access', 'w3c_extended', 'morgan', 'envoy_access', 'haproxy'],
    where:
      'Fields[cache_status] == NIL && (Fields[request] != NIL || Fields[request_method] != NIL || Fields[http_user_agent] != NIL && Fields[status] != NIL)',
    fields: ACCESS_FIELDS,
    known: ACCESS_KNOWN,
  },
  proxy: {
    decoders: ['squid_access'],
    where: 'Fields[cache_status] != NIL && Fields[request_uri] != NIL',
    fields: { ...ACCESS_FIELDS, 'cs-host': ['request_uri|host'], 'r-dns': ['request_uri|host'] },
    known: [...ACCESS_KNOWN, 'upstream_addr', 'cache_status', 'hierarchy'],
  },
  syslog: {
    decoders: ['linux_auth', 'syslog', 'rfc3164', 'rfc5424', 'rsyslog', 'journal_short', 'journal_export'],
    where: SYSLOG_WHERE,
    fields: {
      '': ['@Payload', 'programname'],
      message: ['@Payload'],
      Message: ['@Payload'],
      Computer: ['@Hostname'],
      hostname: ['@Hostname'],
      program: ['programname'],
    },
    known: null,
  },
  audit: {
    decoders: ['linux_audit'],
    where: 'Fields[event] != NIL && Fields[type] =~ /^[A-Z][A-Z0-9_]+$/ && Fields[programname] == NIL',
    fields: {
      '': ['@Payload', 'type', 'proctitle'],
      // auditd writes one event as several records, which are looked at together for these.
      Image: ['exe'],
      CommandLine: ['proctitle', 'a0*'],
      CurrentDirectory: ['cwd'],
      User: ['AUID', 'UID'],
      ProcessId: ['pid'],
      ParentProcessId: ['ppid'],
      TargetFilename: ['name'],
      ComputerName: ['@Hostname'],
    },
    known: null,
  },
  windows: {
    decoders: ['windows_event_xml', 'windows_event_csv', 'windows_event_list', 'json_lines'],
    where: 'Fields[EventID] != NIL',
    fields: WINDOWS_FIELDS,
    known: null,
  },
  cloudtrail: {
    decoders: ['aws_cloudtrail'],
    where: 'Fields[eventName] != NIL && Fields[eventSource] != NIL',
    fields: { errorMessage: ['@Payload'] },
    known: null,
  },
  kubernetes: {
    decoders: ['kubernetes_audit'],
    where: 'Fields[verb] != NIL && (Fields[requestURI] != NIL || Fields[stage] != NIL)',
    fields: {
      apiGroup: ['objectRef.apiGroup'],
      hostPath: ['requestObject//hostPath'],
      capabilities: ['requestObject//capabilities'],
    },
    known: null,
  },
  zeek: {
    decoders: ['zeek'],
    where: 'Type =~ /^zeek\\./',
    fields: { answer: ['answers'], record_type: ['qtype_name'], src_ip: ['id.orig_h'], dst_ip: ['id.resp_h'], dst_port: ['id.resp_p'] },
    known: null,
  },
  suricata: {
    decoders: ['suricata_eve'],
    where: 'Fields[event_type] != NIL && Fields[src_ip] != NIL',
    fields: {
      query: ['dns.rrname'],
      answer: ['dns.answers'],
      record_type: ['dns.rrtype'],
      dst_ip: ['dest_ip'],
      dst_port: ['dest_port'],
      'c-uri': ['http.url'],
      'cs-method': ['http.http_method'],
      'cs-host': ['http.hostname'],
      'c-useragent': ['http.http_user_agent'],
    },
    known: null,
  },
  cisco: {
    decoders: ['cisco'],
    where: 'Fields[mnemonic] != NIL',
    fields: { src_ip: ['src_addr'], dst_ip: ['dst_addr'], blocked: ['action'], username: ['user'] },
    known: null,
  },
} as const satisfies Readonly<Record<string, LogKind>>;
export type LogKindName = keyof typeof LOG_KINDS;

/** A log source of rules as messages of some kinds. */
export interface SourceEntry extends LogSource {
  readonly kind: LogKindName;
  /** Narrows the messages of the kind. */
  readonly where?: string;
  /** Fields that have other places here. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** A rule may say more about its source than the entry. */
  readonly any?: boolean;
  /** Neighbouring messages with the same value of this field are looked at as one. */
  readonly together?: string;
}

const program = (pattern: string): string => `Fields[programname] =~ /${pattern}/`;
const sysmon = (...ids: readonly number[]): string =>
  `Fields[Channel] == 'Microsoft-Windows-Sysmon/Operational' && (${ids.map((id) => `Fields[EventID] == ${id}`).join(' || ')})`;
const channel = (...names: readonly string[]): string => `(${names.map((name) => `Fields[Channel] == '${name}'`).join(' || ')})`;
const sysmonEntry = (category: string, ...ids: readonly number[]): SourceEntry => ({
  product: 'windows',
  category,
  kind: 'windows',
  where: sysmon(...ids),
});
const channelEntry = (service: string, ...names: readonly string[]): SourceEntry => ({
  product: 'windows',
  service,
  kind: 'windows',
  where: channel(...names),
});
const POWERSHELL = 'Microsoft-Windows-PowerShell/Operational';

/** Each log source that has a decoder. */
const SOURCES: readonly SourceEntry[] = [
  { category: 'webserver', kind: 'access', any: true },
  { service: 'apache', kind: 'access' },
  { service: 'nginx', kind: 'access' },
  { product: 'apache', kind: 'access', any: true },
  { product: 'nginx', kind: 'access', any: true },
  { category: 'proxy', kind: 'proxy', any: true },
  { category: 'proxy', any: true, kind: 'access', where: 'Fields[request] =~ /^(?:\\S+ \\w+:\\/\\/|CONNECT )/' },
  { product: 'linux', kind: 'syslog' },
  { product: 'linux', kind: 'audit' },
  { product: 'linux', service: 'auditd', kind: 'audit' },
  { product: 'linux', service: 'auth', kind: 'syslog' },
  { product: 'linux', service: 'syslog', kind: 'syslog' },
  { product: 'linux', service: 'sshd', kind: 'syslog', where: program('^sshd') },
  { product: 'linux', service: 'sudo', kind: 'syslog', where: program('^sudo') },
  { product: 'linux', service: 'cron', kind: 'syslog', where: program('(?i)cron') },
  { product: 'linux', service: 'clamav', kind: 'syslog', where: program('(?i)clam') },
  { product: 'linux', service: 'guacamole', kind: 'syslog', where: program('(?i)guac') },
  { product: 'linux', service: 'vsftpd', kind: 'syslog', where: program('(?i)vsftpd') },
  { product: 'linux', category: 'process_creation', kind: 'audit', together: 'event' },
  { product: 'linux', category: 'file_event', kind: 'audit', where: "Fields[type] == 'PATH' && Fields[nametype] == 'CREATE'" },
  { product: 'aws', service: 'cloudtrail', kind: 'cloudtrail' },
  { product: 'kubernetes', kind: 'kubernetes', any: true },
  { category: 'dns', kind: 'zeek', where: "Type == 'zeek.dns'" },
  { category: 'dns', kind: 'suricata', where: "Fields[event_type] == 'dns'" },
  { category: 'firewall', kind: 'zeek', where: "Type == 'zeek.conn'" },
  { category: 'firewall', kind: 'cisco' },
  { product: 'zeek', kind: 'zeek', any: true },
  ...['conn', 'dce_rpc', 'dns', 'http', 'kerberos', 'rdp', 'smb_files', 'ssl', 'x509'].map((service): SourceEntry => ({
    product: 'zeek',
    service,
    kind: 'zeek',
    where: `Type == 'zeek.${service}'`,
  })),
  { product: 'cisco', kind: 'cisco', any: true },
  { product: 'windows', kind: 'windows' },
  sysmonEntry('process_creation', 1),
  {
    product: 'windows',
    category: 'process_creation',
    kind: 'windows',
    where: "Fields[Channel] == 'Security' && Fields[EventID] == 4688",
    fields: {
      Image: ['NewProcessName'],
      ParentImage: ['ParentProcessName'],
      CommandLine: ['CommandLine', 'ProcessCommandLine'],
      User: ['SubjectUserName'],
      LogonId: ['SubjectLogonId'],
      IntegrityLevel: ['MandatoryLabel'],
    },
  },
  sysmonEntry('file_change', 2),
  sysmonEntry('network_connection', 3),
  sysmonEntry('sysmon_status', 4, 16),
  sysmonEntry('process_termination', 5),
  sysmonEntry('driver_load', 6),
  sysmonEntry('image_load', 7),
  sysmonEntry('create_remote_thread', 8),
  sysmonEntry('raw_access_thread', 9),
  sysmonEntry('process_access', 10),
  sysmonEntry('file_event', 11),
  sysmonEntry('registry_event', 12, 13, 14),
  sysmonEntry('registry_add', 12),
  sysmonEntry('registry_delete', 12),
  sysmonEntry('registry_set', 13),
  sysmonEntry('registry_rename', 14),
  sysmonEntry('create_stream_hash', 15),
  sysmonEntry('pipe_created', 17, 18),
  sysmonEntry('wmi_event', 19, 20, 21),
  sysmonEntry('dns_query', 22),
  sysmonEntry('file_delete', 23, 26),
  sysmonEntry('clipboard_capture', 24),
  sysmonEntry('process_tampering', 25),
  sysmonEntry('file_block_executable', 27),
  sysmonEntry('file_executable_detected', 29),
  sysmonEntry('sysmon_error', 255),
  { product: 'windows', category: 'ps_script', kind: 'windows', where: `${channel(POWERSHELL)} && Fields[EventID] == 4104` },
  { product: 'windows', category: 'ps_module', kind: 'windows', where: `${channel(POWERSHELL)} && Fields[EventID] == 4103` },
  {
    product: 'windows',
    category: 'ps_classic_start',
    kind: 'windows',
    where: `${channel('Windows PowerShell')} && Fields[EventID] == 400`,
  },
  {
    product: 'windows',
    category: 'ps_classic_provider_start',
    kind: 'windows',
    where: `${channel('Windows PowerShell')} && Fields[EventID] == 600`,
  },
  channelEntry('security', 'Security'),
  channelEntry('system', 'System'),
  channelEntry('application', 'Application'),
  channelEntry('sysmon', 'Microsoft-Windows-Sysmon/Operational'),
  channelEntry('powershell', POWERSHELL),
  channelEntry('powershell-classic', 'Windows PowerShell'),
  channelEntry('windefend', 'Microsoft-Windows-Windows Defender/Operational'),
  channelEntry('taskscheduler', 'Microsoft-Windows-TaskScheduler/Operational'),
  channelEntry('wmi', 'Microsoft-Windows-WMI-Activity/Operational'),
  channelEntry('bits-client', 'Microsoft-Windows-Bits-Client/Operational'),
  channelEntry('firewall-as', 'Microsoft-Windows-Windows Firewall With Advanced Security/Firewall'),
  channelEntry('dns-client', 'Microsoft-Windows-DNS Client Events/Operational'),
  channelEntry('dns-server', 'DNS Server'),
  channelEntry('ntlm', 'Microsoft-Windows-NTLM/Operational'),
  channelEntry('msexchange-management', 'MSExchange Management'),
  channelEntry('codeintegrity-operational', 'Microsoft-Windows-CodeIntegrity/Operational'),
  channelEntry('appxdeployment-server', 'Microsoft-Windows-AppXDeploymentServer/Operational'),
  channelEntry('openssh', 'OpenSSH/Operational'),
  channelEntry(
    'applocker',
    'Microsoft-Windows-AppLocker/MSI and Script',
    'Microsoft-Windows-AppLocker/EXE and DLL',
    'Microsoft-Windows-AppLocker/Packaged app-Deployment',
    'Microsoft-Windows-AppLocker/Packaged app-Execution',
  ),
];

const KEYS = ['product', 'category', 'service'] as const;

/**
 * The entries that a rule is run on; none: no decoder is known to make such messages, and the rule is run by the names of its fields.
 */
export function entriesOf(source: LogSource): readonly SourceEntry[] {
  const fitting = SOURCES.filter((entry) =>
    KEYS.every((key) => entry[key] === source[key] || (entry.any === true && entry[key] === undefined)),
  );
  const most = Math.max(...fitting.map(depth));
  return fitting.filter((entry) => depth(entry) === most);
}

const depth = (entry: SourceEntry): number => KEYS.filter((key) => entry[key] !== undefined).length;

/** The places of a field of rules. */
export function placesOf(entry: SourceEntry | null, field: string): readonly string[] {
  if (entry === null) return [field];
  const kind: LogKind = LOG_KINDS[entry.kind];
  return own(entry.fields, field) ?? own(kind.fields, field) ?? [field];
}

const own = <V>(table: Readonly<Record<string, V>> | undefined, key: string): V | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** Whether no decoder of an entry makes a field. */
export function isUnknown(entry: SourceEntry, field: string): boolean {
  const { known }: LogKind = LOG_KINDS[entry.kind];
  if (field === '' || known === null) return false;
  return placesOf(entry, field).every((place) => !place.startsWith('@') && !known.includes(place.split('|')[0] as string));
}
