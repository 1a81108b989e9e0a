import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../../engine/matcher/matcher.ts';
import type { Message } from '../../../../engine/message/types.ts';
import type { Variable } from '../../../../engine/api/filter/variable.ts';
import { bareVariables } from '../../../../engine/api/filter/names.ts';
import { readFilter } from '../../../../engine/api/filter/reading.ts';
import { typedPlace } from '../../../../engine/api/filter/scanner.ts';
import { variablesOf } from '../../../../renderer/src/lib/sources/schema-facts.ts';
import { SCHEMA } from '../../../renderer/src/lib/schema-fixture.ts';

const known = (name: string, type: Variable['type']): Variable => ({ name, about: type, type, constants: [] });
const VARIABLES = [
  known('Fields[status]', 'number'),
  known('Fields[uri]', 'string'),
  known('Fields[tls]', 'bool'),
  known('Fields[code]', 'mixed'),
  known('Fields[app-name]', 'string'),
  known('Fields[remote addr]', 'string'),
  known('Fields[statuscode]', 'string'),
  known('Fields[Type]', 'string'),
  ...variablesOf([]),
];

const LOOKUPS = ['geo', 'geo-2', 'blocked', 'users'];
const read = (typed: string): ReturnType<typeof readFilter> => readFilter(typed, VARIABLES, LOOKUPS);

