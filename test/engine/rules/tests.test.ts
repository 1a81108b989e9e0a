import { describe, expect, it } from 'vitest';
import { parseNetworks } from '../../../engine/base/text/networks.ts';
import { compilePattern } from '../../../engine/matcher/regex/pattern.ts';
import type { NumberRelation, Test, TimeUnit } from '../../../engine/rules/model.ts';
import { fieldTest, fragmentOfTest, valueTest } from '../../../engine/rules/tests.ts';
import { parseText } from '../../../engine/rules/text-pattern.ts';

const text = (value: string): Test => ({ kind: 'text', pattern: parseText(value, { place: 'equals', cased: false, anyDash: false }) });
const regex = (source: string): Test => ({ kind: 'regex', pattern: compilePattern(source) });

it.each<[relation: NumberRelation, values: readonly string[]]>([
  ['gt', ['6', '1e3', 'Infinity']],
  ['gte', ['5', '6', '1e3', 'Infinity']],
  ['lt', ['-7', ' 4.5 ']],
  ['lte', ['5', '-7', ' 4.5 ']],
])('numbers that are %s 5', (relation, expected) => {
  const passes = valueTest({ kind: 'number', relation, value: 5 });
  const values = ['5', '6', '-7', ' 4.5 ', '1e3', 'Infinity', '', ' ', '5x', 'NaN', '1,000'];
  expect(values.filter((value) => passes?.(value)).sort()).toEqual([...expected].sort());
});

it.each<[value: string, unit: TimeUnit, part: number | null]>([
  ['2019-03-02 08:51:00.008', 'minute', 51],
  ['2019-03-02T23:51:00-08:00', 'hour', 23],
  ['2019-03-02', 'day', 2],
  ['2019-03-02', 'hour', null],
  ['2019-12-30', 'week', 1],
  ['2021-01-03', 'week', 53],
  ['2021-01-04', 'week', 1],
  ['02/03/2019', 'month', null],
  ['', 'year', null],
])('%s has the %s %s', (value, unit, part) => {
  const fitting = Array.from({ length: 62 }, (_, i) => i).filter((number) => valueTest({ kind: 'time', unit, value: number })?.(value));
  expect(fitting).toEqual(part === null ? [] : [part]);
});

describe('a test', () => {
  it.each<[test: Test, value: string, passes: boolean | undefined]>([
    [text('a*c'), 'ABC', true],
    [regex('b$'), 'abc', false],
    [{ kind: 'networks', networks: parseNetworks('10.0.0.0/8') }, '10.1.2.3', true],
    [{ kind: 'networks', networks: parseNetworks('10.0.0.0/8') }, 'host', false],
    [{ kind: 'null' }, '', undefined],
    [{ kind: 'exists' }, '', undefined],
    [{ kind: 'field', other: 'b', place: 'equals' }, '', undefined],
  ])('%j of %j: %s', (test, value, passes) => expect(valueTest(test)?.(value)).toBe(passes));

  it.each<[what: string, test: Test, fragment: string | null]>([
    ['the longest piece', text('ab*CDE?f'), 'cde'],
    ['wildcards alone', text('*?'), null],
    ['what an expression needs', regex('(?i)x*Evil[0-9]'), 'evil'],
    ['an expression that needs too little', regex('ab?'), null],
    ['a number', { kind: 'number', relation: 'gt', value: 5 }, null],
  ])('is found by %s', (_, test, fragment) => expect(fragmentOfTest(test)?.text ?? null).toBe(fragment));
});

it.each<[value: string, place: Extract<Test, { kind: 'field' }>['place'], other: string, holds: boolean]>([
  ['Root', 'equals', 'rOOT', true],
  ['root', 'equals', 'roo', false],
  ['C:\\*.exe', 'equals', 'c:\\*.EXE', true],
  ['C:\\a.exe', 'equals', 'c:\\*.exe', false],
  ['xrooty', 'contains', 'Root', true],
  ['rooty', 'startsWith', 'root', true],
  ['xroot', 'startsWith', 'root', false],
  ['xroot', 'endsWith', 'root', true],
  ['İstanbul', 'equals', 'İstanbul', true],
  ['ΟΔΟΣ', 'equals', 'ΟΔΟΣ', true],
  ['', 'equals', '', true],
  ['x', 'equals', '', false],
  ['x', 'contains', '', true],
])('%s %s %j: %s', (value, place, other, holds) => expect(fieldTest(place, value, other)).toBe(holds));
