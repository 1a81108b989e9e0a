import { expect, it } from 'vitest';
import { parseRules } from '../../../engine/rules/folder.ts';
import { withKept } from '../../../engine/rules/reload.ts';
import { ruleOf } from './records.ts';

const detection = 'a:\n  x: y\ncondition: a';

it('keeps the rules of files that are broken now, and no others', () => {
  const before = [
    ...parseRules(ruleOf(detection), 'broken.yml').rules,
    ...parseRules(ruleOf(detection), 'gone.yml').rules,
    ...parseRules(ruleOf(detection), 'half.yml').rules,
    ...parseRules(ruleOf(detection).replace('A rule', 'Another'), 'half.yml').rules,
  ];
  const broken = parseRules('title: [', 'broken.yml');
  const half = parseRules(`${ruleOf(detection)}---\n${ruleOf('a:\n  x|odd: y\ncondition: a').replace('A rule', 'Another')}`, 'half.yml');
  const { rules, problems } = withKept(before, {
    rules: half.rules,
    problems: [...broken.problems, ...half.problems, { file: 'new.yml', line: 1, rule: '', text: 'x' }],
  });
  expect(rules.map(({ file, title }) => `${file} ${title}`).sort()).toEqual(['broken.yml A rule', 'half.yml A rule', 'half.yml Another']);
  expect(problems.map(({ file, kept }) => [file, kept])).toEqual([
    ['broken.yml', true],
    ['half.yml', true],
    ['new.yml', undefined],
  ]);
});
