import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };
const read = (match: string, line: string, config: Record<string, string | boolean> = {}): Decoded | string =>
  decoder('grok', { match, ...config })(line);

describe('fields', () => {
  test.each<[string, string, Decoded]>([
    ['%{INT:a:int} %{NUMBER:b:float} %{WORD:c:boolean} %{INT:d:string}', '5 1.5 true 7', { a: 5, b: 1.5, c: true, d: '7' }],
    ['%{NUMBER:a:int} %{WORD:b:int}', '1.9 x', { a: 1, b: 'x' }],
    ['%{WORD:a} %{WORD:a} %{INT:a:int}', 'x y 3', { a: ['x', 'y', '3'] }],
    ['%{INT:a:int} %{INT:a:int}', '1 2', { a: [1, 2] }],
    ['(?<my_id>[0-9A-F]+) (?<n:int>\\d+)', 'BEEF 7', { my_id: 'BEEF', n: 7 }],
    ['%{IP:[source][ip]} %{WORD:[a]} %{WORD:x.y}', '192.0.2.1 b c', { 'source.ip': '192.0.2.1', a: 'b', 'x.y': 'c' }],
    ['(?:%{INT:a}|%{WORD:b})', 'x', { b: 'x' }],
    ['%{IP:[source][ip]?} %{INT:[source][port]:int?}', '192.0.2.1 80', { 'source.ip': '192.0.2.1', 'source.port': 80 }],
    ['%{WORD:a}\\n%{GREEDYDATA:b}', 'x\ny\nz', { a: 'x', b: 'y\nz' }],
    ['"%{DATA:a}" %{GREEDYDATA:b}', '"" ', {}],
    ['%{WORD} %{WORD:b}', 'x y', { b: 'y' }],
    ['(?<a>x)(y)\\k<a>', 'xyx', { a: 'x' }],
    ['%{WORD:level} %{POSINT:pid} %{GREEDYDATA:message}', 'error 12 hi', { Severity: 3, Pid: 12, Payload: 'hi' }],
    ['%{WORD:level} %{WORD:timestamp}', 'high soon', { level: 'high', timestamp: 'soon' }],
  ])('%s on %j', (match, line, expected) => {
    expect(read(match, line)).toEqual(expected);
  });

  test('of entries of Nagios, by both names', () => {
    const alert = '[1427925689] SERVICE ALERT: db1;Backend;CRITICAL;SOFT;1;Current value: 154.0, warn threshold: 10.0';
    expect(read('^%{NAGIOSLOGLINE - of a service}$', alert)).toMatchObject({
      nagios_type: 'SERVICE ALERT',
      nagios_hostname: 'db1',
      nagios_service: 'Backend',
      nagios_state: 'CRITICAL',
      nagios_statelevel: 'SOFT',
      nagios_attempt: '1',
      nagios_message: 'Current value: 154.0, warn threshold: 10.0',
    });
    const command = '[1427956600] EXTERNAL COMMAND: SCHEDULE_HOST_DOWNTIME;db1;1427956540;1427960140;1;0;3600;root;a test';
    expect(read('^%{NAGIOSLOGLINE}$', command, { ecs: true })).toMatchObject({
      Hostname: 'db1',
      'nagios.log.command': 'SCHEDULE_HOST_DOWNTIME',
      'nagios.log.duration': 3600,
      'user.name': 'root',
      'nagios.log.comment': 'a test',
    });
  });

  // The values are those of Ruby 3.
  test.each<[string, string, Decoded]>([
    ['^(?:(?<a>x)|(?<b>y))*$', 'xy', { a: 'x', b: 'y' }],
    ['^(?:(?<a>[a-c])|(?<b>[x-z]))+$', 'axbyz', { a: 'b', b: 'z' }],
    ['^(?:k=(?<k>\\w+) ?|v=(?<v>\\w+) ?|[a-z]+ ?){1,9}$', 'k=1 v=2 word k=3 end', { k: '3', v: '2' }],
    ['^(?:(?:(?<a>a)|b)+;)+$', 'ab;b;', { a: 'a' }],
    ['^(?:(?<a>a)|(?<b>b))*(?<c>c)?$', 'ab', { a: 'a', b: 'b' }],
    ['^(?:(?<a>a)|b)*+$', 'ab', { a: 'a' }],
    ['(?:%{INT:n:int},|%{WORD:w},)*end', '5,x,7,end', { n: 7, w: 'x' }],
  ])('groups of repetitions keep what they had last: %s on %j', (match, line, expected) => {
    expect(read(match, line)).toEqual(expected);
  });

  test('the dot takes line ends, or not', () => {
    expect(read('^%{GREEDYDATA:a}$', 'x\ny')).toEqual({ a: 'x\ny' });
    expect(read('^%{GREEDYDATA:a}$', 'x\ny', { dot_all: false })).toEqual({ a: 'x' });
  });

  test.each<[Record<string, string | boolean>, string]>([
    [{}, 'program'],
    [{ ecs_compatibility: 'disabled', ecs: true }, 'program'],
    [{ ecs: true }, 'process.name'],
    [{ ecs_compatibility: 'v1' }, 'process.name'],
    [{ ecs_compatibility: 'v8' }, 'process.name'],
  ])('the usual patterns have the names of %j', (config, name) => {
    expect(read('^%{SYSLOGPROG}$', 'sshd', config)).toEqual({ [name]: 'sshd' });
  });

  test('the first pattern that matches counts', () => {
    expect(read('^%{INT:a}$\n\n  ^%{WORD:b}$\n%{GREEDYDATA:c}', 'x')).toEqual({ b: 'x' });
  });

  test('own definitions win, and use others', () => {
    const patterns = '# comment\nPOSTFIX_ID [0-9A-F]{10,11}\nWORD [xyz]+\nBOTH %{POSTFIX_ID:queue} %{WORD:w}';
    expect(read('%{BOTH}', 'BEF25A72965 axy', { patterns })).toBe('refused: no pattern matches');
    expect(read('%{BOTH}', 'BEF25A72965 xy', { patterns })).toEqual({ queue: 'BEF25A72965', w: 'xy' });
  });
});

