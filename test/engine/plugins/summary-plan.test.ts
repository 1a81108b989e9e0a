import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLAIN_PLAN } from '../../../engine/message/summary/record-summary.ts';
import { parseTemplate } from '../../../engine/message/summary/template.ts';
import { SummaryPlans } from '../../../engine/plugins/summary-plan.ts';

const script = (keys: string): string => `export const meta = { name: 'x', kind: 'decoder', summary: '', ${keys} };`;

it('reads the plan of a bundled decoder once, and that of an own one again when its file has changed', () => {
  const plans = new SummaryPlans();
  expect(plans.of('redis').template).not.toBeNull();
  expect(plans.of('redis')).toBe(plans.of('redis'));
  const path = join(mkdtempSync(join(tmpdir(), 'summary-')), 'own.ts');
  expect(plans.of(path)).toEqual(PLAIN_PLAN);
  writeFileSync(path, script(`columns: ['a']`));
  expect(plans.of(path)).toEqual({ template: null, columns: ['a'] });
  expect(plans.of(path)).toBe(plans.of(path));
  writeFileSync(path, script(`recordSummary: '{a} {b}'`));
  expect(plans.of(path)).toEqual({ template: parseTemplate('{a} {b}'), columns: [] });
  writeFileSync(path, script(`recordSummary: '{a'`));
  expect(plans.of(path)).toEqual(PLAIN_PLAN);
  expect(plans.of(null)).toBe(PLAIN_PLAN);
});
