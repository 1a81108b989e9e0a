import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../../engine/matcher/matcher.ts';
import type { Variable } from '../../../../renderer/src/lib/completion.ts';
import { bareVariables, readFilter, typedPlace } from '../../../../renderer/src/lib/reading.ts';
import { variablesOf } from '../../../../renderer/src/lib/schema-facts.ts';
import { SCHEMA } from './schema-fixture.ts';

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

const read = (typed: string): ReturnType<typeof readFilter> => readFilter(typed, VARIABLES);

describe('readFilter', () => {
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
  ])('%s → %s', (typed, expression) => {
    const reading = read(typed);
    expect(reading.kind === 'matcher' ? reading.expression : null).toBe(expression);
    if (expression !== null) compileMatcher(expression);
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
    ['status = 5 && |', 'expected the name of a field', true],
    ['status = 5 && |foo| = 3', 'expected the name of a field', false],
    ['status = 5 && uri |', 'expected a comparison, such as == or >=', true],
    ['(status = 5|', 'a bracket is not closed', true],
    ['severity >= |error|', 'write the number, 3; lower is worse', false],
    ['severity = |bad|', 'Severity is a number from 0, the worst, to 7', false],
  ])('%s: %s', (marked, text, open) => {
    const typed = marked.replaceAll('|', '');
    const from = marked.indexOf('|');
    const last = marked.lastIndexOf('|');
    const [start, to] = marked.includes('=~|') ? [typed.indexOf('=~'), typed.indexOf('=~') + 3] : [from, last === from ? from : last - 1];
    expect(read(typed)).toEqual({ kind: 'wrong', problem: { from: start, to, text }, open });
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
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
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
