/** Each kind of log, whole and damaged: the right decoder or none. */
import { afterAll, describe, expect, it } from 'vitest';
import { commandSandboxes } from '../../../engine/cli/command-sandboxes.ts';
import { DecoderDetector } from '../../../engine/detect/detect.ts';
import { HEAD_LENGTH } from '../../../engine/detect/forms/head.ts';

/** As the command does it: bundled decoders run here, with the same results as in a host. */
const sandboxes = commandSandboxes();
afterAll(() => sandboxes.close());
const errors: string[] = [];
const detector = new DecoderDetector(sandboxes, (text) => errors.push(text));

async function detected(text: string): Promise<string | null> {
  const found = await detector.detect(text);
  await found?.sandbox.stop();
  return found?.name ?? null;
}

const ENTRY = '# User@Host: app[app] @ dbone [10.1.2.3]\n';
const TIMES = '# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\n';
const QUERY = 'SET timestamp=1614949679;\nSELECT 1\nFROM t;\n';

/** A record of each kind, or some. */
const LOGS: Readonly<Record<string, string>> = {
  nginx_access: '203.0.113.9 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0"\n',
  apache_access: 'www.example.org:443 203.0.113.9 - - [05/Mar/2021:13:07:59 +0100] "GET / HTTP/1.1" 200 - "-" "Mozilla/5.0"\n',
  nginx_error: '2021/03/05 13:07:59 [error] 4123#7: *99 open() failed (2: No such file or directory), client: 192.0.2.1\n',
  apache_error: '[Fri Mar 05 13:07:59.123456 2021] [core:notice] [pid 1:tid 2] AH00094: Command line\n',
  syslog: 'Mar  5 13:07:59 box1 CRON[4411]: (root) CMD (true)\n',
  linux_auth: 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for alice from 192.0.2.7 port 50122 ssh2\n',
  linux_kern: '[  912.250000] eth0: link up\n',
  linux_audit: 'type=SYSCALL msg=audit(1614949679.250:24287): arch=c000003e syscall=2 success=no pid=812 comm="cat" exe="/bin/cat"\n',
  linux_dpkg: '2021-03-05 13:07:59 status installed libc6:amd64 2.36-9\n',
  json_lines: '{"time":"2021-03-05T14:07:59Z","level":"info","msg":"a"}\n',
  graylog_extended: '{"version":"1.1","host":"h","short_message":"hi","timestamp":1614949679.5}\n',
  logfmt: 'ts=2021-03-05T13:07:59Z level=warn msg="took long" n=2\n',
  key_value: 'SRC=192.0.2.1 DST=198.51.100.7 LEN=60\nSRC=192.0.2.2 DST=198.51.100.7 LEN=40\n',
  mysql_slow_query: ENTRY + TIMES + QUERY,
  mariadb_slow_query: `${ENTRY}# Thread_id: 77  Schema: shop  QC_hit: No\n${TIMES}${QUERY}`,
  percona_slow_query: `${ENTRY}# Schema: shop  Last_errno: 0  Killed: 0\n${TIMES.trimEnd()}  Rows_affected: 0\n# Bytes_sent: 61\n${QUERY}`,
  program_log:
    '2021-03-05 13:07:59,250 ERROR [main] org.example.Shop - slow\njava.lang.IllegalStateException: no\n\tat org.example.Shop.sell(Shop.java:7)\n',
  container_log: '2021-03-05T13:07:59.250000000Z stdout F request done\n',
  log4j_xml:
    '<log4j:event logger="org.example.Shop" timestamp="1614949679250" level="INFO" thread="main"><log4j:message>open</log4j:message></log4j:event>\n',
  cmtrace:
    '<![LOG[open]LOG]!><time="13:07:59.250+000" date="03-05-2021" component="CcmExec" context="" type="1" thread="4123" file="ccmexec.cpp:87">\n',
  windows_event_list: 'TimeCreated  : 3/5/2021 1:07:59 PM\nProviderName : Disk\nId           : 153\nMessage      : retried\n\n',
  windows_dhcp: '10,03/05/21,13:07:59,Assign,192.0.2.7,box1.example.org,0011223344AB,,1234,0,,,,,,,,,0\n',
  morgan: 'GET / 200 12.345 ms - 1234\n',
  npm: 'npm ERR! code E404\n',
  glog: 'I0305 13:07:59.250000    4123 controller.go:87] Started\n',
  haproxy:
    'Mar  5 13:07:59 box1 haproxy[14389]: 192.0.2.1:33317 [05/Mar/2021:13:07:59.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1"\n',
  journal_export: '__CURSOR=s=1\n__REALTIME_TIMESTAMP=1614949679250000\nPRIORITY=6\nMESSAGE=x\n\n',
  php_error:
    '[05-Mar-2021 13:07:59 UTC] PHP Fatal error:  Uncaught Error: x in /srv/a.php:12\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 12\n',
  postgresql: '2021-03-05 13:07:59.250 UTC [4123] app@shop LOG:  duration: 1234.567 ms  statement: SELECT *\n\tFROM orders\n',
  redis: '4123:M 05 Mar 2021 13:07:59.250 * Ready to accept connections\n',
  squid_access: '1614949679.250    123 192.0.2.1 TCP_MISS/200 5120 GET http://example.org/ - HIER_DIRECT/198.51.100.7 text/html\n',
  aws_access:
    'http 2021-03-05T13:07:59.250000Z app/shop/50dc 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET http://example.org:80/ HTTP/1.1" "curl/7.46.0" - - arn:aws:x "Root=1-5" "-" "-" 0 2021-03-05T13:07:59.249000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"\n',
  envoy_access:
    '[2021-03-05T13:07:59.250Z] "POST /api/items HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "nsq2http" "cc21d9b0" "items" "10.0.35.28:80"\n',
  android_logcat: '03-05 13:07:59.250  1234  5678 W ActivityManager: Slow operation: 52ms\n',
  cisco: 'Mar 05 2021 13:07:59 fw1 : %ASA-6-302013: Built outbound TCP connection 7 for outside:192.0.2.1/443 to inside:10.0.0.5/50122\n',
  cef: 'Mar  5 13:07:59 gate1 CEF:0|Example|Guard|2.1|100|Port scan|7|rt=1614949679250 src=192.0.2.1 spt=4711\n',
  leef: 'Mar  5 13:07:59 gate1 LEEF:1.0|Example|Guard|2.1|15345|src=192.0.2.1\tdstPort=443\tsev=5\n',
  suricata_eve:
    '{"timestamp":"2021-03-05T13:07:59.250123+0000","flow_id":586497171462735,"event_type":"alert","src_ip":"192.0.2.1","alert":{"severity":2}}\n',
  aws_cloudtrail:
    '{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z","eventSource":"s3.amazonaws.com","eventName":"GetObject","resources":[{"a":1},{"a":2}]}\n',
  kubernetes_audit:
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"9b1f","stage":"ResponseComplete","verb":"list","requestReceivedTimestamp":"2021-03-05T13:07:59.250123Z"}\n',
  journal_short: '[    1.234567] box1 systemd[1]: Started Journal Service.\n',
  influx_line: 'weather,city=Bern temperature=21.5,note="dry, warm" 1614949679250000999\n',
  windows_event_xml:
    "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='A'/><EventID>7</EventID><Level>4</Level><TimeCreated SystemTime='2021-03-05T13:07:59.2501234Z'/></System></Event>\n",
};
/** Files with a head. */
const HEADED: Readonly<Record<string, readonly [head: string, row: string]>> = {
  csv: ['time,path,status\n', '2021-03-05T13:07:59Z,/a,200\n'],
  windows_event_csv: [
    'Level,Date and Time,Source,Event ID,Task Category\n',
    'Warning,3/5/2021 1:07:59 PM,Disk,153,None,"The IO operation was retried, see ""Disk 0"".\nAgain."\n',
  ],
  zeek: [
    '#separator \\x09\n#path\tconn\n#fields\tts\tuid\tid.orig_h\n#types\ttime\tstring\taddr\n',
    '1614949679.250000\tCHhAv\t192.0.2.1\n',
  ],
  w3c_extended: ['#Version: 1.0\n#Fields: date time c-ip sc-status\n', '2021-03-05 13:07:59 192.0.2.1 200\n'],
};

const kinds = [
  ...Object.entries(LOGS).map(([name, record]) => ({ name, head: '', record })),
  ...Object.entries(HEADED).map(([name, [head, record]]) => ({ name, head, record })),
];
const times = (record: string, count: number): string => record.repeat(count);

describe.each(kinds)('$name', ({ name, head, record }) => {
  const text = head + times(record, 5);

  it.each([
    ['five records', text],
    ['more than is looked at', head + times(record, Math.ceil((HEAD_LENGTH * 1.5) / record.length))],
    ['lines that end in carriage returns too', text.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${text}`],
    ['empty lines at the end', `${text}\n\n`],
  ])('%s', async (_, damaged) => {
    expect(await detected(damaged)).toBe(name);
    expect(errors).toEqual([]);
  });

  it.each([
    ['as UTF-16 that nobody decoded', Buffer.from(text, 'utf16le').toString('latin1')],
    ['as one line with half of its characters', text.replaceAll('\n', ' ').replace(/(\S)\S/g, '$1')],
    ['backwards', [...text].toReversed().join('')],
    ['as a piece in the middle of prose', times('It was a dark and stormy night.\n', 40) + record],
  ])('nothing %s', async (_, damaged) => {
    expect(await detected(damaged)).toBeNull();
  });
});
