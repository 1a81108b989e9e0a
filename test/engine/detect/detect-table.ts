import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
/** The text of a file of this project. */
export const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
/** These lines with their ends. */
export const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
/** A line that stands there again and again. */
export const times = (line: string, count: number): string => `${line}\n`.repeat(count);

export const COMMON = '203.0.113.9 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120';
export const COMBINED = `${COMMON} "https://example.org/" "Mozilla/5.0"`;
export const NGINX = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
export const NGINX_COMBINED = `${NGINX} "$http_referer" "$http_user_agent"`;
export const APACHE = '%h %l %u %t "%r" %>s';
export const APACHE_COMBINED = `${APACHE} %O "%{Referer}i" "%{User-Agent}i"`;

const SSHD = 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for root from 192.0.2.7 port 50122 ssh2';
export const CRON = 'Mar  5 13:08:01 box1 CRON[4412]: (root) CMD (true)';
const SLOW = '# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000';
const STARTED =
  'mysqld, Version: 8.0.36 (Source). started with:\nTcp port: 3306  Unix socket: /tmp/mysql.sock\nTime                 Id Command    Argument\n';
const user = (connection: string): string => `# Time: 2021-03-05T13:07:59.123456Z\n# User@Host: app[app] @ dbone [10.1.2.3]${connection}\n`;
const QUERY = 'SET timestamp=1614949679;\nSELECT 1\nFROM t;\n';

/** A beginning of a log and the decoder that it needs. */
export interface DetectedLog {
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly config?: object;
  readonly confidence?: number;
}

