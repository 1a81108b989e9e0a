import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decoder } from './support/decode.ts';
import type { Value } from './support/message.ts';

/** 2021-03-05T13:07:59Z. */
const SECOND = 1_614_949_679n;

/** A way to write a time: a record for a fraction of so many digits at most, or of exactly so many. */
interface Form {
  readonly decoder: string;
  readonly config?: Record<string, Value>;
  readonly digits: number;
  readonly fixed?: true;
  readonly record: (fraction: string) => string;
}

const ISO = '2021-03-05T13:07:59';
const SLOW_HEAD = '# User@Host: app[app] @ dbone [10.1.2.3]  Id:     8\n';
const SLOW_PAIRS = '# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\n';

const FORMS: readonly Form[] = [
  { decoder: 'syslog', digits: 9, record: (f) => `<165>1 ${ISO}.${f}Z h app 1 ID - text` },
  { decoder: 'syslog', digits: 9, record: (f) => `<165>1 2021-03-05T14:07:59.${f}+01:00 h app 1 ID - text` },
  { decoder: 'syslog', digits: 9, record: (f) => `Mar  5 13:07:59.${f} h app[1]: text` },
  { decoder: 'syslog', config: { tz: 'Europe/Berlin' }, digits: 9, record: (f) => `Mar  5 14:07:59.${f} h app[1]: text` },
  { decoder: 'syslog', digits: 9, record: (f) => `Mar  5 2021 13:07:59.${f} h app[1]: text` },
  { decoder: 'rfc5424', digits: 9, record: (f) => `<165>1 ${ISO}.${f}Z h app 1 ID [a@1 b="c"] text` },
  { decoder: 'rfc3164', digits: 9, record: (f) => `<34>Mar  5 13:07:59.${f} h app[1]: text` },
  { decoder: 'rfc3164', digits: 9, record: (f) => `<34>${ISO}.${f}Z h app[1]: text` },
  { decoder: 'rfc3164', digits: 6, fixed: true, record: (f) => `1614949679.${f} h app[1]: text` },
  { decoder: 'rfc3164', digits: 9, record: (f) => `Fri 2021-03-05 13:07:59.${f} UTC h app[1]: text` },
  { decoder: 'linux_auth', digits: 9, record: (f) => `${ISO}.${f}Z h sshd[1]: Accepted publickey for root from 192.0.2.1 port 1 ssh2` },
  { decoder: 'linux_kern', digits: 9, record: (f) => `${ISO}.${f}Z h kernel: [1.000000] text` },
  { decoder: 'linux_kern', digits: 6, fixed: true, record: (f) => `${ISO},${f}+00:00 text` },
  { decoder: 'linux_audit', digits: 9, record: (f) => `type=CWD msg=audit(1614949679.${f}:7): cwd="/"` },
  { decoder: 'cisco', digits: 9, record: (f) => `<189>12: Mar  5 13:07:59.${f}: %SYS-5-CONFIG_I: Configured` },
  { decoder: 'cisco', digits: 9, record: (f) => `${ISO}.${f}Z h %ASA-6-305011: Built` },
  { decoder: 'rsyslog', config: { template: '%TIMESTAMP:::date-rfc3339% %msg%' }, digits: 9, record: (f) => `${ISO}.${f}Z text` },
  {
    decoder: 'rsyslog',
    config: { template: '%timereported:::date-subseconds% %msg%' },
    digits: 9,
    fixed: true,
    record: (f) => `1614949679${f} m`,
  },
  { decoder: 'nginx_access', config: { log_format: '$msec $status' }, digits: 9, record: (f) => `1614949679.${f} 200` },
  { decoder: 'nginx_access', config: { log_format: '[$time_iso8601] $status' }, digits: 9, record: (f) => `[${ISO}.${f}+00:00] 200` },
  { decoder: 'apache_access', config: { log_format: '%{msec}t %h' }, digits: 3, fixed: true, record: (f) => `1614949679${f} 192.0.2.1` },
  {
    decoder: 'apache_access',
    config: { log_format: '%{end:usec}t %h' },
    digits: 6,
    fixed: true,
    record: (f) => `1614949679${f} 192.0.2.1`,
  },
  { decoder: 'apache_error', digits: 9, record: (f) => `[Fri Mar 05 13:07:59.${f} 2021] [core:error] [pid 1] x` },
  { decoder: 'apache_error', config: { log_format: '[%{uc}t] [%l] %M' }, digits: 9, record: (f) => `[2021-03-05 13:07:59.${f}] [error] x` },
  { decoder: 'graylog_extended', digits: 9, record: (f) => `{"version":"1.1","host":"h","timestamp":1614949679.${f},"_a":1}` },
  { decoder: 'generic', digits: 9, record: (f) => `05.03.2021 13:07:59.${f} INFO text` },
  { decoder: 'generic', config: { tz: 'Europe/Berlin' }, digits: 9, record: (f) => `[5. März 14:07:59,${f}] text` },
  { decoder: 'generic', digits: 9, record: (f) => `box1 1614949679.${f} text` },
  { decoder: 'generic', digits: 9, record: (f) => `{"time":"${ISO}.${f}Z","a":1}` },
  { decoder: 'json_lines', digits: 9, record: (f) => `{"time":"${ISO}.${f}Z","a":1}` },
  {
    decoder: 'json_lines',
    config: { time_field: 'log.ts' },
    digits: 9,
    record: (f) => `{"n":1614949679.5,"log":{"ts":1614949679.${f}},"x":"1614949679"}`,
  },
  { decoder: 'json_lines', digits: 9, record: (f) => `{"n":1614949679.25,"a":"ts","ts":1614949679.${f}}` },
  { decoder: 'json_lines', digits: 9, record: (f) => `{"ts": 1614949679.${f} }` },
  { decoder: 'json_lines', digits: 3, fixed: true, record: (f) => `{"ts":1614949679${f}}` },
  { decoder: 'json_lines', digits: 6, fixed: true, record: (f) => `{"ts":1614949679${f}}` },
  { decoder: 'json_lines', digits: 9, fixed: true, record: (f) => `{"ts":1614949679${f}}` },
  { decoder: 'json_lines', digits: 6, fixed: true, record: (f) => `{"ts":1614949679${f.slice(0, 3)}.${f.slice(3)}}` },
  { decoder: 'logfmt', digits: 9, record: (f) => `ts=${ISO}.${f}Z level=warn msg=x` },
  { decoder: 'logfmt', digits: 9, record: (f) => `ts=1614949679.${f} level=warn msg=x` },
  { decoder: 'key_value', digits: 9, record: (f) => `time=${ISO}.${f}Z level=warn msg=x` },
  { decoder: 'csv', config: { header: 'time,path' }, digits: 9, record: (f) => `${ISO}.${f}Z,/a` },
  { decoder: 'csv', config: { header: 'time,path', number_fields: 'time' }, digits: 9, record: (f) => `1614949679.${f},/a` },
  { decoder: 'regex', config: { pattern: '^(?<time>\\S+) (?<message>.*)' }, digits: 9, record: (f) => `${ISO}.${f}Z x` },
  { decoder: 'container_log', digits: 9, record: (f) => `${ISO}.${f}Z stderr F no connection` },
  {
    decoder: 'otlp_json',
    digits: 9,
    fixed: true,
    record: (f) => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1614949679${f}"}]}]}]}`,
  },
  { decoder: 'container_log', digits: 9, record: (f) => `{"log":"x\\n","stream":"stdout","time":"${ISO}.${f}Z"}` },
  { decoder: 'prefixed_log', digits: 9, record: (f) => `[pod/web-1/nginx] ${ISO}.${f}Z up` },
  { decoder: 'prefixed_log', digits: 9, record: (f) => `web-1  | {"time":"${ISO}.${f}Z","msg":"x"}` },
  { decoder: 'aws_cloudwatch', digits: 9, record: (f) => `{"timestamp":"${ISO}.${f}Z","message":"x"}` },
  { decoder: 'journal_export', digits: 6, fixed: true, record: (f) => `__REALTIME_TIMESTAMP=1614949679${f}\nMESSAGE=x\n` },
  { decoder: 'android_logcat', digits: 9, record: (f) => `[ 2021-03-05 14:07:59.${f} +0100  1234: 5678 I/dalvikvm ]\nfirst\n\n` },
  { decoder: 'aws_access', config: { format: 's3' }, digits: 0, record: () => s3Line() },
  {
    decoder: 'aws_access',
    config: { format: 'elb' },
    digits: 9,
    record: (f) => `${ISO}.${f}Z lb 192.0.2.1:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 29 "GET http://h:80/ HTTP/1.1"`,
  },
  {
    decoder: 'envoy_access',
    digits: 9,
    record: (f) => `[${ISO}.${f}Z] "GET / HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "a" "b" "c" "10.0.35.28:80"`,
  },
  { decoder: 'glog', digits: 6, fixed: true, record: (f) => `I20210305 13:07:59.${f}  4123 main.cc:12] started` },
  { decoder: 'haproxy', digits: 3, fixed: true, record: (f) => `192.0.2.1:34549 [05/Mar/2021:13:07:59.${f}] fe1/1: SSL handshake failure` },
  { decoder: 'postgresql', digits: 3, fixed: true, record: (f) => `2021-03-05 13:07:59.${f} UTC [4123] app@shop LOG:  x` },
  { decoder: 'program_log', digits: 3, fixed: true, record: (f) => `2021-03-05 13:07:59,${f} - shop.db - ERROR - no connection` },
  { decoder: 'program_log', digits: 6, fixed: true, record: (f) => `${ISO}.${f}Z 0 [Warning] [MY-010068] [Server] x` },
  { decoder: 'redis', digits: 3, fixed: true, record: (f) => `4123:M 05 Mar 2021 13:07:59.${f} * Ready` },
  {
    decoder: 'squid_access',
    digits: 3,
    fixed: true,
    record: (f) => `1614949679.${f}    123 192.0.2.1 TCP_MISS/200 5120 GET http://e.org/ - HIER_NONE/- text/html`,
  },
  { decoder: 'zeek', config: { fields: 'ts uid', types: 'time string' }, digits: 9, record: (f) => `1614949679.${f}\tC1` },
  { decoder: 'w3c_extended', config: { fields: 'date time c-ip' }, digits: 9, record: (f) => `2021-03-05 13:07:59.${f} 192.0.2.1` },
  { decoder: 'mysql_slow_query', digits: 6, record: (f) => `${SLOW_HEAD}${SLOW_PAIRS}SET timestamp=1614949679.${f};\nSELECT 1;\n` },
  {
    decoder: 'mariadb_slow_query',
    digits: 6,
    record: (f) => `${SLOW_HEAD}# Thread_id: 5  Schema: shop  QC_hit: No\n${SLOW_PAIRS}SET timestamp=1614949679.${f};\nSELECT 1;\n`,
  },
  {
    decoder: 'percona_slow_query',
    digits: 6,
    record: (f) =>
      `${SLOW_HEAD}# Schema: shop  Last_errno: 0  Killed: 0\n${SLOW_PAIRS.trim()}  Rows_affected: 0\n# Bytes_sent: 10\nSET timestamp=1614949679.${f};\nSELECT 1;\n`,
  },
  { decoder: 'cef', digits: 9, record: (f) => `${ISO}.${f}Z h CEF:0|V|P|1|7|Name|5|a=b` },
  { decoder: 'cef', digits: 9, record: (f) => `CEF:0|V|P|1|7|Name|5|rt=Mar 05 2021 13:07:59.${f} UTC a=b` },
  { decoder: 'cef', digits: 3, fixed: true, record: (f) => `CEF:0|V|P|1|7|Name|5|a=b end=1614949679${f}` },
  { decoder: 'leef', digits: 9, record: (f) => `LEEF:1.0|V|P|1|7|devTime=Mar 05 2021 13:07:59.${f}\ta=b` },
  {
    decoder: 'leef',
    digits: 9,
    record: (f) => `LEEF:2.0|V|P|1|7|^|devTime=05.03.2021 14:07:59,${f} +0100^devTimeFormat=dd.MM.yyyy HH:mm:ss,SSS Z`,
  },
  { decoder: 'suricata_eve', digits: 9, record: (f) => `{"timestamp":"${ISO}.${f}+0000","event_type":"flow"}` },
  { decoder: 'aws_cloudtrail', digits: 9, record: (f) => `{"eventVersion":"1.08","eventTime":"${ISO}.${f}Z"}` },
  { decoder: 'kubernetes_audit', digits: 9, record: (f) => `{"stage":"ResponseComplete","stageTimestamp":"${ISO}.${f}Z"}` },
  { decoder: 'journal_short', digits: 6, fixed: true, record: (f) => `Fri 2021-03-05 14:07:59.${f} CET h app[1]: text` },
  { decoder: 'journal_short', digits: 6, fixed: true, record: (f) => `1614949679.${f} h app[1]: text` },
  {
    decoder: 'journal_short',
    config: { boot_time: '2021-03-05T13:07:58Z' },
    digits: 6,
    fixed: true,
    record: (f) => `[    1.${f}] h app[1]: text`,
  },
  { decoder: 'influx_line', digits: 9, fixed: true, record: (f) => `m v=1 1614949679${f}` },
  { decoder: 'influx_line', config: { timestamp_precision: 'ms' }, digits: 3, fixed: true, record: (f) => `m v=1 1614949679${f}` },
  {
    decoder: 'windows_event_xml',
    digits: 9,
    record: (f) => `<Event><System><TimeCreated SystemTime='${ISO}.${f}Z'/></System></Event>`,
  },
  {
    decoder: 'windows_event_csv',
    config: { header: 'Level,Date and Time,Source,Event ID,Task Category' },
    digits: 9,
    record: (f) => `Error,${ISO}.${f}Z,Disk,7,None,x`,
  },
  { decoder: 'grok', config: { match: '%{TIMESTAMP_ISO8601:timestamp} %{WORD:a}' }, digits: 9, record: (f) => `${ISO}.${f}Z x` },
  { decoder: 'grok', config: { match: '^%{NUMBER:timestamp:float} %{WORD:a}' }, digits: 9, record: (f) => `1614949679.${f} x` },
  {
    decoder: 'grok',
    config: { match: '%{GREEDYDATA:timestamp} -', date_formats: 'dd.MM.yyyy HH:mm:ss,SSS' },
    digits: 9,
    record: (f) => `05.03.2021 13:07:59,${f} -`,
  },
];

