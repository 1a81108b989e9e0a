import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../engine/rules/folder.ts';
import { ruleOf } from './records.ts';

const search = (line: string): string => ruleOf(`sel:\n    ${line}\ncondition: sel`);

describe('loadRules', () => {
  it('reads folders, and says what is wrong in which file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-rules-'));
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'a.yml'), search('a: 1'));
    writeFileSync(
      join(folder, 'b.yaml'),
      'title: B\ncorrelation: { type: event_count, rules: [missing], timespan: 1m, condition: { gte: 1 } }\n',
    );
    writeFileSync(join(folder, 'c.txt'), 'no rule');
    const { rules, problems } = await loadRules([folder]);
    expect(rules.map(({ title }) => title)).toEqual(['A rule']);
    expect(problems).toEqual([
      { file: join(folder, 'b.yaml'), line: 1, rule: 'B', text: 'the correlation is about the rule missing, which there is not' },
    ]);
    await expect(loadRules([join(folder, 'none')])).rejects.toMatchObject({ code: 'rules.unreadable' });
  });
});