/** Logs that are no access logs, and the sample ones. */
export const LOGS: readonly DetectedLog[] = [
  {
    title: 'the sample access log',
    text: read('resources/samples/access.log'),
    name: 'nginx_access',
    config: { log_format: NGINX_COMBINED },
  },
  { title: 'the sample syslog', text: read('resources/samples/syslog.log'), name: 'syslog' },
  { title: 'the sample of RFC 5424', text: read('resources/samples/syslog-5424.log'), name: 'syslog' },
  { title: 'syslog with a few lines of sshd', text: lines(SSHD, CRON, CRON, CRON), name: 'syslog' },
  { title: 'syslog with its priority', text: lines(`<34>${CRON}`, `<35>${CRON}`), name: 'syslog' },
  { title: 'tags without colons', text: times('2021-03-05T13:07:59.250+01:00 box1 app[77] started', 3), name: 'syslog' },
  { title: 'syslog with repetitions', text: lines(CRON, 'Mar  5 13:08:01 box1 last message repeated 3 times'), name: 'syslog' },
  { title: "rsyslog's file format", text: lines('2021-03-05T13:07:59.250123+01:00 box1 systemd[1]: Started.'), name: 'syslog' },
  { title: "rsyslog's forwarding format", text: lines('<30>2021-03-05T13:07:59.250123+01:00 box1 systemd[1]: Started.'), name: 'syslog' },
  { title: 'the log of logins', text: lines(SSHD, SSHD, CRON), name: 'linux_auth' },
  {
    title: 'sessions of cron',
    text: times('Mar  5 13:08:01 box1 CRON[4412]: pam_unix(cron:session): session closed for user root', 3),
    name: 'linux_auth',
  },
  { title: 'the log of the kernel', text: times('Mar  5 13:08:01 box1 kernel: [ 12.250000] eth0: link up', 3), name: 'linux_kern' },
  { title: 'dmesg', text: lines('[    0.000000] Linux version 6.1.0', '[  912.250000] [T1] eth0: link up'), name: 'linux_kern' },
  { title: 'records of /dev/kmsg', text: lines('6,339,5140900,-;NET: Registered', '6,340,5140901,-;x'), name: 'linux_kern' },
  {
    title: 'the log of dpkg',
    text: lines('2021-03-05 13:07:59 startup archives unpack', '2021-03-05 13:07:59 upgrade a:amd64 1 2'),
    name: 'linux_dpkg',
  },
  { title: 'the error log of nginx', text: lines('2021/03/05 13:07:59 [error] 4123#7: *99 open() failed'), name: 'nginx_error' },
  {
    title: 'JSON',
    text: lines('{"time":"2021-03-05T14:07:59Z","msg":"a"}', '{"time":"2021-03-05T14:08:59Z","b":{"c":1}}'),
    name: 'json_lines',
  },
  { title: 'one line of JSON', text: '{"level":"info","msg":"started"}', name: 'json_lines' },
  {
    title: 'JSON behind lines of npm',
    text: '\n> app@1.0.0 start\n' + times('{"level":30,"time":1614949679123,"msg":"x"}', 5),
    name: 'json_lines',
    confidence: 5 / 6,
  },
  {
    title: 'JSON whose time has another name',
    text: times('{"@t":"2021-03-05T14:07:59Z","@m":"a"}', 2),
    name: 'json_lines',
    config: { time_field: '@t' },
  },
  {
    title: 'JSON of MongoDB',
    text: times('{"t":{"$date":"2021-03-05T13:07:59.250Z"},"s":"I","msg":"accepted"}', 2),
    name: 'json_lines',
    config: { time_field: 't.$date' },
  },
  {
    title: 'JSON of MongoDB, with all that it has',
    text: times('{"t":{"$date":"2021-03-05T13:07:59.250Z"},"s":"W","c":"NETWORK","id":1,"ctx":"main","msg":"accepted"}', 2),
    name: 'json_lines',
    config: { time_field: 't.$date', severity_field: 's', logger_field: 'c' },
  },
  {
    title: 'JSON of Serilog',
    text: times('{"@t":"2021-03-05T14:07:59Z","@mt":"Hello {name}","@l":"Warning","name":"x"}', 2),
    name: 'json_lines',
    config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' },
  },
  {
    title: 'GELF',
    text: times('{"version":"1.1","host":"h","short_message":"hi","timestamp":1614949679.5,"_a":1}', 2),
    name: 'graylog_extended',
  },
  {
    title: 'GELF with nested objects, as JSON',
    text: times('{"version":"1.1","host":"h","short_message":"hi","timestamp":1614949679.5,"_a":{"b":1}}', 2),
    name: 'json_lines',
  },
  { title: 'JSON whose time is t', text: times('{"t":1614949679.25,"msg":"m"}', 2), name: 'json_lines', config: { time_field: 't' } },
  { title: 'logfmt with capitals', text: times('Time=2021-03-05T13:07:59Z Level=Error Message="m"', 2), name: 'logfmt' },
  {
    title: 'logfmt',
    text: lines('ts=2021-03-05T13:07:59Z level=warn msg="took \\"long\\"" cached err=', 'level=info msg=x n=2'),
    name: 'logfmt',
  },
  {
    title: 'pairs',
    text: lines('SRC=192.0.2.1 DST=198.51.100.7 LEN=60 SYN', 'SRC=192.0.2.2 DST=198.51.100.7 LEN=40'),
    name: 'key_value',
  },
  {
    title: 'columns with commas',
    text: lines('time,path,status,note', '2021-03-05T13:07:59Z,/a,200,"x, ""y"""', '2021-03-05T13:08:00Z,/b,404,'),
    name: 'csv',
    config: { header: 'time,path,status,note', delimiter: ',', number_fields: '*' },
  },
  {
    title: 'columns with tabs, and a date under another name',
    text: lines('started\tjob\tms', '2021-03-05 13:07:59\ta\t12', '2021-03-05 13:08:00\tb\t7').replaceAll('\n', '\r\n'),
    name: 'csv',
    config: { header: 'started\tjob\tms', delimiter: 'tab', time_field: 'started' },
  },
  {
    title: 'columns with values of several lines',
    text: lines('time,status,note', ...Array<string>(5).fill('2021-03-05T13:07:59Z,200,"a\nb, c\n\n""d"""'), '2021-03-05T13:08:00Z,404,e'),
    name: 'csv',
    config: { header: 'time,status,note', delimiter: ',', number_fields: '*' },
  },
  {
    title: 'what PowerShell exports',
    text: lines('#TYPE Event', '"TimeCreated","Provider"', '"10/22/2018 4:13:27 AM","docker"', '"10/22/2018 4:14:13 PM","two\nlines"'),
    name: 'csv',
    config: { header: '"TimeCreated","Provider"', time_field: 'TimeCreated' },
  },
  {
    title: 'columns whose level and words have other names',
    text: lines('"Time","Level","Msg"', '"2021-03-05 13:07:59","Warning","a, b"', '"2021-03-05 13:08:59","Error","c"'),
    name: 'csv',
    config: { time_field: 'Time', severity_field: 'Level', message_field: 'Msg' },
  },
  {
    title: "a spreadsheet's columns, with dates that need a format",
    text: lines('sep=;', 'Datum;Stufe;Text', '05.03.2021 13:07:59;FEHLER;"a; b"', '05.03.2021 13:08:59;INFO;c'),
    name: 'csv',
    config: { delimiter: ';', time_field: 'Datum', time_format: '%d.%m.%Y %T', severity_field: 'Stufe', message_field: 'Text' },
  },
  {
    title: 'columns with seconds since 1970, two columns of a name and an empty one at the end',
    text: lines('ts,level,user,user,', '1614949679,warn,a,b,', '1614949680,info,a,b,'),
    name: 'csv',
    config: { time_field: 'ts' },
  },
  {
    title: 'columns whose levels are numbers that may mean anything',
    text: lines('time,Level,text', '2021-03-05T13:07:59Z,1,a', '2021-03-05T13:08:59Z,2,b'),
    name: 'csv',
    config: { message_field: 'text' },
  },
  { title: 'columns with semicolons', text: lines('a;b', '1;x', '2;y'), name: 'csv', config: { delimiter: ';' } },
  {
    title: 'Python serving files',
    text: times('192.0.2.1 - - [05/Mar/2021 13:07:59] "GET / HTTP/1.1" 200 -', 3),
    name: 'apache_access',
    config: { log_format: '%h %l %u [%{%d/%b/%Y %T}t] "%r" %>s %b' },
  },
  {
    title: 'a classic load balancer of Amazon',
    text: times(
      '2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://example.org:80/ HTTP/1.1" "curl/7.38.0" - -',
      3,
    ),
    name: 'aws_access',
    config: { format: 'elb' },
  },
  {
    title: 'a classic load balancer of Amazon, for TCP',
    text: times('2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.001069 0.000028 0.000041 - - 82 305 "- - - " "-" - -', 3),
    name: 'aws_access',
    config: { format: 'elb' },
  },
  {
    title: "Serilog's compact form with rendered messages",
    text: times('{"@t":"2021-03-05T13:07:59.250Z","@m":"no till","@i":"f3ae","@l":"Error","shop":7}', 3),
    name: 'json_lines',
    config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' },
  },
  {
    title: 'dnf, whose levels are no machines',
    text: lines(
      '2021-03-05T13:07:59+0100 DDEBUG timer: config: 2 ms',
      '2021-03-05T13:08:00+0100 SUBDEBUG Upgrade: nginx-1.0',
      '2021-03-05T13:08:00+0100 DDEBUG Command: dnf upgrade',
    ),
    name: 'program_log',
    config: {},
  },
  {
    title: 'a network load balancer of Amazon',
    text: times(
      'tls 2.0 2021-03-05T13:07:59 net/a/c6e7 g3d4 192.0.2.1:51341 10.0.0.1:443 5 2 98 246 - arn:aws:x - ECDHE-RSA-AES128-SHA tlsv12 - my.example.org - - - 2021-03-05T13:07:58',
      3,
    ),
    name: 'aws_access',
    config: { format: 'nlb' },
  },
  {
    title: 'the access log of S3',
    text: times(
      '79a59df9 shop-images [05/Mar/2021:13:07:59 +0000] 192.0.2.3 79a59df9 3E57 REST.GET.VERSIONING - "GET /shop-images?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - s9lz SigV4 ECDHE AuthHeader x.s3.amazonaws.com TLSv1.2 - -',
      3,
    ),
    name: 'aws_access',
    config: { format: 's3' },
  },
  {
    title: 'a flow log with its head',
    text: lines(
      'version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes start end action log-status',
      '2 123456789010 eni-1235b8ca 192.0.2.139 198.51.100.21 20641 22 6 20 4249 1614949679 1614949739 ACCEPT OK',
      '2 123456789010 eni-1235b8ca - - - - - - - 1614949679 1614949739 - NODATA',
      '2 123456789010 eni-1235b8ca 192.0.2.139 198.51.100.21 20641 22 6 20 4249 1614949679 1614949739 REJECT OK',
    ),
    name: 'csv',
    config: { delimiter: ' ', time_field: 'start' },
  },
  {
    title: 'a flow log without a head',
    text: times('2 123456789010 eni-1235b8ca 2001:db8::7 198.51.100.21 20641 22 6 20 4249 1614949679 1614949739 ACCEPT OK', 3),
    name: 'csv',
    config: { delimiter: ' ', time_field: 'start' },
  },
  {
    title: 'Istio',
    text: times(
      '[2021-03-05T13:07:59.250Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 5 2 "-" "curl/7.60.0" "84961386" "httpbin:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.6:41854 10.44.1.27:80 10.44.1.23:37652 outbound_.8000 default',
      3,
    ),
    name: 'envoy_access',
    config: { log_format: 'istio' },
  },
  { title: 'logcat -v brief', text: times('D/HeadsetStateMachine( 1785): Disconnected process message: 10', 3), name: 'android_logcat' },
  { title: 'logcat -v time', text: times('03-05 13:07:59.250 D/HeadsetStateMachine( 1785): state', 3), name: 'android_logcat' },
  {
    title: 'logcat -v long',
    text: lines('--------- beginning of main', ...Array(3).fill('[ 03-05 13:07:59.250  1785: 1832 D/Headset ]\nDisconnected\nagain\n')),
    name: 'android_logcat',
  },
  { title: 'a router', text: times('*Mar  5 13:07:59.250: %SYS-5-CONFIG_I: Configured from console by vty0', 3), name: 'cisco' },
  {
    title: 'JSON of Caddy',
    text: times(
      '{"level":"info","ts":1614949679.25,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"},"duration":0.0009,"status":200}',
      3,
    ),
    name: 'json_lines',
  },
  {
    title: 'JSON of Traefik',
    text: times(
      '{"ClientAddr":"192.0.2.1:50122","DownstreamStatus":200,"StartUTC":"2021-03-05T13:07:59.25Z","level":"info","msg":"","time":"2021-03-05T13:07:59Z"}',
      3,
    ),
    name: 'json_lines',
  },
  {
    title: 'events of CloudTrail, one in a line',
    text: times(
      '{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z","eventSource":"s3.amazonaws.com","eventName":"GetObject","sourceIPAddress":"192.0.2.1"}',
      3,
    ),
    name: 'aws_cloudtrail',
  },
  {
    title: 'a file of CloudTrail, in one line',
    text: `{"Records":[${Array.from({ length: 400 }, (_, i) => `{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z","eventName":"E${i}","resources":[{"ARN":"a"},{"ARN":"b"}],"requestParameters":{"a":"${'x'.repeat(200)}"}}`).join()}]}`,
    name: 'aws_cloudtrail',
  },
  {
    title: 'what Get-WinEvent exports',
    text: `#TYPE Selected.System.X\n"TimeCreated","Id","LevelDisplayName","Message"\n${times('"3/5/2021 1:07:59 PM","7","Error","a\nb"', 4)}`,
    name: 'windows_event_csv',
    config: { delimiter: ',' },
  },
  {
    title: 'what the Event Viewer saves, with tabs',
    text: `Ebene\tDatum und Uhrzeit\tQuelle\tEreignis-ID\tAufgabenkategorie\n${times('Fehler\t05.03.2021 13:07:59\tDisk\t7\tKeine\tx', 4)}`,
    name: 'windows_event_csv',
    config: { delimiter: '\t' },
  },
  {
    title: 'the common format of Traefik',
    text: times(`${COMBINED} 5 "shop@docker" "http://10.0.0.1:80" 3ms`, 3),
    name: 'nginx_access',
    config: { log_format: `${NGINX_COMBINED} $request_number "$router_name" "$upstream_url" $duration` },
  },
  {
    title: 'the format of ingress-nginx, also of requests without a server',
    text: [
      `${COMBINED} 89 0.001 [shop-web-80] [] 10.0.0.1:80 12 0.001 200 0123456789abcdef0123456789abcdef`,
      `${COMBINED} 89 0.001 [] [] - - - - 0123456789abcdef0123456789abcdef`,
      `${COMBINED} 89 0.003 [shop-web-80] [] 10.0.0.1:80, 10.0.0.2:80 0, 12 0.001, 0.002 502, 200 0123456789abcdef0123456789abcdef`,
    ].join('\n'),
    name: 'nginx_access',
    config: {
      log_format: `${NGINX_COMBINED} $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id`,
    },
  },
  {
    title: 'the format of ingress-nginx before 0.26',
    text: [
      '192.0.2.1 - [192.0.2.1] - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 612 "-" "curl/7" 78 0.001 [shop-web-80] 10.0.0.1:80 612 0.001 200 0123456789abcdef0123456789abcdef',
      '192.0.2.1 - [192.0.2.1, 10.0.0.9] - alice [05/Mar/2021:13:08:00 +0000] "GET / HTTP/1.1" 502 0 "-" "curl/7" 78 0.002 [shop-web-80] 10.0.0.1:80, 10.0.0.2:80 0, 0 0.001, 0.001 502, 502 0123456789abcdef0123456789abcdef',
      '192.0.2.1 - [192.0.2.1] - - [05/Mar/2021:13:08:01 +0000] "GET / HTTP/1.1" 200 612 "-" "curl/7" 78 0.001 [] - - - - 0123456789abcdef0123456789abcdef',
    ].join('\n'),
    name: 'nginx_access',
    config: {
      log_format:
        '$remote_addr - [$the_real_ip] - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_length $request_time [$proxy_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id',
    },
  },
  {
    title: 'a daemon that writes no host',
    text: times('Mar  5 13:07:59 dnsmasq[4123]: query[A] example.org from 192.0.2.1', 3),
    name: 'syslog',
  },
  {
    title: 'a program in colours',
    text: times(
      '\u001b[2m2021-03-05T13:07:59.250000Z\u001b[0m \u001b[32m INFO\u001b[0m \u001b[2mshop::cart\u001b[0m\u001b[2m:\u001b[0m added',
      3,
    ),
    name: 'program_log',
  },
  {
    title: 'journalctl -o short-full',
    text: times('Fri 2021-03-05 13:07:59 CET box1 systemd[1]: Started Session 1.', 3),
    name: 'syslog',
  },
  { title: 'journalctl -o short-unix', text: times('1614949679.250000 box1 systemd[1]: Started Session 1.', 3), name: 'syslog' },
  { title: 'Cassandra', text: times('INFO  [main] 2021-03-05 13:07:59,250 StorageService.java:653 - up', 3), name: 'program_log' },
  { title: 'Celery', text: times('[2021-03-05 13:07:59,250: INFO/MainProcess] Task x succeeded', 3), name: 'program_log' },
  {
    title: "PostgreSQL's csvlog",
    text: times(
      '2021-03-05 13:07:59.250 UTC,"app","shop",7,"[local]",604,1,"SELECT",2021-03-05 13:07:00 UTC,3/1,0,LOG,00000,"x, y",,,,,,,,,"psql"',
      3,
    ),
    name: 'csv',
    config: { time_field: 'log_time', severity_field: 'error_severity' },
  },
  {
    title: "PostgreSQL's csvlog with statements of several lines",
    text: times(
      '2021-03-05 13:07:59.250 UTC,"app","shop",7,"[local]",604,1,"SELECT",2021-03-05 13:07:00 UTC,3/1,0,LOG,00000,"SELECT 1\nFROM a,\n  ""b""",,,,,,,,,"psql"',
      3,
    ),
    name: 'csv',
    config: { time_field: 'log_time', severity_field: 'error_severity' },
  },
  { title: "lines of Go's log", text: times('2021/03/05 13:07:59 listening on :80', 3), name: 'program_log' },
  { title: 'dates with levels', text: times('2021-03-05T13:07:59Z INFO main: started', 5), name: 'program_log' },
  { title: 'dates with small levels', text: times('2021-03-05T13:07:59.250Z info: started', 5), name: 'program_log' },
  {
    title: 'IIS, of which the head is not a record',
    text: lines(
      '#Software: IIS',
      '#Fields: date time c-ip sc-status',
      '2021-03-05 13:07:59 192.0.2.1 200',
      '2021-03-05 13:08:00 192.0.2.1 404',
    ),
    name: 'w3c_extended',
    config: { fields: 'date time c-ip sc-status' },
  },
  { title: 'slow queries of MySQL', text: STARTED + `${user('')}${SLOW}\nuse shop;\n${QUERY}`.repeat(3), name: 'mysql_slow_query' },
  { title: 'slow queries of MySQL 8', text: `${user('  Id:    42')}${SLOW}\n${QUERY}`.repeat(3), name: 'mysql_slow_query' },
  {
    title: 'slow queries of MariaDB',
    text: `${user('')}# Thread_id: 77  Schema: shop  QC_hit: No\n${SLOW}\n# Rows_affected: 0  Bytes_sent: 61\n${QUERY}`.repeat(3),
    name: 'mariadb_slow_query',
  },
  {
    title: 'slow queries of Percona',
    text: `${user('  Id: 8')}# Schema: shop  Last_errno: 0  Killed: 0\n${SLOW}  Rows_affected: 0\n# Bytes_sent: 61\n${QUERY}`.repeat(3),
    name: 'percona_slow_query',
  },
];
