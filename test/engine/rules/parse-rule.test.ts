import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../engine/rules/folder.ts';
import { ruleOf } from './records.ts';

const problemsOf = (text: string): string[] => parseRules(text, 'x.yml').problems.map(({ line, text: why }) => `${line}: ${why}`);
const search = (line: string): string => ruleOf(`sel:\n    ${line}\ncondition: sel`);

describe('rules that are not known', () => {
  it.each([
    ['a: [', /^\d: Flow sequence/],
    ['just text', /^1: it is no rule/],
    ['title: x', /^1: the rule has no detection/],
    ['title: x\ndetection: { condition: a }', /no logsource/],
    [search("a|contain: 'x'"), /^6: there is no modifier contain; did you mean contains\?$/],
    [search("a|expand: '%x%'"), /^6: the placeholder %x% has no values: there is no lookup x, for no folder of lookups/],
    [search("a|expand|re: '%x%'"), /^6: the modifiers expand and re do not go together/],
    [search("a|re: '(?=x)'"), /^6: look-ahead and look-behind are not supported/],
    [search(String.raw`a|re: '(a)\1'`), /^6: back-references are not supported/],
    [search("a|re: 'x{1000}{1000}'"), /^6: /],
    [search("a|cidr: 'x'"), /^6: an address is written/],
    [search("a|gt: 'x'"), /^6: gt needs a number, not x/],
    [search('a|exists: maybe'), /^6: exists is true or false/],
    [search('a|contains|startswith: x'), /do not go together/],
    [search('a|i: x'), /is for regular expressions/],
    [search('a: []'), /the list of a is empty/],
    [search('a: { b: 1 }'), /the value of a is a map/],
    [ruleOf('sel:\n    a: 1\ncondition: sel | count() > 5'), /^7: the condition has an aggregation \(\| count\(\) > 5\)/],
    [ruleOf('sel:\n    a: 1\ncondition: sel and other'), /^7: the condition names other/],
    [ruleOf('sel:\n    a: 1\ncondition: (sel'), /not closed/],
    [ruleOf('sel:\n    a: 1\ncondition: sel sel'), /is not expected/],
    [ruleOf('sel:\n    a: 1\ncondition: 2 of sel*'), /not 2 of/],
    [ruleOf('sel:\n    a: 1\ntimeframe: 5m\ncondition: sel'), /^7: timeframe belongs to aggregations/],
    [ruleOf('sel:\n    a: 1'), /has no condition/],
    [ruleOf(`sel:\n    a: 1\ncondition: ${'('.repeat(100)}sel${')'.repeat(100)}`), /too many parentheses/],
    [ruleOf('sel:\n    a: 1\ncondition: sel', 'product: x', 'level: hgih\n'), /^2: there is no level hgih; did you mean high\?$/],
    ['title: x\nlogsource: { product: x }\nfilter: { rules: [a] }', /^3: rules that filter other rules/],
    ['title: x\ncorrelation: { type: near, rules: [a], timespan: 1m }', /there is no type of correlation near/],
    ['title: x\ncorrelation: { type: event_count, rules: [a], timespan: 1x, condition: { gte: 1 } }', /timespan is a number/],
    ['title: x\ncorrelation: { type: event_count, rules: [a], timespan: 1m, condition: { lt: 1 } }', /without gt, gte or eq/],
    ['title: x\ncorrelation: { type: event_count, rules: [a], timespan: 1m, condition: { gte: 1000000 } }', /is above 100000/],
    ['title: x\ncorrelation: { type: value_count, rules: [a], timespan: 1m, condition: { gte: 1 } }', /needs a field/],
  ])('%j', (text, expected) => {
    expect(problemsOf(text).join('\n')).toMatch(expected);
  });
});