describe('times', () => {
  test.each([
    ['%{GREEDYDATA:timestamp}', '2021-03-05 13:07:59,250', 'yyyy-MM-dd HH:mm:ss,SSS', AT],
    ['%{GREEDYDATA:timestamp}', '05.03.2021 13:07', 'yyyy || dd.MM.yyyy HH:mm', { Timestamp: '1614949620000000000' }],
    ['%{GREEDYDATA:timestamp}', '1614949679.25', 'UNIX', AT],
    ['%{GREEDYDATA:timestamp}', '1614949679250', 'UNIX||UNIX_MS', AT],
    ['%{GREEDYDATA:[@timestamp]}', '2021-03-05T13:07:59.250Z', 'ISO8601', AT],
    ['%{GREEDYDATA:timestamp}', '2021-03-05T13:07:59.250Z', 'UNIX', AT],
  ])('%s of %s by %s', (match, line, date_formats, expected) => {
    expect(read(match, line, { date_formats })).toEqual(expected);
  });
});

describe('refuses to start', () => {
  test.each([
    [{ match: '%{NOPE:x}' }, 'match: there is no pattern NOPE'],
    [{ match: '%{WORD:x:constructor}' }, 'match: constructor is not a type of fields: use int, integer, long, float'],
    [{ match: '%{WORD:x:date}' }, 'match: date is not a type of fields: use int, integer, long, float'],
    [{ match: '%{A}', patterns: 'A %{B}\nB %{A}' }, 'match: the pattern A refers to itself: A → B → A'],
    [{ match: '%{WORD:a' }, 'match: %{WORD:a is not a reference to a pattern'],
    [{ match: '(a' }, 'match: a group that does not end in: (a'],
    [{ match: '\\g<x>' }, 'match: \\g has no counterpart in JavaScript'],
    [{ match: 'a', patterns: 'LONELY' }, 'no name and expression: LONELY'],
    [{ match: 'a', date_formats: 'yyyy-QQ' }, 'date_formats: unknown letter Q'],
    [
      {
        match: '%{P9}',
        patterns: Array.from({ length: 10 }, (_, i) => `P${i} ${i === 0 ? 'aaaaaaaaaa' : `%{P${i - 1}}`.repeat(10)}`).join('\n'),
      },
      'match: the pattern is too long',
    ],
  ])('%j', (config, reason) => {
    expect(() => decoder('grok', config)).toThrow(reason);
  });
});
