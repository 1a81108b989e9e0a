import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../engine/plugins/parameters.ts';
import { LOG_FORMAT, root } from './samples.ts';

/** The records and the configuration that a decoder is measured with. */
export interface DecoderLoad {
  readonly decoder: string;
  /** Tells several loads of a decoder apart. */
  readonly what?: string;
  readonly config?: Readonly<Config>;
  /** Distinct records, which are repeated. */
  readonly records: () => readonly string[];
}

const DIFFERENT = 5000;
const generated = (record: (i: number) => string) => (): string[] => Array.from({ length: DIFFERENT }, (_, i) => record(i));
const sample = (name: string) => (): string[] =>
  readFileSync(resolve(root, 'resources/samples', name), 'utf8')
    .trimEnd()
    .split('\n');
const two = (n: number): string => String(n).padStart(2, '0');
const time = (i: number): string => `13:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}`;
const address = (i: number): string => `192.0.2.${(i * 7919) % 251}`;
const status = (i: number): number => ([200, 200, 304, 404, 500] as const)[i % 5] as number;

const AUTH = [
  (i: number) =>
    `sshd[${1000 + (i % 900)}]: Accepted publickey for alice from ${address(i)} port ${40_000 + (i % 20_000)} ssh2: ED25519 SHA256:abc${i}`,
  (i: number) =>
    `sshd[${1000 + (i % 900)}]: Failed password for invalid user u${i % 99} from ${address(i)} port ${40_000 + (i % 20_000)} ssh2`,
  (i: number) => `sudo:    alice : TTY=pts/${i % 4} ; PWD=/home/alice ; USER=root ; COMMAND=/bin/systemctl restart app${i % 9}`,
  (i: number) => `CRON[${i % 30_000}]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)`,
];
const KERNEL = [
  (i: number) =>
    `[UFW BLOCK] IN=eth0 OUT= MAC=02:00:5e:10:00:05 SRC=${address(i)} DST=198.51.100.5 LEN=60 TOS=0x00 TTL=118 ID=${i} PROTO=TCP SPT=13851 DPT=23 WINDOW=1024 SYN URGP=0`,
  (i: number) => `usb 1-${i % 9}: new high-speed USB device number ${i % 99} using xhci_hcd`,
];
const SLOW_QUERY = 'SELECT * FROM orders WHERE customer_id = 7 ORDER BY created_at DESC LIMIT 20;\n';
const slowQuery = (i: number, before: string, after: string): string =>
  `# User@Host: app[app] @ dbone [${address(i)}]\n${before}# Query_time: ${i % 90}.200000  Lock_time: 0.000053  Rows_sent: ${i}  Rows_examined: ${i * 7}${after}\nSET timestamp=${1_614_949_679 + i};\n${SLOW_QUERY}`;
const APPLICATION = (i: number) => ({
  level: ['info', 'warn', 'error'][i % 3] as string,
  status: status(i),
  user: `u${i % 99}`,
  path: `/api/items/${i}`,
  dur: (i % 1000) / 1000,
  id: `7f${i}c`,
});

/** A line of the file exporter of the OpenTelemetry collector. */
function exportedLog(i: number): string {
  const { level, ...others } = APPLICATION(i);
  const attributes = Object.entries(others).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
  const logRecord = {
    timeUnixNano: `${1_614_949_679 + i}250000000`,
    severityText: level,
    body: { stringValue: `request ${i} done` },
    attributes,
  };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'orders' }, logRecords: [logRecord] }] }] });
}

