import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { expect, test } from 'vitest';
import { findPlugin } from '../../engine/plugins/catalog.ts';
import { summaryPlan } from '../../engine/plugins/summary-plan.ts';
import { batchOf } from '../../engine/message/batch/builder.ts';
import { summariesOf } from '../../engine/message/summary/record-summary.ts';
import { ValueType, type Field, type Message } from '../../engine/message/types.ts';
import { plainMessage, type Field as PlainField } from './support/message.ts';
import { metaOf, PLUGINS } from './support/sandbox.ts';

/** The summaries of the messages that the examples of each decoder make, in order. */
const SUMMARIES: Readonly<Record<string, readonly string[]>> = {
  android_logcat: ['ActivityManager: Slow operation: 52ms', 'AndroidRuntime: FATAL EXCEPTION: main', 'dalvikvm: first'],
  apache_access: ['GET /i.html 200', 'GET / 200', 'PATCH 1.23 ms'],
  apache_error: [
    'AH01630: client denied by server configuration: /srv/x',
    'AH00957: HTTP: attempt to connect to 127.0.0.1:8080 failed · Connection refused',
    'File does not exist: /srv/x',
    'AH00036: access to /x failed · File name too long',
  ],
  aws_access: ['GET https://example.org:443/ 200', 'GET /a/b.png 404 38 ms'],
  aws_cloudtrail: ['GetObject · alice · AccessDenied · Access Denied', 'ListBuckets', 'ListBuckets'],
  aws_cloudwatch: ['no', 'END RequestId: 7f9c', 'slow', '2021-03-05T13:07:59.250000+00:00 web/7f9c2d3e4a5b slow'],
  cef: ['Port scan 192.0.2.1', 'Login failed alice'],
  cisco: [
    'ASA: Built outbound TCP connection 7 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.5/50122 (198.51.100.5/50122)',
    'LINEPROTO: Line protocol on Interface Gi0/1, changed state to down',
  ],
  cmtrace: ['Failed to open', 'done', 'Starting component.'],
  container_log: ['no connection', 'WARN: slow', 'no connection', '{"a":"xxxx', 'listening', 'no', 'level=warn msg=slow'],
  csv: ['path=/a status=200 size=5.1 kB note=say "hi", please', 'disk full', 'Host=box1'],
  envoy_access: ['POST /api/v1/items?a=b 204 226 ms', 'GET 503 · UH'],
  generic: [
    'SQM: Initializing online with Windows opt-in: False',
    'no connection',
    'slow',
    'starting',
    'slow',
    'cart opened',
    'no such file',
  ],
  glog: [
    'failed to list *v1.Pod: Get "https://10.96.0.1:443": dial tcp: i/o timeout',
    'started',
    'Pod updated',
    'Log file created at: 2021/03/05 13:07:59',
  ],
  graylog_extended: ['hi', '{"timestamp":1,"_a":[1,2],"_n":null}', 'hi'],
  grok: ['GET /a?b=1 200', 'queue.id=BEF25A72965 took=1.5 size=5120 ok=yes', 'Accepted publickey for root'],
  haproxy: ['GET /index.html 200 109 ms', 'fnt → srv1 5.01 s', 'SSL handshake failure'],
  influx_line: [
    'weather map city=St Gallen zone=a=b temperature=21.5 station=3 count=4 dry=true note=say "hi", a=b',
    'disk used=9007199254740991 total=18446744073709551615',
  ],
  journal_export: ['sshd: Accepted publickey for root', 'a=b', 'Traceback:', 'app: failed:'],
  journal_short: ['systemd: Started Journal Service.', 'kernel: eth0: link up', 'app: failed:'],
  json_lines: ['GET 200 · slow', 'hello', 'accepted', 'yes', 'slow'],
  key_value: ['disk: full; stop', 'SRC=192.0.2.1 DST=198.51.100.7 LEN=60 TTL=118 PROTO=TCP DPT=23 SYN=true'],
  kubernetes_audit: ['list /api/v1/secrets 403 2 ms · alice · secrets is forbidden', 'get RequestReceived', 'get Panic'],
  leef: ['15345 192.0.2.1 · a=b, two words', '41 alice'],
  linux_audit: ['SYSCALL cat · success=no', 'USER_LOGIN login /usr/sbin/sshd · root · failed', 'PROCTITLE', 'AVC httpd'],
  linux_auth: [
    'sshd: Accepted publickey for alice from 192.0.2.7 port 50122 ssh2: ED25519 SHA256:abc',
    'sudo: alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/bin/systemctl restart nginx',
    'sshd: fatal: no hostkeys available',
  ],
  linux_diskstats: ['/sys/block/sdb/stat · 20417 reads, 15990 writes, 2 in progress', '133883 reads, 41325 writes, 0 in progress'],
  linux_dpkg: ['upgrade libc6 2.36-8 → 2.36-9+deb12u1', 'status half-configured man-db 2.11.2-2', 'conffile /etc/default/cron keep'],
  linux_kern: [
    '[UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.7 DST=198.51.100.5 LEN=60 TOS=0x00 PROTO=TCP SPT=13851 DPT=23 SYN',
    'Out of memory: Killed process 4411 (java) total-vm:8192000kB, anon-rss:4096000kB, file-rss:0kB, shmem-rss:0kB, UID:1000',
    'NET: Registered protocol family 10',
  ],
  linux_loadavg: ['load 0.2 0.18 0.12 · 1 running', 'load 12 1.5 0.12 · 10 running'],
  linux_memstats: ['2.0 GB of memory', '5.0 kB of memory'],
  linux_procstat: ['6 running · 115315 context switches', 'page 5 6'],
  log4j_xml: ['no connection · IOException: no route', 'slow <3>', 'open', 'no connection · IOException: no route'],
  logfmt: ['GET 200 1.5s · took "long"', 'status=500 size=12 B retries=3 ok=false'],
  mariadb_slow_query: ['1.2 s · SELECT 1; · 2 rows examined', '3.5 s · SELECT 12... · 90000 rows examined'],
  morgan: ['GET /cart?a=1 200 12.3 ms', 'POST /login 302 3.2 ms', 'GET /slow'],
  mysql_slow_query: [
    '3.5 s · SELECT * FROM orders · 90000 rows examined',
    '2 s · SELECT SLE... · 0 rows examined',
    '3.5 s · SELECT 1; · 0 rows examined',
  ],
  nginx_access: ['GET /a?b=1 200', '502, 200 210 ms', 'PROPFIND /dav 207'],
  nginx_error: [
    'open() "/srv/x" failed (2: No such file or directory), client: 192.0.2.1',
    'signal process started',
    '2021/03/05 13:07:59 [crit] 1#2: *3 boom',
  ],
  npm: ['code ERESOLVE', 'deprecated inflight@1.0.6: This module is not supported', ''],
  otlp_json: ['shop: no stock', 'resource.service.name=shop body.ok=true', 'GET / 100 ms', 'orders 7.5 1'],
  percona_slow_query: ['1.01 s · SELECT 1; · 1543719 rows examined', '2 s · SELECT SLE... · 0 rows examined'],
  php_error: [
    'Fatal error: Uncaught Exception: no in /srv/a.php:12',
    'server reached pm.max_children setting (5), consider raising it',
    'cart is empty',
  ],
  postgresql: ['duration: 1234.567 ms statement: SELECT *', 'relation "x" does not exist at character 15', 'STATEMENT: SELECT * FROM x'],
  prefixed_log: [
    'no connection',
    'no',
    'shop web-7cfd8b6c9d-x2x4k nginx WARN: slow',
    'shop web-7cfd8b6c9d-x2x4k nginx no',
    'source=heroku envelope_dyno=router code=H12 desc=Request timeout path=/pay dyno=web.1 status=503',
    'no',
  ],
  program_log: [
    'no connection · OSError: no route',
    'slow',
    'open',
    'Class "Cart" not found {"exception":"[object] (Error)"}',
    'CA certificate ca.pem is self signed.',
    'full',
    'no room',
  ],
  redis: ['Ready to accept connections', 'WARNING overcommit_memory is set to 0!'],
  regex: ['slow', 'user=alice size=5.1 kB'],
  rfc3164: ["su: 'su root' failed for lonvick on /dev/pts/8", 'sshd: Accepted publickey for root', 'app: ok'],
  rfc5424: ['evntslog: An event', 'hello'],
  rsyslog: ['sshd: Accepted key for root', 'app: text here', 'sshd: no newline'],
  squid_access: ['GET http://example.org/ 200 123 ms · TCP_MISS', 'CONNECT example.org:443 407 0 ms · TCP_DENIED'],
  suricata_eve: ['alert 192.0.2.1 → 198.51.100.7:80 · EXAMPLE suspicious POST', 'dns · NOERROR'],
  syslog: [
    'sshd: Accepted publickey for root',
    'kernel: [12345.678] usb 1-1: new device',
    'app: [warn] slow',
    'nginx: no upstream',
    'postfix/smtpd: denied',
    'systemd: Started Session 4 of user root.',
    'evntslog: An event',
    'use the BFG!',
  ],
  w3c_extended: ['GET /a 200 15 ms', 'GET 200 1 ms'],
  windows_dhcp: ['Assign 192.0.2.7 box1.example.org', 'Started'],
  windows_event_csv: ['153 The IO operation was retried,', '4625 An account failed to log on.'],
  windows_event_list: ['7036 The Print Spooler service entered', '3221232483 The service terminated.'],
  windows_event_xml: ['4625 Microsoft-Windows-Security-Auditing · alice & bob', '7 disk full'],
  zeek: ['192.0.2.1:50122 tcp · 436 ms', 'a b'],
};

