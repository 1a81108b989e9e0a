/** Long records of what patterns and formats stumble over: no decoder takes long for one. */
import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';
import { workMs } from '../../growth.ts';

const LENGTH = 100_000;
/** Most time for a record: work that grows with the square of its length takes a minute. */
const MOST_MS = 4_000;
const UNITS = [
  'a',
  ' ',
  '"',
  '[',
  ']',
  '\\',
  '.',
  ':',
  '/',
  '1',
  'a.',
  ' a',
  '[a] ',
  ', referer: a ',
  '" ',
  'a=',
  '(1)',
  ' in a on line ',
  ' | ',
  '\n',
];

test.each<[name: string, config: Record<string, string>, record: string]>([
  [
    'nginx_access',
    { log_format: '$remote_addr [$time_local] "$request" [$a] $status' },
    '192.0.2.1 [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" [x] 200',
  ],
  ['apache_access', { log_format: '%h %l %u %t "%r" %>s %b' }, '192.0.2.1 - bob [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 5'],
  [
    'rsyslog',
    { template: '%timestamp:::date-rfc3339% %HOSTNAME% %app-name%[%procid%]: %msg% (%iut%)' },
    '2021-03-05T13:07:59Z box1 app[12]: hi (1)',
  ],
  [
    'apache_error',
    {},
    '[Fri Mar 05 13:07:59.250000 2021] [core:error] [pid 4123:tid 139] (13)no: [client 192.0.2.1:5] AH00126: x, referer: y',
  ],
  ['haproxy', {}, 'haproxy[1]: 192.0.2.1:5 [05/Mar/2021:13:07:59.443] fnt bck/srv1 1/2/3/4/5 200 212 - - ---- 0/0/0/0/3 0/0 {a} "GET /"'],
  ['php_error', {}, '[05-Mar-2021 13:07:59 UTC] PHP Warning:  x in /srv/a.php on line 12'],
  ['postgresql', {}, '2021-03-05 13:07:59.250 UTC [4123] app@shop LOG:  duration: 1.5 ms'],
  ['program_log', {}, '2021-03-05 13:07:59.250  WARN 4123 --- [           main] o.e.shop.Checkout     : slow'],
  ['program_log', {}, '2021-03-05 13:07:59.250 | INFO     | shop.cart | shop | full'],
  ['linux_auth', {}, 'Mar  5 13:07:59 box1 sshd[4411]: Failed password for invalid user alice from 192.0.2.7 port 50122 ssh2'],
  ['linux_kern', {}, 'Mar  5 13:07:59 box1 kernel: [1.5] [UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.7'],
  ['android_logcat', {}, '03-05 13:07:59.250  1234  5678 W ActivityManager: Slow operation: 52ms'],
  ['android_logcat', {}, '[ 03-05 13:07:59.250  1234: 5678 W/ActivityManager ]\nSlow operation: 52ms'],
  [
    'cisco',
    {},
    'Mar  5 13:07:59 fw1 %ASA-6-302014: Teardown TCP connection 7 for a:192.0.2.1/4 to b:10.0.0.5/5 duration 0:00:30 bytes 1 TCP FINs (u)',
  ],
  ['cisco', {}, '%ASA-4-106023: Deny tcp src a:192.0.2.1/4 dst b:10.0.0.5/5 by access-group "out" [0x0, 0x0]'],
  [
    'aws_access',
    { format: 'elb' },
    '2021-03-05T13:07:59.250000Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET / HTTP/1.1" "curl" - -',
  ],
  ['envoy_access', {}, '[2021-03-05T13:07:59.250Z] "GET /api HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "u" "i" "h" "10.0.35.28:80"'],
  ['cef', {}, '<134>Mar  5 13:08:00 gate1 CEF:0|V|P|2.1|100|Name|7|rt=1614949679250 cs1Label=a cs1=b msg=two words'],
  ['leef', {}, '<134>Mar  5 13:08:00 gate1 LEEF:2.0|V|P|2.1|100|^|devTime=Mar 05 2021 13:07:59^msg=two words'],
  ['suricata_eve', {}, '{"timestamp":"2021-03-05T13:07:59.250123+0000","event_type":"alert","alert":{"severity":2}}'],
  ['aws_cloudtrail', {}, '{"Records":[{"eventVersion":"1.08","eventTime":"2021-03-05T13:07:59Z"},{"eventVersion":"1.08"}]}'],
  ['journal_short', {}, 'Fri 2021-03-05 14:07:59 CET box1 app[4411]: failed: x'],
  ['journal_short', {}, '[    1.234567 <    0.000123 >] box1 app[4411]: failed: x'],
  ['influx_line', {}, 'weather,city=Bern temperature=21.5,note="dry" 1614949679250000001'],
  [
    'windows_event_xml',
    {},
    "<Event xmlns='x'><System><Provider Name='A'/><EventID>7</EventID></System><EventData><Data Name='a'>b</Data></EventData></Event>",
  ],
  [
    'windows_event_csv',
    { header: 'Level,Date and Time,Source,Event ID,Task Category' },
    'Warning,3/5/2021 1:07:59 PM,Disk,153,None,"The IO operation"',
  ],
])('%s %j', (name, config, record) => {
  const decode = decoder(name, config);
  for (const unit of UNITS) {
    const long = unit.repeat(LENGTH / unit.length);
    for (const part of [0, 0.3, 0.6, 1]) {
      const at = Math.floor(record.length * part);
      const ms = workMs(() => void decode(record.slice(0, at) + long + record.slice(at)));
      expect(ms, JSON.stringify([unit, part])).toBeLessThan(MOST_MS);
    }
  }
});