/** A load for each bundled decoder. */
export const DECODER_LOADS: readonly DecoderLoad[] = [
  { decoder: 'nginx_access', what: 'combined', config: { log_format: LOG_FORMAT }, records: sample('access.log') },
  {
    decoder: 'nginx_access',
    what: 'combined, user agents told apart',
    config: { log_format: LOG_FORMAT, user_agent_transform: true },
    records: sample('access.log'),
  },
  {
    decoder: 'apache_access',
    what: 'combined',
    config: { log_format: '%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"' },
    records: sample('access.log'),
  },
  {
    decoder: 'nginx_error',
    records: generated(
      (i) =>
        `2021/03/05 ${time(i)} [error] 4123#7: *${i} open() "/srv/x${i}" failed (2: No such file or directory), client: ${address(i)}, server: example.org`,
    ),
  },
  { decoder: 'syslog', what: 'a file of a daemon', records: sample('syslog.log') },
  { decoder: 'syslog', what: 'RFC 5424', records: sample('syslog-5424.log') },
  { decoder: 'rfc3164', records: sample('syslog.log') },
  { decoder: 'rfc5424', records: sample('syslog-5424.log') },
  {
    decoder: 'rsyslog',
    what: 'traditional file format',
    config: { template: '%TIMESTAMP% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%' },
    records: sample('syslog.log'),
  },
  { decoder: 'linux_auth', records: generated((i) => `Mar  5 ${time(i)} box1 ${(AUTH[i % AUTH.length] as (n: number) => string)(i)}`) },
  {
    decoder: 'linux_kern',
    records: generated((i) => `Mar  5 ${time(i)} box1 kernel: [${i}.250000] ${(KERNEL[i % KERNEL.length] as (n: number) => string)(i)}`),
  },
  {
    decoder: 'linux_audit',
    records: generated(
      (i) =>
        `type=SYSCALL msg=audit(${1614949679 + i}.250:${i}): arch=c000003e syscall=257 success=yes exit=3 a0=ffffff9c a1=7ffd ppid=1 pid=${i} auid=1000 uid=0 gid=0 tty=pts0 ses=3 comm="cat" exe="/usr/bin/cat" key="shadow"`,
    ),
  },
  { decoder: 'linux_dpkg', records: generated((i) => `2021-03-05 ${time(i)} status half-configured lib${i}:amd64 2.36-${i % 99}+deb12u1`) },
  {
    decoder: 'graylog_extended',
    records: generated((i) =>
      JSON.stringify({
        version: '1.1',
        host: `h${i % 9}`,
        short_message: `request ${i} failed`,
        timestamp: 1_614_949_679.5 + i,
        level: 3,
        _user_id: i,
        _ok: true,
      }),
    ),
  },
  {
    decoder: 'json_lines',
    records: generated((i) => JSON.stringify({ time: `2021-03-05T${time(i)}.250Z`, msg: `request ${i} done`, ...APPLICATION(i) })),
  },
  { decoder: 'otlp_json', what: 'a log record a line', records: generated(exportedLog) },
  {
    decoder: 'logfmt',
    records: generated(
      (i) =>
        `ts=2021-03-05T${time(i)}.250Z msg="request ${i} done" ${Object.entries(APPLICATION(i))
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}`,
    ),
  },
  {
    decoder: 'key_value',
    records: generated((i) => `SRC=${address(i)} DST=198.51.100.5 LEN=60 TTL=118 ID=${i} PROTO=TCP SPT=13851 DPT=23 SYN`),
  },
  {
    decoder: 'csv',
    config: { header: 'time,message,level,status,user,path,dur,id', number_fields: 'status, dur:s' },
    records: generated((i) => `2021-03-05T${time(i)}.250Z,"request ${i}, done",${Object.values(APPLICATION(i)).join(',')}`),
  },
  {
    decoder: 'regex',
    config: { pattern: '^(?<time>\\S+ \\S+) (?<level>[A-Z]+) +\\[(?<thread>[^\\]]*)\\] (?<class>\\S+) - (?<message>.*)' },
    records: generated((i) => `2021-03-05 ${time(i)},250 WARN  [worker-${i % 9}] org.example.Shop - order ${i} took ${i % 900} ms`),
  },
  { decoder: 'mysql_slow_query', records: generated((i) => slowQuery(i, '', '')) },
  {
    decoder: 'mariadb_slow_query',
    records: generated((i) => slowQuery(i, `# Thread_id: ${i}  Schema: shop  QC_hit: No\n`, '\n# Rows_affected: 0  Bytes_sent: 61')),
  },
  {
    decoder: 'percona_slow_query',
    records: generated((i) =>
      slowQuery(i, `# Schema: shop  Last_errno: 0  Killed: 0\n`, `  Rows_affected: 0\n# Bytes_sent: 61\n# QC_Hit: No  Full_scan: Yes`),
    ),
  },
  { decoder: 'linux_loadavg', records: generated((i) => `0.${two(i % 99)} 0.18 0.12 1/80 ${i + 1}\n`) },
  {
    decoder: 'linux_diskstats',
    records: generated(
      (i) => `   ${20_417 + i}     6120   812944    33108    15990     8843  1204412     7021        2     6190    40133\n`,
    ),
  },
  {
    decoder: 'linux_memstats',
    records: generated((i) => `MemTotal:        2048000 kB\nMemFree:          ${i} kB\nActive(anon):    10 kB\nHugePages_Total:       3\n`),
  },
  {
    decoder: 'linux_procstat',
    records: generated(
      (i) => `cpu  ${i} 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4\nintr 500 1 2\nctxt 115315\nbtime 1600000000\nprocs_running 6\n`,
    ),
  },
  {
    decoder: 'apache_error',
    records: generated(
      (i) => `[Fri Mar 05 ${time(i)}.250000 2021] [core:error] [pid ${i}:tid 139] [client ${address(i)}:50122] AH00126: Invalid URI ${i}`,
    ),
  },
  { decoder: 'program_log', records: generated((i) => `2021-03-05 ${time(i)},250 - shop.db - ERROR - no connection ${i}`) },
  {
    decoder: 'generic',
    records: generated((i) => `2021-03-05 ${time(i)}, ${i % 7 === 0 ? 'Error' : 'Info '}                 CBS    session ${i} initialized`),
  },
  { decoder: 'container_log', records: generated((i) => `2021-03-05T${time(i)}.250000000Z stdout F request ${i} done`) },
  { decoder: 'prefixed_log', records: generated((i) => `web-${i % 9}  | 2021-03-05T${time(i)}.250Z INFO request ${i} done`) },
  {
    decoder: 'aws_cloudwatch',
    records: generated((i) =>
      JSON.stringify({
        logStreamName: `web/${i % 9}`,
        timestamp: 1_614_949_679_250 + i,
        message: JSON.stringify(APPLICATION(i)),
        eventId: String(i).padStart(56, '3'),
      }),
    ),
  },
  { decoder: 'glog', records: generated((i) => `I0305 ${time(i)}.250000    4123 controller.go:87] started ${i}`) },
  {
    decoder: 'haproxy',
    records: generated(
      (i) =>
        `Mar  5 ${time(i)} box1 haproxy[14389]: ${address(i)}:33317 [05/Mar/2021:${time(i)}.655] http-in static/srv1 10/0/30/69/109 ${status(i)} 2750 - - ---- 1/1/1/1/0 0/0 "GET /${i} HTTP/1.1"`,
    ),
  },
  {
    decoder: 'journal_export',
    records: generated(
      (i) => `__REALTIME_TIMESTAMP=${1_614_949_679_250_000 + i}\nPRIORITY=6\n_HOSTNAME=box1\n_PID=${i + 1}\nMESSAGE=request ${i}\n`,
    ),
  },
  {
    decoder: 'php_error',
    records: generated((i) => `[05-Mar-2021 ${time(i)} UTC] PHP Warning:  Undefined variable $x in /srv/a.php on line ${i}`),
  },
  {
    decoder: 'postgresql',
    records: generated((i) => `2021-03-05 ${time(i)}.250 UTC [${i}] app@shop LOG:  duration: ${i}.567 ms  statement: SELECT 1`),
  },
  {
    decoder: 'cmtrace',
    records: generated(
      (i) =>
        `<![LOG[request ${i} done]LOG]!><time="${time(i)}.250-60" date="03-05-2021" component="CcmExec" context="" type="${1 + (i % 3)}" thread="${4000 + (i % 9)}" file="ccmexec.cpp:87">`,
    ),
  },
  {
    decoder: 'log4j_xml',
    records: generated(
      (i) =>
        `<log4j:event logger="org.example.Shop" timestamp="${1_614_949_679_250 + i}" level="ERROR" thread="worker-${i % 9}">\n<log4j:message><![CDATA[request ${i} failed]]></log4j:message>\n</log4j:event>`,
    ),
  },
  { decoder: 'morgan', records: generated((i) => `GET /items/${i} ${status(i)} ${i % 900}.345 ms - ${i}`) },
  { decoder: 'npm', records: generated((i) => `npm ${['ERR!', 'warn', 'info'][i % 3] as string} package ${i} is deprecated`) },
  {
    decoder: 'windows_dhcp',
    records: generated((i) => `10,03/05/21,${time(i)},Assign,${address(i)},box${i}.example.org,0011223344AB,,${i},0,,,,,,,,,0`),
  },
  {
    decoder: 'windows_event_list',
    records: generated(
      (i) =>
        `TimeCreated  : 3/5/2021 1:${time(i).slice(3)} PM\r\nProviderName : Service Control Manager\r\nId           : ${7000 + (i % 99)}\r\nMessage      : Request ${i} is done.`,
    ),
  },
  { decoder: 'redis', records: generated((i) => `4123:M 05 Mar 2021 ${time(i)}.250 * ${i} changes in 60 seconds. Saving...`) },
  {
    decoder: 'squid_access',
    records: generated(
      (i) =>
        `${1_614_949_679 + i}.250    123 ${address(i)} TCP_MISS/${status(i)} 5120 GET http://example.org/${i} - HIER_DIRECT/198.51.100.7 text/html`,
    ),
  },
  {
    decoder: 'w3c_extended',
    config: { fields: 'date time c-ip cs-method cs-uri-stem sc-status time-taken' },
    records: generated((i) => `2021-03-05 ${time(i)} ${address(i)} GET /${i} ${status(i)} 15`),
  },
  {
    decoder: 'aws_access',
    what: 'application load balancer',
    config: { format: 'alb' },
    records: generated(
      (i) =>
        `https 2021-03-05T${time(i)}.250000Z app/shop/50dc6c495c0c9188 ${address(i)}:${40_000 + i} 10.0.0.1:80 0.000 0.00${i % 9} 0.000 ${status(i)} ${status(i)} 34 ${i} "GET https://example.org:443/${i} HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-${i}" "example.org" "-" 0 2021-03-05T${time(i)}.249000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`,
    ),
  },
  {
    decoder: 'aws_access',
    what: 'S3',
    config: { format: 's3' },
    records: generated(
      (i) =>
        `79a59df9 shop-images [05/Mar/2021:${time(i)} +0000] ${address(i)} - 3E57427F3${i} REST.GET.OBJECT a/${i}.png "GET /a/${i}.png HTTP/1.1" ${status(i)} - ${i} ${i} 38 12 "-" "aws-cli" - s9lz SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader shop-images.s3.amazonaws.com TLSv1.2 - -`,
    ),
  },
  {
    decoder: 'envoy_access',
    records: generated(
      (i) =>
        `[2021-03-05T${time(i)}.250Z] "GET /api/${i} HTTP/2" ${status(i)} - 154 ${i} ${i % 900} ${i % 800} "${address(i)}" "nsq2http" "cc21d9b0-${i}" "items" "10.0.35.28:80"`,
    ),
  },
  { decoder: 'android_logcat', records: generated((i) => `03-05 ${time(i)}.250  1234  ${i} W ActivityManager: Slow operation ${i}: 52ms`) },
  {
    decoder: 'cisco',
    records: generated(
      (i) =>
        `<166>Mar 05 2021 ${time(i)} fw1 : %ASA-6-302013: Built outbound TCP connection ${i} for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.5/${40_000 + i} (198.51.100.5/${40_000 + i})`,
    ),
  },
  {
    decoder: 'zeek',
    config: { fields: 'ts uid id.orig_h id.orig_p proto duration orig_bytes', types: 'time string addr port enum interval count' },
    records: generated((i) => `${1_614_949_679 + i}.250001\tCHhAvVGS${i}\t${address(i)}\t${40_000 + (i % 20_000)}\ttcp\t0.4${i}\t${i}`),
  },
  {
    decoder: 'influx_line',
    records: generated(
      (i) => `weather,city=Bern,host=box${i % 9} temperature=21.${i % 10},station=${i}i,note="dry" ${1_614_949_679 + i}250000000`,
    ),
  },
  { decoder: 'grok', config: { match: '%{COMBINEDAPACHELOG}' }, records: sample('access.log') },
  {
    decoder: 'journal_short',
    records: generated((i) => `Mar 05 ${time(i)} box1 sshd[${1000 + (i % 900)}]: Server listening on port ${i}.`),
  },
  {
    decoder: 'cef',
    records: generated(
      (i) =>
        `<134>Mar  5 ${time(i)} gate1 CEF:0|Example|Guard|2.1|100|Port scan|7|rt=${1_614_949_679_250 + i} src=${address(i)} spt=4711 cs1Label=Policy cs1=a \\= b msg=two words in=${i}`,
    ),
  },
  {
    decoder: 'leef',
    records: generated(
      (i) =>
        `Mar  5 ${time(i)} ${address(i)} LEEF:1.0|Example|Guard|2.1|15345|devTime=Mar 05 2021 ${time(i)}.250\tsrc=${address(i)}\tdstPort=${i}\tsev=5\tcat=scan\tmsg=a=b, two words`,
    ),
  },
  {
    decoder: 'windows_event_csv',
    config: { header: 'Level,Date and Time,Source,Event ID,Task Category' },
    records: generated((i) => `Warning,3/5/2021 1:${two(i % 60)}:59 PM,Disk,${i},None,"The IO operation was retried, see ""Disk 0""."`),
  },
  {
    decoder: 'windows_event_xml',
    records: generated(
      (i) =>
        `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing' Guid='{54849625}'/><EventID>4625</EventID><Level>0</Level><TimeCreated SystemTime='2021-03-05T${time(i)}.2501234Z'/><EventRecordID>${i}</EventRecordID><Execution ProcessID='636' ThreadID='688'/><Channel>Security</Channel><Computer>box1.example.org</Computer></System><EventData><Data Name='TargetUserName'>u${i % 99}</Data></EventData></Event>`,
    ),
  },
  {
    decoder: 'aws_cloudtrail',
    records: generated((i) =>
      JSON.stringify({
        eventVersion: '1.08',
        userIdentity: { type: 'IAMUser', userName: `u${i % 99}` },
        eventTime: `2021-03-05T${time(i)}Z`,
        eventName: 'GetObject',
        sourceIPAddress: address(i),
        requestParameters: { key: `a${i}` },
      }),
    ),
  },
  {
    decoder: 'suricata_eve',
    records: generated((i) =>
      JSON.stringify({
        timestamp: `2021-03-05T${time(i)}.250123+0100`,
        flow_id: i,
        event_type: 'alert',
        src_ip: address(i),
        src_port: 50_096,
        proto: 'TCP',
        alert: { action: 'allowed', signature_id: 2_018_358, signature: 'EXAMPLE suspicious POST', severity: 2 },
      }),
    ),
  },
  {
    decoder: 'kubernetes_audit',
    records: generated((i) =>
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'Metadata',
        auditID: `9b${i}`,
        stage: 'ResponseComplete',
        verb: 'list',
        requestURI: '/api/v1/secrets',
        user: { username: `u${i % 99}`, groups: ['dev'] },
        sourceIPs: [address(i)],
        objectRef: { resource: 'secrets', apiVersion: 'v1' },
        responseStatus: { metadata: {}, code: status(i) },
        requestReceivedTimestamp: `2021-03-05T${time(i)}.250123Z`,
      }),
    ),
  },
];