/** Decoders whose records have no fraction of a second, or no time. */
const WHOLE = [
  'cmtrace',
  'log4j_xml',
  'morgan',
  'npm',
  'windows_dhcp',
  'windows_event_list',
  'linux_diskstats',
  'linux_dpkg',
  'linux_loadavg',
  'linux_memstats',
  'linux_procstat',
  'nginx_error',
  'php_error',
];

function s3Line(): string {
  return '79a59df9 b [05/Mar/2021:13:07:59 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT a.png "GET /a.png HTTP/1.1" 200 - 297 - 38 - "-" "x" -';
}

test('all bundled decoders are here', () => {
  const bundled = readdirSync('plugins/decoders').map((file) => file.replace('.ts', ''));
  expect([...new Set([...FORMS.map((form) => form.decoder), ...WHOLE])].sort()).toEqual(bundled.sort());
});

describe('the fraction of a second is exact', () => {
  test.each(FORMS.map((form, i) => [`${form.decoder} ${i}: ${form.record('25'.padEnd(form.digits, '0').slice(0, form.digits))}`, form]))(
    '%s',
    (_, form) => {
      const { digits, fixed, config = {}, record } = form;
      const decode = decoder(form.decoder, config);
      const timeOf = (fraction: string): unknown => {
        const message = decode(record(fraction));
        return typeof message === 'string' ? message : message['Timestamp'];
      };
      const expected = (fraction: string): string => String(SECOND * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')));
      if (digits === 0) {
        expect(timeOf('')).toBe(expected(''));
        return;
      }
      const fractions = fc
        .tuple(fc.integer({ min: fixed === true ? digits : 1, max: digits }), fc.integer({ min: 0, max: 999_999_999 }))
        .map(([length, value]) => String(value).padStart(9, '0').slice(-length));
      fc.assert(
        fc.property(fractions, (fraction) => {
          expect(timeOf(fraction)).toBe(expected(fraction));
        }),
        { numRuns: 40, examples: [['250'.padEnd(digits, '0').slice(0, digits)], ['9'.repeat(digits)], ['1'.padStart(digits, '0')]] },
      );
    },
  );
});