test.each([
  ['generic', '2021-03-05 13:07:59.250 4123 a', '1', '!'],
  ['generic', '2021-03-05 13:07:59.250 shop.cart - a', '_', '!'],
  ['program_log', '2021-03-05 13:07:59.250 4123 a', '1', '!'],
  ['linux_auth', 'Mar  5 13:07:59 box1 sshd[4411]: error: PAM: x', ' for', ''],
  ['log4j_xml', '<log4j:event level="INFO" a="', 'Shop"', '></log4j:event>'],
  ['log4j_xml', '<log4j:event level="INFO" ', 'a', '></log4j:event>'],
  ['windows_event_xml', '<Event><System><EventID>7', '</', ''],
  ['windows_event_xml', '<Event><System><EventID>7', '<a ', '">'],
  ['windows_event_xml', '<Event><System><EventID>7', '<!--x>', ''],
  ['windows_event_xml', '<Event><System><EventID>7', '<![CDATA[>', ''],
  ['leef', 'LEEF:2.0|V|P|1|4|^|devTime=5^devTimeFormat=', 'd.', ''],
  ['leef', `LEEF:2.0|V|P|1|4|^|devTimeFormat=${'[d]'.repeat(20)}^devTime=`, '1', 'x'],
  ['leef', `LEEF:2.0|V|P|1|4|^|devTimeFormat=${'zX'.repeat(20)}^devTime=`, 'A', '!'],
  ['leef', `LEEF:2.0|V|P|1|4|^|devTimeFormat=${'d1'.repeat(20)}^devTime=`, '1', 'x'],
  ['leef', `LEEF:2.0|V|P|1|4|^|devTimeFormat=${'MMMLLL'.repeat(10)}^devTime=`, 'May', 'x'],
])('%s: very much behind %j', (name, before, unit, after) => {
  const decode = decoder(name);
  expect(workMs(() => void decode(before + unit.repeat((2 * LENGTH) / unit.length) + after))).toBeLessThan(MOST_MS);
});

test.each([
  ['linux_audit', `type=USER_LOGIN msg=audit(1614949679.250:12): pid=1 msg='${'a=1 '.repeat(150_000)}'`],
  ['linux_kern', `Mar  5 13:07:59 box1 kernel: [1.5] [UFW BLOCK] IN=eth0 OUT= ${'A=1 '.repeat(150_000)}`],
])('%s: more pairs than a call takes arguments', (name, record) => {
  expect(decoder(name)(record)).toBeTypeOf('object');
});
