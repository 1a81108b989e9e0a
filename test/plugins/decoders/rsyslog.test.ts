import { describe, expect, test } from 'vitest';
import type { PlainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const T1 = '%TIMESTAMP% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\\n';
const T1_LONG = T1.replace('%TIMESTAMP%', '%TIMESTAMP:::date-rfc3339%');
const FORWARD = '<%PRI%>%TIMESTAMP% %HOSTNAME% %syslogtag:1:32%%msg:::sp-if-no-1st-sp%%msg%';
const READ_AT = BigInt(Date.UTC(2021, 2, 5, 14)) * 1_000_000n;

/** The message that a line becomes, fields by name; null when it is refused. */
function decode(template: string, line: string, config: Record<string, string | boolean> = {}): Record<string, unknown> | null {
  const plugin = startPlugin('decoders/rsyslog.ts', { template, ...config });
  const { rc, injected } = plugin.process({ Timestamp: READ_AT, Payload: line, Fields: [] });
  if (rc !== 0) return null;
  const { Timestamp, Fields, ...headers } = injected[0] as PlainMessage;
  const time = Timestamp === undefined ? {} : { Timestamp: String(Timestamp) };
  return { ...headers, ...time, ...Object.fromEntries(Fields.map(({ name, value }) => [name, value[0]])) };
}

const AT = { Timestamp: '1614949679000000000', Hostname: 'box1' };

describe('the traditional template', () => {
  test.each([
    ['Mar  5 13:07:59 box1 sshd[4411]: Accepted key\n', { ...AT, programname: 'sshd', Pid: 4411, Payload: 'Accepted key' }],
    ['Mar  5 13:07:59 box1 kernel: usb 1-1: new\n', { ...AT, programname: 'kernel', Payload: 'usb 1-1: new' }],
    ['Mar  5 13:07:59 box1 sshd[4411]:  hello\n', { ...AT, programname: 'sshd', Pid: 4411, Payload: 'hello' }],
    ['Mar  5 13:07:59 box1 a b\n', { ...AT, programname: 'a', Payload: 'b' }],
    ['Mar  5 13:07:59 box1 postfix/smtpd[12]: line\nsecond\n', { ...AT, programname: 'postfix/smtpd', Pid: 12, Payload: 'line' }],
    ['Mar  5 13:07:59 box1 [7]: hello\n', { ...AT, programname: '', Pid: 7, Payload: 'hello' }],
    ['Mar  5 13:07:59 box1 a[2147483647]: b\n', { ...AT, programname: 'a', Pid: 2147483647, Payload: 'b' }],
    ['Mar  5 13:07:59 box1 a[2147483648]: b\n', { ...AT, programname: 'a', Payload: 'b' }],
    ['Mar  5 13:07:60 box1 x: y\n', { ...AT, Timestamp: '1614949680000000000', programname: 'x', Payload: 'y' }],
    ['Mar  5 13:07:59 box1 app:nospace\n', null],
    ['Mar  5 13:07:59 box1 sshd[4411]: no newline', { ...AT, programname: 'sshd', Pid: 4411, Payload: 'no newline' }],
    ['Mar  5 13:07:59 box1 sshd[4411]: crlf\r\n', { ...AT, programname: 'sshd', Pid: 4411, Payload: 'crlf' }],
    ['Mar  5 13:07:59 box1 sshd[4411]: cr\r', { ...AT, programname: 'sshd', Pid: 4411, Payload: 'cr' }],
    ['Mar  5 13:07:59 box1 a: \n', { ...AT, programname: 'a', Payload: '' }],
    ['Foo  5 13:07:59 box1 sshd[4411]: x\n', null],
    ['Mar  5 24:07:59 box1 x: y\n', null],
    ['Mar  5 13:07:59 box1 sshd[abc]: x\n', null],
  ])('%j', (line, expected) => {
    expect(decode(T1, line)).toEqual(expected);
  });
});

describe('other templates', () => {
  test.each([
    [
      T1_LONG,
      '2021-03-05T13:07:59.250+01:00 box1 a[1]: b\n',
      { ...AT, Timestamp: '1614946079250000000', programname: 'a', Pid: 1, Payload: 'b' },
    ],
    [T1_LONG, '2021-03-05T13:07:59Z - cron: -\n', { ...AT, Hostname: '-', programname: 'cron', Payload: '-' }],
    [
      '%timegenerated:::date-mysql% %timereported:::date-pgsql% %$year%-%$month%-%$day% %fromhost-ip% %msg%\\n',
      '20210305130759 2021-03-05 13:07:59 2021-03-05 192.0.2.1 m\n',
      {
        Timestamp: '1614949679000000000',
        timegenerated: 1.614949679e18,
        ...{ $year: '2021', $month: '03', $day: '05', 'fromhost-ip': '192.0.2.1', Payload: 'm' },
      },
    ],
    ['%source% %fromhost% %rawmsg%', 'a b c d e\n', { Hostname: 'a', fromhost: 'b', rawmsg: 'c d e\n' }],
    ['%PRI-text% %msg%\\n', 'daemon.info<30> hello\n', { 'pri-text': 3, Payload: 'hello' }],
    ['%pri-text%', 'authpriv.info<86>', { 'pri-text': 10 }],
    ['%pri-text%,%msg%', 'auth.crit,hello', { 'pri-text': 4, Payload: 'hello' }],
    [
      '%syslogseverity-text% %syslogfacility-text% %programname% %msg%\\n',
      'warning kern prog hello\n',
      { Severity: 4, 'syslogfacility-text': 0, programname: 'prog', Payload: 'hello' },
    ],
    ['%msg% (%syslogseverity%)\\n', 'hello (3)\n', { Payload: 'hello', Severity: 3 }],
    ['%syslogseverity% <%msg%>\\n', '3 <a > b>\n', { Payload: 'a > b', Severity: 3 }],
    ['%syslogseverity% <%msg%>\\n', '3 <hello>\n', { Payload: 'hello', Severity: 3 }],
    ['%msg:::drop-last-lf%', 'x\n', { Payload: 'x' }],
    ['%programname%%msg:::sp-if-no-1st-sp%(%iut%)', 'a  (1)', { programname: 'a', iut: '1' }],
    ['%hostname:::sp-if-no-1st-sp%%msg%', '  x', { Payload: 'x' }],
    ['%HOSTNAME% %app-name% %procid% %msgid% %msg%', '    x', { Hostname: '', 'app-name': '', procid: '', msgid: '', Payload: 'x' }],
    ['%fromhost% %source% %inputname% %programname%', '   ', { Hostname: '', fromhost: '', inputname: '', programname: '' }],
    ['%app-name%%msg%', '-abc x', { 'app-name': '-', Payload: 'abc x' }],
    ['%app-name%%msg%', `${'a'.repeat(48)}b`, { 'app-name': 'a'.repeat(48), Payload: 'b' }],
    ['%procid%%msg%', `${'a'.repeat(128)}b`, { procid: 'a'.repeat(128), Payload: 'b' }],
    ['%msgid%%msg%', `${'a'.repeat(32)}b`, { msgid: 'a'.repeat(32), Payload: 'b' }],
    ['%hostname%%msg%', `${'a'.repeat(255)}b`, { Hostname: 'a'.repeat(255), Payload: 'b' }],
    ['%syslogfacility-text% %syslogfacility-text%', 'KERN local7', { 'syslogfacility-text': 23 }],
    ['%syslogfacility-text%', 'Kern', null],
    ['%syslogseverity-text%%msg%', 'warnings', { Severity: 4, Payload: 's' }],
    ['%syslogseverity-text% %syslogpriority-text%', 'PANIC emerg', { Severity: 0 }],
    ['%$hour%:%$hhour%:%$qhour%:%$minute%', '23:01:03:59', { $hour: '23', $hhour: '01', $qhour: '03', $minute: '59' }],
    ['%$hhour%', '02', null],
    ['%$qhour%', '04', null],
    ['%$minute%', '60', null],
    ['%fromhost-ip%%msg%', '1.2.3.4.5', { 'fromhost-ip': '1.2.3.4', Payload: '.5' }],
    ['%fromhost-ip%', 'box1', null],
    ['%TIMESTAMP:1:15:date-mysql%', '20210305130759', { Timestamp: '1614949679000000000' }],
    ['%timestamp:::DATE-PGSQL%', '2021-03-05 13:07:59', { Timestamp: '1614949679000000000' }],
    ['%timestamp:::no-such-option%', 'Mar  5 13:07:59', { Timestamp: '1614949679000000000' }],
    ['%iut%\\"\\9%protocol-version%', '1"\t2', { iut: '1', 'protocol-version': '2' }],
    ['%pri%%msg%', 'x', null],
    ['%timestamp:::date-unixtimestamp% %msg%', '1614949679 m', { Timestamp: '1614949679000000000', Payload: 'm' }],
    ['%timegenerated:date-subseconds%', '250', { timegenerated: 250 }],
    ['%structured-data% %msg%', '[a b="c d"] m', { 'structured-data': '[a b="c d"]', Payload: 'm' }],
    ['%structured-data%', '-', { 'structured-data': '-' }],
    ['\\065%iut%\\%%%$bom%', 'A7%%\ufeff', { iut: '7', $bom: '\ufeff' }],
    ['\\195\\169%iut%\\9%msg%', 'é7\tm', { iut: '7', Payload: 'm' }],
    ['%syslogtag% %programname%', 'a[1]: b', { programname: 'b', Pid: 1 }],
    ['%programname% %syslogtag%', 'b a[1]:', { programname: 'a', Pid: 1 }],
    ['%hostname% %source%', 'a b', { Hostname: 'a' }],
    ['%syslogpriority% %syslogseverity%', '1 2', { Severity: 2 }],
    [
      '%timestamp:::date-rfc3339% %HOSTNAME% %app-name%[%procid%]: %msg%\\n',
      '2021-03-05T13:07:59Z box1 app[12]: hi there\n',
      { ...AT, 'app-name': 'app', procid: '12', Payload: 'hi there' },
    ],
    ['{"h":"%HOSTNAME%","m":"%msg%"}\\n', '{"h":"box1","m":"a b"}\n', { Hostname: 'box1', Payload: 'a b' }],
    ['<%pri%>%msg%\\n', '<>x\n', null],
    ['%iut%\\n', '12abc', null],
    ['%iut%\\n', '12', { iut: '12' }],
    ['%iut%\\n', '12\r\n', { iut: '12' }],
    ['%iut%\\r\\n', '12\n', { iut: '12' }],
    ['%iut%\n', '12', { iut: '12' }],
    ['%iut%\\n\\n', '12', { iut: '12' }],
    ['%iut%\\n%protocol-version%', '12\n34', { iut: '12', 'protocol-version': '34' }],
    ['%iut%\\n%protocol-version%', '12\r\n34', { iut: '12', 'protocol-version': '34' }],
    ['%iut%\\n%protocol-version%\\n', '12\r\n34\r\n', { iut: '12', 'protocol-version': '34' }],
    ['%msg% (%syslogseverity%)\\n', 'hello (3)', { Payload: 'hello', Severity: 3 }],
    ['"%msg%"\\n', '"a"b"', { Payload: 'a"b' }],
    ['"%msg%"\\n', '"a"b"\r\n', { Payload: 'a"b' }],
    ['{"m":"%msg%"}\\n', '{"m":"a b"}', { Payload: 'a b' }],
    ['%app-name%[%procid%]\\n', 'app[12]', { 'app-name': 'app', procid: '12' }],
    ['%app-name%[%procid%]\\n', 'app[12] x', null],
    ['%HOSTNAME% %$.a%\\n', 'box1 b c', { Hostname: 'box1', '$.a': 'b c' }],
    ['%HOSTNAME% %$.a%\\n', 'box1 b c\r\n', { Hostname: 'box1', '$.a': 'b c' }],
    ['%msg%', 'x\r\n', { Payload: 'x' }],
    ['RSYSLOG_TraditionalFileFormat', 'Mar  5 13:07:59 box1 a[1]: b', { ...AT, programname: 'a', Pid: 1, Payload: 'b' }],
    [
      'RSYSLOG_SyslogProtocol23Format',
      '<165>1 2021-03-05T13:07:59Z box1 app 12 ID - m',
      {
        ...{ ...AT, Severity: 5, syslogfacility: 20, 'app-name': 'app', procid: '12', msgid: 'ID', 'structured-data': '-', Payload: 'm' },
      },
    ],
    ['%timestamp:::date-rfc3339,date-utc% %msg%', '2021-03-05T13:07:59Z x', { Timestamp: '1614949679000000000', Payload: 'x' }],
    ['%$!user.name% %$.a-b% %$now-utc%', 'bob c 2021-03-05', { '$!user.name': 'bob', '$.a-b': 'c', '$now-utc': '2021-03-05' }],
    ['%fromhost-port% %uuid% %rawmsg-after-pri%', '514 3f2a a b', { 'fromhost-port': '514', uuid: '3f2a', 'rawmsg-after-pri': 'a b' }],
    ['RSYSLOG_FileFormat', '2021-03-05T13:07:59Z box1 a[1]: b\n', { ...AT, programname: 'a', Pid: 1, Payload: 'b' }],
    ['%pri% %syslogseverity% %syslogfacility%', '34 5 6', { Severity: 2, syslogfacility: 4, syslogseverity: 5 }],
  ])('%s on %j', (template, line, expected) => {
    expect(decode(template, line)).toEqual(expected);
  });
});

test('keeps the host as a field', () => {
  expect(decode(FORWARD, '<34>Nov  2 06:05:04 gate3 guard[9]: denied', { hostname_keep: true })).toMatchObject({
    ...{ Severity: 2, syslogfacility: 4, hostname: 'gate3', programname: 'guard', Pid: 9, Payload: 'denied' },
  });
  expect(decode(FORWARD, '<191>Nov  2 06:05:04 gate3 guard: denied')).toMatchObject({ Severity: 7, syslogfacility: 23, Hostname: 'gate3' });
});

test('an offset as tz moves dates without a zone only', () => {
  const config = { tz: '+01:00' };
  expect(decode('%timestamp:::date-pgsql%', '2021-03-05 13:07:59', config)).toEqual({ Timestamp: '1614946079000000000' });
  expect(decode('%timestamp:::date-rfc3339%', '2021-03-05T13:07:59Z', config)).toEqual({ Timestamp: '1614949679000000000' });
  expect(decode('%timestamp%', 'Mar  5 13:07:59', config)).toEqual({ Timestamp: '1614946079000000000' });
});

test.each([['%bogus%\\n'], ['']])('does not start with the template %j', (template) => {
  expect(() => startPlugin('decoders/rsyslog.ts', { template })).toThrow(/template/);
});