describe('readFilter', () => {
  it.each([
    ['uri@geo.country:DE', "Fields[uri]@geo.country == 'DE'"],
    [
      '-uri@geo-2.city.names.en:Bonn',
      "(Fields[uri]@geo-2.city.names.en != 'Bonn' || Fields[uri]@geo-2.city.names.en == 0 || Fields[uri]@geo-2.city.names.en != 0 || Fields[uri]@geo-2.city.names.en == TRUE || Fields[uri]@geo-2.city.names.en == FALSE || Fields[uri]@geo-2.city.names.en == NIL)",
    ],
    ['uri@users.asn >= 5', 'Fields[uri]@users.asn >= 5'],
    ['uri@geo.country:*', 'Fields[uri]@geo.country != NIL'],
    ['uri in @blocked status:500', 'Fields[uri] in @blocked && Fields[status] == 500'],
    ['uri not in @blocked', '(Fields[uri] not in @blocked || Fields[uri] == NIL)'],
  ])('with a lookup: %s → %s', (typed, expression) => {
    expect(read(typed)).toMatchObject({ kind: 'matcher', expression });
  });

  it.each([
    ['uri@host.example:22', LOOKUPS, 'there is no lookup host'],
    ['uri@goe.country:DE', LOOKUPS, 'there is no lookup goe'],
    ['uri@geo.country == x', [], 'there is no lookup geo'],
    ['-uri@host.example', LOOKUPS, null],
    ['uri@host.example: connected', LOOKUPS, null],
    ['nobody@geo.country:DE', LOOKUPS, null],
  ])('without a lookup of that name, %s is text', (typed, lookups, note) => {
    expect(readFilter(typed, VARIABLES, lookups)).toEqual({ kind: 'text', note });
  });

  it.each([
    ['status >= 500', 'Fields[status] >= 500'],
    ['status>=500', 'Fields[status] >= 500'],
    [' status = 404 ', 'Fields[status] == 404'],
    ['Status != 200', 'Fields[status] != 200'],
    ['Fields[status] >= 500', 'Fields[status] >= 500'],
    ['Fields[x][1][2] == 1', 'Fields[x][1][2] == 1'],
    ['statuscode = 500', "Fields[statuscode] == '500'"],
    ['uri = /login', "Fields[uri] == '/login'"],
    ["uri == '/a b'", "Fields[uri] == '/a b'"],
    ['uri ~ log.n', 'Fields[uri] =~ /log.n/'],
    ['uri =~ /log/i', null],
    ['uri !~ /a\\/b c/', 'Fields[uri] !~ /a\\/b c/'],
    ['remote addr = 10.0.0.1', "Fields[remote addr] == '10.0.0.1'"],
    ['app-name == cron', "Fields[app-name] == 'cron'"],
    ['tls = true', 'Fields[tls] == TRUE'],
    ['tls != true', 'Fields[tls] == FALSE'],
    ['code = 5', 'Fields[code] == 5'],
    ['code = abc', "Fields[code] == 'abc'"],
    ['status != NIL', 'Fields[status] != NIL'],
    ['type = x', "Type == 'x'"],
    ['Type == "x"', 'Type == "x"'],
    ['severity = warning', 'Severity == 4'],
    ['Severity <= 3', 'Severity <= 3'],
    ['status >= 500 && (uri = /a or uri = /b)', "Fields[status] >= 500 && (Fields[uri] == '/a' || Fields[uri] == '/b')"],
    ['(status = 1 || status = 2) and tls = false', '(Fields[status] == 1 || Fields[status] == 2) && Fields[tls] == FALSE'],
    ['status:500', 'Fields[status] == 500'],
    ['Status:500', 'Fields[status] == 500'],
    ['Fields[status]:500', 'Fields[status] == 500'],
    ['uri:/login', "Fields[uri] == '/login'"],
    ['uri:"/a b*"', 'Fields[uri] == "/a b*"'],
    ['uri:/api/*', 'Fields[uri] =~ /^(?s:\\/api\\/.*)$/'],
    ['uri:*.php', 'Fields[uri] =~ /^(?s:.*\\.php)$/'],
    ["uri:'/api/*'", "Fields[uri] == '/api/*'"],
    ['-uri:"a *"', '(Fields[uri] != "a *" || Fields[uri] == NIL)'],
    ["uri in ('/a*', /b*)", "(Fields[uri] == '/a*' || Fields[uri] =~ /^(?s:\\/b.*)$/)"],
    ['-uri:/api/*', '(Fields[uri] !~ /^(?s:\\/api\\/.*)$/ || Fields[uri] == NIL)'],
    ['status:5xx', '(Fields[status] >= 500 && Fields[status] < 600)'],
    ['-status:5XX', '((Fields[status] < 500 || Fields[status] >= 600) || Fields[status] == NIL)'],
    ['-Hostname:*', 'FALSE'],
    ['code:5xx', '(Fields[code] >= 500 && Fields[code] < 600)'],
    ['status:*', 'Fields[status] != NIL'],
    ['-status:*', 'Fields[status] == NIL'],
    ['status:>=500', 'Fields[status] >= 500'],
    ['-status:<500', '(Fields[status] >= 500 || Fields[status] == NIL)'],
    ['-status:200', '(Fields[status] != 200 || Fields[status] == NIL)'],
    ['!status:200', '(Fields[status] != 200 || Fields[status] == NIL)'],
    ['not status:200', '(Fields[status] != 200 || Fields[status] == NIL)'],
    ['-severity:error', 'Severity != 3'],
    ['code:abc', "Fields[code] == 'abc'"],
    ['code:5', "(Fields[code] == 5 || Fields[code] == '5')"],
    ['-code:5', "(Fields[code] != '5' || Fields[code] != 5 || Fields[code] == TRUE || Fields[code] == FALSE || Fields[code] == NIL)"],
    ['tls:true', 'Fields[tls] == TRUE'],
    ['-tls:true', '(Fields[tls] == FALSE || Fields[tls] == NIL)'],
    ['status in (500, 503)', '(Fields[status] == 500 || Fields[status] == 503)'],
    ['uri in 10.0.0.0/8', 'Fields[uri] in 10.0.0.0/8'],
    ['Hostname IN ::1', 'Hostname in ::1'],
    ['uri not in 2001:db8::/32', '(Fields[uri] not in 2001:db8::/32 || Fields[uri] == NIL)'],
    ['(uri in 10.0.0.0/8) status:500', '(Fields[uri] in 10.0.0.0/8) && Fields[status] == 500'],
    ['uri in (10.0.0.0/8, 192.0.2.1)', "(Fields[uri] in 10.0.0.0/8 || Fields[uri] == '192.0.2.1')"],
    ['-uri:10.0.0.0/8', '(Fields[uri] not in 10.0.0.0/8 || Fields[uri] == NIL)'],
    ['uri in the end', null],
    ['status IN(500)', 'Fields[status] == 500'],
    ['status not in (200, 3xx)', '((Fields[status] != 200 && (Fields[status] < 300 || Fields[status] >= 400)) || Fields[status] == NIL)'],
    ["uri in ('/a, b', /c*)", "(Fields[uri] == '/a, b' || Fields[uri] =~ /^(?s:\\/c.*)$/)"],
    ['status:500 -uri:/health', "Fields[status] == 500 && (Fields[uri] != '/health' || Fields[uri] == NIL)"],
    ['status:500 or (code:a uri:b)', "Fields[status] == 500 || (Fields[code] == 'a' && Fields[uri] == 'b')"],
    ['status >= 400 uri:/a', "Fields[status] >= 400 && Fields[uri] == '/a'"],
    ['status >= 400 uri = /a  tls = true', "Fields[status] >= 400 && Fields[uri] == '/a' && Fields[tls] == TRUE"],
    ['message:timeout', '(Payload =~ /(?i)timeout/ || Fields[message] =~ /(?i)timeout/)'],
    ['message == x status:500', "(Payload == 'x' || Fields[message] == 'x') && Fields[status] == 500"],
    ['status:(500 or 503)', '(Fields[status] == 500 || Fields[status] == 503)'],
    ['-uri:(/a, /b*)', "((Fields[uri] != '/a' && Fields[uri] !~ /^(?s:\\/b.*)$/) || Fields[uri] == NIL)"],
    ['(status:(5xx OR 404) uri:/a)', "(((Fields[status] >= 500 && Fields[status] < 600) || Fields[status] == 404) && Fields[uri] == '/a')"],
  ])('%s → %s', (typed, expression) => {
    const reading = read(typed);
    expect(reading.kind === 'matcher' ? reading.expression : null).toBe(expression);
    if (expression !== null) compileMatcher(expression);
  });

  it.each([
    ['level:error', 'Severity == 3'],
    ['Level = "warn"', 'Severity == 4'],
    ['severity:"error"', 'Severity == 3'],
    ['-level:debug', 'Severity != 7'],
    ['lvl != info', 'Severity != 6'],
    ['log.level:fatal', 'Severity == 2'],
    ['loglevel in (err, warning)', '(Severity == 3 || Severity == 4)'],
    ['level >= warn', 'Severity <= 4'],
    ['level:>warn', 'Severity < 4'],
    ['level < error uri:/a', "Severity > 3 && Fields[uri] == '/a'"],
    ['status:500 level:error', 'Fields[status] == 500 && Severity == 3'],
    // A word that names no severity is text.
    ['level:30', null],
    ['level: error', null],
    ['level:high', null],
    ['levels:error', null],
    ['sea level:error', null],
  ])('where records have severities: %s → %s', (typed, expression) => {
    const reading = readFilter(typed, [...VARIABLES.filter(({ name }) => name.startsWith('Fields')), ...variablesOf([], true)]);
    expect(reading.kind === 'matcher' ? reading.expression : null).toBe(expression);
    if (expression !== null) compileMatcher(expression);
  });

  it.each([
    [VARIABLES, null],
    [[known('Fields[level]', 'string'), ...variablesOf([], true)], "Fields[level] == 'error'"],
  ])('level:error is not the severity where records have none, or a field of that name', (variables, expression) => {
    const reading = readFilter('level:error', variables);
    expect(reading.kind === 'matcher' ? reading.expression : null).toBe(expression);
  });

  it.each([
    ['error', null],
    ['status', null],
    ['status 500', null],
    ['failed: status >= 500', null],
    ['statusses = 3', 'statusses is not a known field'],
    ['stat > 3', 'stat is not a known field'],
    ['a ~ b', null],
    ['GET /a?b=c', null],
    ['=> x', null],
    ['(not so', null],
    ['uri: /login', null],
    ['status: 500', null],
    ['http://host/a', null],
    ['message: timeout', null],
    ['timeout', null],
    ['localhost:8080', null],
    ['12:30:01', null],
    ['-status', null],
    ['-status >= 500', null],
    ['not status', null],
    ['status in the log', null],
    ['', null],
  ])('takes %j as text', (typed, note) => expect(read(typed)).toEqual({ kind: 'text', note }));

  it.each([
    ['status >= |', 'expected a value', true],
    ['status >= |abc|', 'status is a number', false],
    ['status >= |-5|', 'a negative number cannot be compared', false],
    ["status == |'500'|", 'status is a number', false],
    ['status =~| 5', 'status is a number; compare it with ==, > or <', false],
    ['tls > |true|', 'tls is a truth value: == true or == false', false],
    ['tls = |maybe|', 'tls is a truth value: == true or == false', false],
    ["uri == |'abc|", "the closing ' is missing", false],
    ['uri =~ |/abc|', 'the closing / is missing', false],
    ['uri == |/abc/|', 'a regular expression is compared with =~ or !~; put a text in quotes', false],
    ['status > |NIL|', 'NIL is compared with == or !=', false],
    ['status = 5 |foo|', 'expected && or ||', false],
    ['status:5 |foo|:bar', 'foo is not a known field', false],
    ['status:5 -|foo|:bar', 'foo is not a known field', false],
    ['status = 5 |foo| = a', 'foo is not a known field', false],
    ['status:(500 |and| 3)', 'expected a comma or a closing bracket', false],
    ['status = 5 && |', 'expected the name of a field', true],
    ['status = 5 && |foo| = 3', 'expected the name of a field', false],
    ['status = 5 && uri |', 'expected a comparison, such as == or >=', true],
    ['(status = 5|', 'a bracket is not closed', true],
    [`${'('.repeat(200)}|(|${'('.repeat(20_000)}status = 5`, 'at most 200 brackets may stand in each other', false],
    ['status:5 && -status |>=| 5', 'expected a colon and a value, such as -status:200', false],
    ['status:|', 'expected a value', true],
    ['status:|abc|', 'status is a number', false],
    ['status:>=|abc|', 'status is a number', false],
    ['tls:|maybe|', 'tls is a truth value: == true or == false', false],
    ['status:|NIL|', 'write -status:* for records without it', false],
    ['status in (1, |', 'expected a value', true],
    ['status in (1 |2|)', 'expected a comma or a closing bracket', false],
    ['severity >= |error|', 'write the number, 3; lower is worse', false],
    ['severity = |bad|', 'Severity is a number from 0, the worst, to 7', false],
  ])('%s: %s', (marked, text, open) => {
    const typed = marked.replaceAll('|', '');
    const from = marked.indexOf('|');
    const last = marked.lastIndexOf('|');
    const [start, to] = marked.includes('=~|') ? [typed.indexOf('=~'), typed.indexOf('=~') + 3] : [from, last === from ? from : last - 1];
    expect(read(typed)).toMatchObject({ kind: 'wrong', problem: { from: start, to, text }, open });
  });

  it('finds with `-` what it does not find without', () => {
    const value = fc.constantFrom<string | number | boolean>('/a', '/api/x', '5', 'abc', '', 5, 50, 500, 599, 200, 0.5, true, false);
    const test = fc.constantFrom(':5', ':5xx', ':5*', ':200', ':>=200', ':<5.5', ' in (5, 200)');
    const words = fc.constantFrom(':abc', ':/a*', ':"5"', ':*', ':*x', " in ('/a', ab*)");
    const anything = fc.oneof(test, words);
    const cases = fc.oneof(
      fc.tuple(fc.constant('status'), test),
      fc.tuple(fc.constant('uri'), words),
      fc.tuple(fc.constant('tls'), fc.constantFrom(':true', ':false', ':*')),
      fc.tuple(fc.constant('code'), anything),
    );
    const types = { status: 'number', uri: 'string', tls: 'boolean' } as const;
    fc.assert(
      fc.property(cases, fc.option(value), ([name, typed], held) => {
        const type = types[name as keyof typeof types] as string | undefined;
        const values = held === null || (type !== undefined && typeof held !== type) ? [] : [held];
        const fields = values.map((one) => ({ name, values: [one], representation: '' }));
        const message = { uuid: new Uint8Array(16), timestamp: 0n, fields } as unknown as Message;
        const [found, left] = [`${name}${typed}`, `-${name}${typed}`].map((text) => {
          const reading = read(text);
          if (reading.kind !== 'matcher') throw new Error(`${text}: ${JSON.stringify(reading)}`);
          return compileMatcher(reading.expression).matches(message);
        });
        expect(left).toBe(!(found as boolean));
      }),
    );
  });

  it('never fails, and what it writes the engine understands, unless an expression in it is wrong', () => {
    const part = fc.constantFrom(
      'status',
      'uri',
      'tls',
      'code',
      'Severity',
      '=',
      '>=',
      '=~',
      '!=',
      '5',
      'abc',
      "'x'",
      '/a/',
      '(',
      ')',
      '&&',
      'or',
      ' ',
      'NIL',
      'status:',
      '-uri:',
      '5xx',
      'a*',
      'in (',
      'not',
      ',',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ').replaceAll(': ', ':')),
        (typed) => {
          const reading = read(typed);
          if (reading.kind === 'matcher') compileMatcher(reading.expression);
          if (reading.kind === 'wrong') {
            expect(reading.problem.from).toBeLessThanOrEqual(reading.problem.to);
            expect(reading.problem.to).toBeLessThanOrEqual(typed.length);
          }
        },
      ),
    );
  });
});

describe('typedPlace', () => {
  it('finds what was typed for a place in the expression', () => {
    const typed = 'status = 404 and uri ~ a[b';
    const reading = read(typed);
    if (reading.kind !== 'matcher') throw new Error(reading.kind);
    const { expression, pieces } = reading;
    for (const piece of ['404', 'a[b']) {
      const place = typedPlace(pieces, expression.indexOf(piece));
      expect(typed.slice(place, place + piece.length)).toBe(piece);
    }
    expect(typedPlace(pieces, expression.indexOf('Fields[uri]'))).toBe(typed.indexOf('uri'));
  });
});

describe('bareVariables', () => {
  it('names fields as they can be typed', () => {
    const names = bareVariables(VARIABLES).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['status', 'app-name', 'Fields[remote addr]', 'Fields[Type]', 'Type']));
  });

  it('knows the types of fields, mixed where there are several', () => {
    const types = Object.fromEntries(variablesOf(SCHEMA).map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({ 'Fields[status]': 'mixed', 'Fields[tls]': 'bool', Severity: 'number' });
  });
});
