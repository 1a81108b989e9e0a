import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import type { KnownNumbers } from '../../../engine/matcher/outlook.ts';

const values = (
  fields: Record<string, KnownNumbers>,
  severity?: KnownNumbers,
): Parameters<ReturnType<typeof compileMatcher>['mayMatch']>[0] => ({
  header: (variable) => (variable === 'Severity' ? severity : undefined),
  field: (name) => fields[name],
  text: (variable, condition) => variable !== 'Type' || (condition.kind === 'text' && condition.value === 'x'),
});
const few = (...list: number[]): KnownNumbers => ({ low: Math.min(...list), high: Math.max(...list), few: list });

describe('the outlook of an expression', () => {
  it.each<[expression: string, may: boolean]>([
    ['Fields[status] == 404', true],
    ['Fields[status] == 403', false],
    ['Fields[status] != 200', true],
    ['Fields[one] != 7', false],
    ['Fields[one] == 7 && Fields[status] > 404', false],
    ['Fields[one] == 8 || Fields[status] >= 404', true],
    ['Fields[took] > 99.5', false],
    ['Fields[took] >= 99.5', true],
    ['Fields[took] < 2', false],
    ['Fields[took] <= 2', true],
    ['Fields[took] == 50', true],
    ['Fields[took] == 100', false],
    ["Fields[status] == '404'", false],
    ['Fields[status] =~ /4/', false],
    ['Fields[status] == NIL', true],
    ['Fields[status][1] == 403', true],
    ['Fields[other] == 403', true],
    ['Severity <= 3', false],
    ['Severity >= 4', true],
    ["Pid == 9 && Type == 'x'", true],
    ["Type == 'y' && Payload == 'y'", false],
    ["Type == 'y' || Payload == 'y'", true],
    ['FALSE', false],
  ])('of %s', (expression, may) => {
    const known = values({ status: few(200, 404), one: few(7), took: { low: 2, high: 99.5, few: null } }, few(4, 6));
    expect(compileMatcher(expression).mayMatch(known)).toBe(may);
  });

  it('is never worse than what is found', () => {
    const number = fc.integer({ min: 0, max: 6 });
    const relation = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), relation, number, fc.boolean(), (list, is, value, areFew) => {
        const matcher = compileMatcher(`Fields[n] ${is} ${value}`);
        const isFound = list.some((n) =>
          matcher.matches({ uuid: new Uint8Array(16), timestamp: 0n, fields: [{ name: 'n', valueType: 3, values: [n] }] }),
        );
        const may = matcher.mayMatch(values({ n: { ...few(...list), ...(areFew ? {} : { few: null }) } }));
        if (areFew) expect(may).toBe(isFound);
        else expect(may || !isFound).toBe(true);
      }),
    );
  });
});

describe('the line of an expression', () => {
  it.each<[expression: string, line: string | null, other?: string]>([
    ["Fields[host] == 'web1'", 'a web1 b', 'web2'],
    ["Type == 'x.y' && Fields[n] == 1", 'x.y', 'xzy'],
    ['Fields[n] == 1 && Fields[host] =~ /^GET \\/api/', 'GET /api/1', 'GET /'],
    ["Fields[a] == 'one' || Hostname == 'two'", 'two', 'three'],
    ["Fields[a] == 'one' || Fields[n] == 2", null],
    ["Fields[a] != 'one'", null],
    ["Fields[a] > 'one'", null],
    ["Fields[a] == ''", null],
    ["Fields[a] == '\u00e9'", null],
    ['Fields[a] !~ /one/', null],
    ['Fields[a] =~ /(?i)timeout|disk/', 'a TIMEOUT b', 'time'],
    ['* =~ /(?i)k.s$/', 'a Kos', 'kas '.slice(0, 2)],
    ['* =~ /caf. \u00e9t\u00e9/', 'caf\u00c3\u00a9 \u00e9t\u00e9', 'caf\u00e9 ete'],
    ['* !~ /one/', null],
    ["Uuid == '0f6a1c2e-1111-4222-8333-944455556666'", null],
    ['TRUE', null],
  ])('of %s', (expression, line, other = '') => {
    const { latin } = compileMatcher(expression);
    if (line === null || latin === null) return void expect(latin).toBe(line);
    const regex = new RegExp(latin.replaceAll('(?-u)', ''));
    expect([regex.test(line), regex.test(other)]).toEqual([true, false]);
  });
});
