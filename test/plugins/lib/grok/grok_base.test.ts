import { describe, expect, test } from 'vitest';
import { GrokPatterns } from '../../../../plugins/lib/grok/grok.ts';
import { decoder, type Decoded } from '../../support/decode.ts';

const WHOLE = { Timestamp: '1614949679000000000' };
const AT = { Timestamp: '1614949679250000000' };
const read = (match: string, line: string): Decoded | string => decoder('grok', { match })(line);

describe('parts of lines', () => {
  const patterns = new GrokPatterns([], false);
  const found = (name: string, text: string): string | null => patterns.compile(`%{${name}:it}`).match(text)?.[1] ?? null;

  test.each([
    ['NUMBER', 'took -1.5e ms', '-1.5'],
    ['NUMBER', '.5', '.5'],
    ['INT', 'a+12', '+12'],
    ['BASE16NUM', '= 0xdeadBEEF', '0xdeadBEEF'],
    ['POSINT', '007 12', '12'],
    ['NONNEGINT', '007', '007'],
    ['WORD', '-ab_c-', 'ab_c'],
    ['QS', 'say "a \\"b\\" c" d', '"a \\"b\\" c"'],
    ['QS', "'x'", "'x'"],
    ['QS', '""', '""'],
    ['UUID', 'x 3f06af63-a93c-11e4-9797-00505690773f', '3f06af63-a93c-11e4-9797-00505690773f'],
    ['MAC', '00:1B:44:11:3A:B7', '00:1B:44:11:3A:B7'],
    ['MAC', '001b.4411.3ab7', '001b.4411.3ab7'],
    ['IP', '192.0.2.1:80', '192.0.2.1'],
    ['IPV4', '1192.0.2.1', null],
    ['IP', '[2001:db8::7]:80', '2001:db8::7'],
    ['IPV6', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['IPORHOST', 'www.example.org.', 'www.example.org.'],
    ['HOSTPORT', 'a.example:8080', 'a.example:8080'],
    ['EMAILADDRESS', 'mail bob.b+x@example.org now', 'bob.b+x@example.org'],
    ['PATH', 'in /var/log/a.log ', '/var/log/a.log'],
    ['WINPATH', 'C:\\Windows\\x.exe', 'C:\\Windows\\x.exe'],
    ['URI', 'get https://u:p@example.org:8443/a/b?c=d&e=%20#f now', 'https://u:p@example.org:8443/a/b?c=d&e=%20#f'],
    ['URIPATHPARAM', 'GET /a?b[]=1 HTTP', '/a?b[]=1'],
    ['MONTH', '5 March', 'March'],
    ['SYSLOGTIMESTAMP', 'x Mar  5 13:07:59 y', 'Mar  5 13:07:59'],
    ['TIMESTAMP_ISO8601', 'at 2021-03-05T13:07:59.250+01:00.', '2021-03-05T13:07:59.250+01:00'],
    ['TIMESTAMP_ISO8601', '2021-03-05 13:07', '2021-03-05 13:07'],
    ['HTTPDATE', '[05/Mar/2021:13:07:59 +0100]', '05/Mar/2021:13:07:59 +0100'],
    ['DATE_US', '3/5/2021', '3/5/2021'],
    ['DATE_EU', '5.3.2021', '5.3.2021'],
    ['DATESTAMP_RFC2822', 'Fri, 5 Mar 2021 13:07:59 +0100', 'Fri, 5 Mar 2021 13:07:59 +0100'],
    ['TIME', '13:07:599', null],
    ['LOGLEVEL', '[WARNING]', 'WARNING'],
    ['LOGLEVEL', 'Info:', 'Info'],
  ])('%s in %j', (name, text, expected) => {
    expect(found(name, text)).toBe(expected);
  });
});

describe('whole lines', () => {
  test.each<[string, string, Decoded]>([
    [
      '%{SYSLOGLINE}',
      'Mar  5 13:07:59 box1 CRON[4411]: (root) CMD (true)',
      { ...WHOLE, Hostname: 'box1', Pid: 4411, program: 'CRON', Payload: '(root) CMD (true)' },
    ],
    [
      '%{CRONLOG}',
      'Mar  5 13:07:59 box1 CRON[4411]: (root) CMD (true)',
      { ...WHOLE, Hostname: 'box1', Pid: 4411, program: 'CRON', user: 'root', action: 'CMD', Payload: 'true' },
    ],
    [
      '%{SYSLOGPAMSESSION}',
      'Mar  5 13:07:59 box1 sshd[9]: pam_unix(sshd:session): session opened for user alice by (uid=0)',
      {
        ...{ ...WHOLE, Hostname: 'box1', Pid: 9, program: 'sshd', pam_module: 'pam_unix', pam_caller: 'sshd:session' },
        ...{ pam_session_state: 'opened', username: 'alice', pam_by: '(uid=0)' },
        Payload: 'pam_unix(sshd:session): session opened for user alice by (uid=0)',
      },
    ],
    [
      '%{SYSLOG5424LINE}',
      '<165>1 2021-03-05T13:07:59.250Z box1 app 4411 ID47 [x@1 a="b"] hi there',
      {
        ...{ ...AT, Hostname: 'box1', Pid: 4411, Payload: 'hi there', syslog5424_pri: '165', syslog5424_ver: '1' },
        ...{ syslog5424_app: 'app', syslog5424_msgid: 'ID47', syslog5424_sd: '[x@1 a="b"]' },
      },
    ],
  ])('%s', (match, line, expected) => {
    expect(read(match, line)).toEqual(expected);
  });
});
