import { describe, expect, it } from 'vitest';
import type { RuleInfo, RulesProgress, RulesState } from '../../../../engine/api/types.ts';
import { folderName, hitsText, lookText, progressText, ruleText, sortedRules } from '../../../../renderer/src/lib/rules.ts';

const rule = (title: string, level: RuleInfo['level'], hits: number): RuleInfo => ({
  ...{ key: title, title, level, hits, marked: hits, file: 'a.yml', line: 1, on: true, first: null, last: null, full: false },
});
const progress: RulesProgress = { state: 'ready', searched: 500, of: 1000, hits: 3, version: 1, problem: null };
const known = { loaded: 22 } as RulesState;

describe('words about rules', () => {
  it('list those with hits first, the worst of them before the others', () => {
    const rules = [rule('b', 'low', 9), rule('a', 'critical', 0), rule('c', 'high', 1), rule('d', 'high', 2)];
    expect(sortedRules(rules).map(({ title }) => title)).toEqual(['d', 'c', 'b', 'a']);
  });

  it.each([
    ['none', ''],
    ['loading', 'reading the rules…'],
    ['searching', '22 rules · 3 hits in 500 records, 50 % read'],
    ['stopped', '22 rules · 3 hits in 500 records, stopped at 500 of 1,000'],
    ['ready', '22 rules · 3 hits in 500 records'],
  ] as const)('say how far they are: %s', (state, text) => {
    expect(progressText({ ...progress, state }, known)).toBe(text);
  });

  it('say what is marked, and what a folder has', () => {
    expect(hitsText(rule('a', 'low', 0))).toBe('No hit');
    expect(hitsText({ hits: 2_000_000, marked: 250_000 })).toBe('2,000,000 hits, of which the first 250,000 mark their records');
    expect(ruleText({ level: 'high', titles: ['a', 'b'] })).toBe('Rules (high): a, b');
    expect(folderName({ kind: 'chosen', path: '/home/x/sigma/' })).toBe('sigma');
    const look = { loaded: 2, refused: 1, faults: [], withoutDecoder: [] };
    expect(lookText(look)).toBe('2 of 3 rules can be run.');
    expect(lookText({ ...look, refused: 0 })).toBe('2 rules, and all can be run.');
    expect(lookText({ ...look, loaded: 0, refused: 0 })).toMatch(/no rules/);
  });
});
