import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structuredParameters } from '../../../plugins/lib/syslog/structured_data.ts';
import { SyslogLine } from '../../../plugins/lib/syslog/syslog_line.ts';
import { WallClock } from '../../../plugins/modules/time_zone.ts';
import { decoder } from '../support/decode.ts';
import type { PlainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const READ_AT = BigInt(Date.UTC(2021, 2, 5, 14)) * 1_000_000n;

/** The message that a line becomes, fields by name; null when it is refused. */
function decode(line: string, config: Record<string, string> = {}, readAt = READ_AT): Record<string, unknown> | null {
  const { rc, injected } = startPlugin('decoders/syslog.ts', config).process({ Timestamp: readAt, Payload: line, Fields: [] });
  if (rc !== 0) return null;
  const { Timestamp, Fields, ...headers } = injected[0] as PlainMessage;
  const time = Timestamp === undefined ? {} : { at: new Date(Number(Timestamp / 1_000_000n)).toISOString() };
  return { ...headers, ...time, ...Object.fromEntries(Fields.map(({ name, value }) => [name, value[0]])) };
}

const at = '2021-03-05T13:07:59.000Z';

describe('files of syslog daemons', () => {
  test.each([
    ['Mar  5 13:07:59 box1 sshd[4411]: a\r\n', { at, Hostname: 'box1', programname: 'sshd', Pid: 4411, Payload: 'a' }],
    ['Mar 05 13:07:59 box1 kernel: x', { at, Hostname: 'box1', programname: 'kernel', Payload: 'x' }],
    ['Fri 2021-03-05 14:07:59 CET box1 app[7]: x', { at, Hostname: 'box1', programname: 'app', Pid: 7, Payload: 'x' }],
    ['1614949679.000000 box1 app[7]: x', { at, Hostname: 'box1', programname: 'app', Pid: 7, Payload: 'x' }],
    ['Mar  5 13:07:59 box1 app:  two\nlines\n', { at, Hostname: 'box1', programname: 'app', Payload: ' two\nlines' }],
    ['Mar  5 13:07:59 box1 (sd-pam)[7]: x', { at, Hostname: 'box1', programname: '(sd-pam)', Pid: 7, Payload: 'x' }],
    ['Mar  5 13:07:59 box1 app[web.1]: x', { at, Hostname: 'box1', programname: 'app', procid: 'web.1', Payload: 'x' }],
    ['Mar  5 13:07:59 box1 app[99999999999]: x', { at, Hostname: 'box1', programname: 'app', procid: '99999999999', Payload: 'x' }],
    ['Mar  5 13:07:59 box1 app[7] x', { at, Hostname: 'box1', programname: 'app', Pid: 7, Payload: 'x' }],
    ['Mar  5 13:07:59 box1 last message repeated 2 times', { at, Hostname: 'box1', Payload: 'last message repeated 2 times' }],
    ['Mar  5 13:07:59 box1', { at, Hostname: 'box1', Payload: '' }],
    ['Mar  5 13:07:59 root: no host', { at, programname: 'root', Payload: 'no host' }],
    ['Mar  5 13:07:59 2001:db8::7 sshd: x', { at, Hostname: '2001:db8::7', programname: 'sshd', Payload: 'x' }],
    ['2021-03-05T13:07:59Z box1 cron: x', { at, Hostname: 'box1', programname: 'cron', Payload: 'x' }],
    ['2021-03-05T14:07:59+01:00 box1 cron:', { at, Hostname: 'box1', programname: 'cron', Payload: '' }],
    ['Mar  5 13:07:60 box1 x: leap', { at: '2021-03-05T13:08:00.000Z', Hostname: 'box1', programname: 'x', Payload: 'leap' }],
  ])('%j', (line, expected) => {
    expect(decode(line)).toEqual(expected);
  });

  test.each([
    '',
    'junk',
    'Foo  5 13:07:59 box1 x: y',
    'Mar  5 24:07:59 box1 x: y',
    'Mar 32 13:07:59 box1 x: y',
    'Mar 5',
    'Mar  5 13:07:5',
    '<192>x',
  ])('refuses %j', (line) => {
    expect(decode(line)).toBeNull();
  });
});

describe('lines of devices and of other systems', () => {
  const box1 = { at, Hostname: 'box1', programname: 'app', Pid: 7, Payload: 'x' };
  const app = { at, programname: 'app', Pid: 7, Payload: 'x' };

  test.each<[line: string, expected: Record<string, unknown>]>([
    ['Mar  5 13:07:59 2021 box1 app[7]: x', box1],
    ['Mar 05 13:07:59 2021 box1 app[7]: x', box1],
    ['Mar  5 13:07:59.000 2021 box1 app[7]: x', box1],
    ['Apr 15 21:28:13 2007 linksys app: msg', { at: '2007-04-15T21:28:13.000Z', Hostname: 'linksys', programname: 'app', Payload: 'msg' }],
    ['Feb 29 12:00:00 2020 box1 app[7]: x', { ...box1, at: '2020-02-29T12:00:00.000Z' }],
    ['Dec 31 23:59:59 1999 box1 app[7]: x', { ...box1, at: '1999-12-31T23:59:59.000Z' }],
    ['Mar  5 13:07:59 2021', { at, Hostname: '2021', Payload: '' }],
    ['Mar  5 13:07:59 9999 app[7]: x', { ...app, Hostname: '9999' }],
    ['Mar  5 13:07:59 2001:db8::7 app[7]: x', { ...app, Hostname: '2001:db8::7' }],
    ['Mar  5 13:07:59 UTC box1 app[7]: x', box1],
    ['Mar  5 14:07:59 CET box1 app[7]: x', box1],
    ['Mar  5 08:07:59.5 EST box1 app[7]: x', { ...box1, at: '2021-03-05T13:07:59.500Z' }],
    ['Mar  5 14:07:59 CET 2021 box1 app[7]: x', box1],
    ['Mar  5 14:07:59 2021 CET box1 app[7]: x', box1],
    ['Mar  5 14:07:59 +0100 box1 app[7]: x', box1],
    ['Mar  5 14:07:59 +01:00 box1 app[7]: x', box1],
    ['Mar  5 13:07:59 ESXI app[7]: x', { ...app, Hostname: 'ESXI' }],
    ['Mar  5 13:07:59,250 box1 app[7]: x', { ...box1, at: '2021-03-05T13:07:59.250Z' }],
    ['MAR  5 13:07:59 box1 app[7]: x', box1],
    ['mar 5 13:07:59 box1 app[7]: x', box1],
    ['NOV 22 06:05:04 box1 app[7]: x', { ...box1, at: '2020-11-22T06:05:04.000Z' }],
    ['2021 Mar  5 13:07:59 box1 app[7]: x', box1],
    ['2021-03-05T13:07:59 box1 app[7]: x', box1],
    ['2021-03-05T13:07:59.250 box1 app[7]: x', { ...box1, at: '2021-03-05T13:07:59.250Z' }],
    ['2021-03-05T14:07:59+01 box1 app[7]: x', box1],
    ['Mar  5 13:07:59 Message forwarded from box1: app[7]: x', box1],
    ['Mar  5 13:07:59 Message forwarded from box1: no tag', { at, Hostname: 'box1', Payload: 'no tag' }],
    ['Mar  5 13:07:59 Message forwarded from box1', { at, Hostname: 'Message', Payload: 'forwarded from box1' }],
    ['Mar  5 13:07:59 last message repeated 2 times', { at, Payload: 'last message repeated 2 times' }],
    ['Mar  5 13:07:59 app[7]: x', app],
    ['Mar  5 13:07:59 ::1 app[7]: x', { ...app, Hostname: '::1' }],
    ['Mar  5 13:07:59 fe80::1%eth0 app[7]: x', { ...app, Hostname: 'fe80::1%eth0' }],
    ['Mar  5 13:07:59 box1 /usr/sbin/app[7]: x', { ...box1, programname: '/usr/sbin/app' }],
    ['Mar  5 13:07:59 box1 sshd(pam_unix)[7]: x', { ...box1, programname: 'sshd(pam_unix)' }],
    ['Mar  5 13:07:59 box1 app(a)(b): x', { at, Hostname: 'box1', programname: 'app(a)(b)', Payload: 'x' }],
  ])('%j', (line, expected) => {
    expect(decode(line)).toEqual(expected);
    expect(decode(`<34>${line}`)).toEqual({ ...expected, Severity: 2, syslogfacility: 4 });
    expect(decode(`<34> ${line}`)).toEqual({ ...expected, Severity: 2, syslogfacility: 4 });
  });

  const H = { Severity: 5, syslogfacility: 23 };
  const ios = { ...H, at, programname: '%SYS-5-CONFIG_I', Payload: 'Configured' };

  test.each<[line: string, expected: Record<string, unknown>]>([
    ['<189>45: *Mar  5 13:07:59.000: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>45: Mar  5 13:07:59: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>45: .Mar  5 13:07:59 UTC: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>45: Mar  5 14:07:59.000 CET: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>45: rtr-1.lan: Mar  5 13:07:59: %SYS-5-CONFIG_I: Configured', { ...ios, Hostname: 'rtr-1.lan' }],
    ['<189>45: 192.0.2.1: 000027: *Mar  5 13:07:59.000: %SYS-5-CONFIG_I: Configured', { ...ios, Hostname: '192.0.2.1' }],
    ['<189>45: *Mar  5 2021 13:07:59.000: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>: 2021 Mar  5 13:07:59 UTC: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>Mar 05 2021 13:07:59: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>Mar 05 2021 13:07:59 fw1 : %SYS-5-CONFIG_I: Configured', { ...ios, Hostname: 'fw1' }],
    ['<189>2021-03-05T13:07:59Z: %SYS-5-CONFIG_I: Configured', ios],
    ['<189>2021-03-05T13:07:59Z fw1 : %SYS-5-CONFIG_I: Configured', { ...ios, Hostname: 'fw1' }],
    [
      '<189>45: *Mar  1 00:00:12.345: %SYS-5-RESTART: up',
      { ...H, at: '2021-03-01T00:00:12.345Z', programname: '%SYS-5-RESTART', Payload: 'up' },
    ],
    ['<189>45: 00:00:12: %SYS-5-RESTART: up', { ...H, Payload: '45: 00:00:12: %SYS-5-RESTART: up' }],
    ['<189>2021-03-05 13:07:59 box1 app[7]: x', { ...H, at, Hostname: 'box1', programname: 'app', Pid: 7, Payload: 'x' }],
    [
      '<7>2006-11-10T10:43:21.156 bzorp openvpn[2499]: x',
      {
        Severity: 7,
        syslogfacility: 0,
        at: '2006-11-10T10:43:21.156Z',
        Hostname: 'bzorp',
        programname: 'openvpn',
        Pid: 2499,
        Payload: 'x',
      },
    ],
    [
      '<37>Dec 10 12:00:00 Message forwarded from cdaix66: sshd[679960]: Accepted',
      {
        Severity: 5,
        syslogfacility: 4,
        at: '2020-12-10T12:00:00.000Z',
        Hostname: 'cdaix66',
        programname: 'sshd',
        Pid: 679960,
        Payload: 'Accepted',
      },
    ],
  ])('%j', (line, expected) => {
    expect(decode(line)).toEqual(expected);
    expect(decoder('rfc3164')(line)).toEqual(decoder('syslog')(line));
  });

  test.each([
    '2021-03-05 13:07:59 box1 app[7]: x',
    '2021-13-05T13:07:59 box1 app[7]: x',
    '123: box1 app: x',
    ': x',
    '*',
    'FOO  5 13:07:59 box1 x: y',
  ])('refuses %j', (line) => {
    expect(decode(line)).toBeNull();
  });

  test('a name that several zones have is that of tz, others are what they are', () => {
    expect(decode('Mar  5 21:07:59 CST box1 app[7]: x', { tz: '+08:00' })?.['at']).toBe(at);
    expect(decode('Mar  5 07:07:59 CST box1 app[7]: x', { tz: '+01:00' })?.['at']).toBe(at);
    expect(decode('Mar  5 08:07:59 EST box1 app[7]: x', { tz: '+01:00' })?.['at']).toBe(at);
    expect(decode('Mar  5 14:07:59 2021 box1 app[7]: x', { tz: '+01:00' })?.['at']).toBe(at);
    expect(decode('2021-03-05T14:07:59 box1 app[7]: x', { tz: '+01:00' })?.['at']).toBe(at);
  });
});

describe('the year of a date without one', () => {
  test.each([
    ['Dec 31 23:59:59', '2021-01-01T00:00:05Z', '2020-12-31T23:59:59Z'],
    ['Jan  1 00:00:01', '2021-01-01T00:00:05Z', '2021-01-01T00:00:01Z'],
    ['Jan  1 01:00:00', '2020-12-31T23:30:00Z', '2021-01-01T01:00:00Z'],
    ['Mar  6 12:00:00', '2021-03-05T13:00:00Z', '2021-03-06T12:00:00Z'],
    ['Mar  7 12:00:00', '2021-03-05T13:00:00Z', '2020-03-07T12:00:00Z'],
    ['Feb 29 12:00:00', '2021-03-05T13:00:00Z', '2020-02-29T12:00:00Z'],
    ['Feb 29 12:00:00', '2024-03-01T00:00:00Z', '2024-02-29T12:00:00Z'],
  ])('%s read at %s', (date, readAt, expected) => {
    const message = decode(`${date} box1 x: y`, {}, BigInt(Date.parse(readAt)) * 1_000_000n);
    expect(message?.['at']).toBe(new Date(expected).toISOString());
  });
});

test.each([
  ['UTC', '2021-03-05T13:07:59.000Z'],
  ['+02:00', '2021-03-05T11:07:59.000Z'],
  ['-0530', '2021-03-05T18:37:59.000Z'],
])('tz %s applies to dates without a zone', (tz, expected) => {
  expect(decode('Mar  5 13:07:59 box1 x: y', { tz })?.['at']).toBe(expected);
  expect(decode('2021-03-05T13:07:59Z box1 x: y', { tz })?.['at']).toBe(at);
});

describe('priorities and RFC 5424', () => {
  const H = { Severity: 2, syslogfacility: 4 };

  test.each([
    ['<34>Mar  5 13:07:59 box1 su: failed', { ...H, at, Hostname: 'box1', programname: 'su', Payload: 'failed' }],
    ['<34>2021-03-05T13:07:59Z box1 su: failed', { ...H, at, Hostname: 'box1', programname: 'su', Payload: 'failed' }],
    ['<34>free text', { ...H, Payload: 'free text' }],
    ['<34>', { ...H, Payload: '' }],
    ['<34>1 - - - - - -', { ...H, Payload: '' }],
    ['<34>1 2021-03-05T13:07:59Z h a 12 - - m', { ...H, at, Hostname: 'h', programname: 'a', Pid: 12, Payload: 'm' }],
    [
      '<34>1 2021-03-05T13:07:59Z h a p-1 ID -  m',
      { ...H, at, Hostname: 'h', programname: 'a', procid: 'p-1', msgid: 'ID', Payload: ' m' },
    ],
    [
      '<34>1 - h a - - [x@1 k="\\]\\\\\\"\\n"][empty]',
      { ...H, Hostname: 'h', programname: 'a', 'x@1.k': ']\\"\\n', empty: '', Payload: '' },
    ],
    [
      '<34>1 - h a - - [x k= "1" l=10 m="[2]"] m',
      { ...H, Hostname: 'h', programname: 'a', 'x.k': '1', 'x.l': '10', 'x.m': '[2]', Payload: 'm' },
    ],
    ['<34>1 - h a - - [x k=] m', { ...H, Payload: '1 - h a - - [x k=] m' }],
    ['<34>1 - h a - - [x k] m', { ...H, Payload: '1 - h a - - [x k] m' }],
    ['<34>1 - h a - - [x k="1"]m', { ...H, Payload: '1 - h a - - [x k="1"]m' }],
    ['<34>1 - h a - - [x k="1" ] [m', { ...H, Payload: '1 - h a - - [x k="1" ] [m' }],
    ['<34>1 - h a - - - \ufeffmarked', { ...H, Hostname: 'h', programname: 'a', Payload: 'marked' }],
    ['<34>1 - h a - - [x k="open] m', { ...H, Payload: '1 - h a - - [x k="open] m' }],
    ['<34>1 2021-03-05 h a - - - m', { ...H, Payload: '1 2021-03-05 h a - - - m' }],
    ['<191>1 - h a - - - m', { Severity: 7, syslogfacility: 23, Hostname: 'h', programname: 'a', Payload: 'm' }],
  ])('%j', (line, expected) => {
    expect(decode(line)).toEqual(expected);
  });
});

test('repeated parameters stay apart', () => {
  expect(structuredParameters('[a ip="1" ip="2"][b]')).toEqual([
    ['a.ip', '1'],
    ['a.ip', '2'],
    ['b', ''],
  ]);
});

describe('samples', () => {
  test.each([
    ['syslog.log', /^(?:Jan|Feb|Mar|Mrz|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 1-3]\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d /],
    ['syslog-5424.log', /^<\d+>1 /],
  ])('%s: all lines but the damaged ones', (file, sound) => {
    const lines = readFileSync(new URL(`../../../resources/samples/${file}`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    const plugin = startPlugin('decoders/syslog.ts');
    const refused = lines.filter((line) => plugin.process({ Timestamp: READ_AT, Payload: line, Fields: [] }).rc !== 0);
    expect(refused).toEqual(lines.filter((line) => !sound.test(line)));
  });
});

test('looks neither before nor behind the line', () => {
  const words = [
    '<34>',
    '1 ',
    '- ',
    'Mar  5 13:07:59',
    '2021-03-05T13:07:59Z',
    ' box1',
    ' sshd',
    ' 2021',
    ' CET',
    '45: ',
    '*',
    ' Message forwarded from ',
    '[12]',
    ': ',
    '[a b="c"]',
    'text',
    ' ',
    ':',
  ];
  const piece = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 3 })), { maxLength: 9 }).map((parts) => parts.join(''));
  const seen = (text: string, from: number, to: number): unknown => {
    const line = new SyslogLine(() => Number(READ_AT), new WallClock('UTC'));
    const fits = line.parse(text, from, to);
    const spans = [line.host, line.program, line.process, line.messageId, line.data, line.message];
    return [
      fits,
      fits && [line.priority, String(line.ns), line.pid, ...spans.map((span) => (span.empty ? '' : text.slice(span.from, span.to)))],
    ];
  };
  fc.assert(
    fc.property(piece, piece, piece, (before, line, behind) => {
      expect(seen(before + line + behind, before.length, before.length + line.length)).toEqual(seen(line, 0, line.length));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['<188>date=2021-03-05 time=14:07:59 devname="fw1" level="warning" tz="+0100" srcip=192.0.2.1 action="deny"', { Severity: 4 }],
  ['<188>Mar  5 13:07:59 fw1 date=2021-03-05 time=13:07:59 level="error" srcip=192.0.2.1 action="deny"', { Severity: 3, Hostname: 'fw1' }],
  ['<188>device="SFW" date=2021-03-05 time=14:07:59 timezone="CET" src_ip=192.0.2.1 action="deny"', { device: 'SFW', src_ip: '192.0.2.1' }],
])('the pairs of a firewall: %s', (line, expected) => {
  expect(decoder('syslog')(line)).toMatchObject({ Timestamp: '1614949679000000000', action: 'deny', ...expected });
});

test.each([
  ['2021-03-05T14:07:59+0100 box1 app[7]: x', '1614949679000000000'],
  ['2021-03-05T14:07:59.250000+0100 box1 app[7]: x', '1614949679250000000'],
  ['Mar 05 13:07:59.250000 box1 app[7]: x', '1614949679250000000'],
  ['<14>Mar  5 2021 13:07:59 box1 app[7]: x', '1614949679000000000'],
  ['<14>Mar 05 2021 13:07:59.250 box1 app[7]: x', '1614949679250000000'],
])('the date of %s', (line, Timestamp) => {
  expect(decoder('syslog')(line)).toMatchObject({ Timestamp, Hostname: 'box1', Pid: 7, programname: 'app', Payload: 'x' });
});
