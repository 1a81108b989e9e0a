import { expect, it } from 'vitest';
import { checkedRules } from '../../../engine/rules/checked-rules.ts';
import { parseRules } from '../../../engine/rules/folder.ts';
import { ruleOf } from './records.ts';

it('knows the fields that no decoder makes', () => {
  const web = ruleOf('sel:\n    cs-metod: GET\n    cs-method: GET\ncondition: sel', 'category: webserver');
  const { rules } = parseRules(`${web}---\n${ruleOf('sel:\n    a: 1\ncondition: sel')}`, 'x.yml');
  expect(checkedRules(rules)).toMatchObject({
    unknownFields: [{ field: 'cs-metod', rules: 1 }],
    withoutDecoder: [['any', 1]],
  });
});