const decoders = readdirSync(join(PLUGINS, 'decoders')).map((file) => parse(file).name);

function field({ name, value, representation }: PlainField): Field {
  const [first] = value;
  const about = { name, representation };
  if (typeof first === 'string') return { ...about, valueType: ValueType.STRING, values: value.map(String) };
  if (typeof first === 'boolean') return { ...about, valueType: ValueType.BOOL, values: value.map((one) => one === true) };
  if (typeof first === 'bigint') return { ...about, valueType: ValueType.INTEGER, values: value.map((one) => BigInt(one)) };
  return { ...about, valueType: ValueType.DOUBLE, values: value.map(Number) };
}

function message(example: InjectMessage): Message {
  const { Timestamp = 0n, Type, Logger, Payload, EnvVersion, Hostname, Severity, Pid, Fields } = plainMessage(example);
  const headers = {
    type: Type,
    logger: Logger,
    payload: Payload,
    envVersion: EnvVersion,
    hostname: Hostname,
    severity: Severity,
    pid: Pid,
  };
  return { uuid: new Uint8Array(16), timestamp: Timestamp, ...headers, fields: Fields.map(field) };
}

test.each(decoders)('%s makes the summaries of its examples', (name) => {
  const { meta } = findPlugin('decoder', name);
  expect(meta?.recordSummary).toBeTypeOf('string');
  const messages = metaOf(`decoders/${name}.ts`)
    .examples.flatMap(({ out = [] }) => out)
    .map(message);
  const summary = summariesOf(summaryPlan(meta), batchOf(messages));
  expect(messages.map((_, row) => summary(row))).toEqual(SUMMARIES[name]);
});
