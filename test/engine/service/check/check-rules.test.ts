import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkRules } from '../../../../engine/service/check/check-rules.ts';
import { ruleOf } from '../../rules/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-check-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [good, odd] = [ruleOf('a:\n  x: y\ncondition: a'), ruleOf('a:\n  x|odd: y\ncondition: a')];
for (const [name, ...texts] of [['empty'], ['half', good, odd], ['odd', odd], ['good', good]] as const) {
  mkdirSync(join(folder, name));
  for (const [i, text] of texts.entries()) writeFileSync(join(folder, name, `${i}.yml`), text);
}

const found = async (...names: readonly string[]) => {
  const section = { name: 'rules', type: 'RulesFilter', rules: names.map((name) => join(folder, name)) };
  const { findings, warnings } = await checkRules([section as never]);
  const plain = (text: string): string => text.replaceAll(folder, '~');
  return { errors: findings.map(({ path, text }) => `${path.join('.')}: ${plain(text)}`), warnings: warnings.map(plain) };
};

describe('a check of sections with rules', () => {
  it('finds nothing where all rules are known', async () => expect(await found('good')).toEqual({ errors: [], warnings: [] }));

  it.each([
    [['missing'], ["rules.0: ~/missing cannot be read: ENOENT: no such file or directory, stat '~/missing'"]],
    [['good', 'empty'], ['rules.1: there are no rules in ~/empty: files that end with .yml or .yaml']],
    [['odd'], [expect.stringMatching(/^rules: none of the 1 rules is known: ~\/odd\/0.yml:\d+: A rule: there is no modifier odd/)]],
  ])('refuses %j', async (names, errors) => expect((await found(...names)).errors).toEqual(errors));

  it('warns of rules that are not known, by file and line', async () => {
    const { errors, warnings } = await found('half');
    expect(errors).toEqual([]);
    expect(warnings[0]).toMatch(/^\[rules\] .*1\.yml:\d+: A rule: there is no modifier odd.*; the rule is not run$/);
  });
});
