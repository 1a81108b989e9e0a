import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeRules } from '../../../engine/service/rules-section.ts';
import { until } from '../../until.ts';
import { batchOf, ruleOf } from '../rules/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-rules-section-'));
const file = join(folder, 'one.yml');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads changed rules again; a broken one stays as it was, and is told by file and line', async () => {
  const told: string[] = [];
  let alerts = 0;
  const router = { inject: (batch: { length: number }): Promise<void> => Promise.resolve(void (alerts += batch.length)), pending: 0 };
  const host = { tell: ({ notice }: { notice: { level: string; text: string } }) => void told.push(`${notice.level} ${notice.text}`) };
  const section = { name: 'rules', type: 'RulesFilter', rules: [folder], level: 'low', message_matcher: 'TRUE', alert_throttle: 0 };
  writeFileSync(file, ruleOf('a:\n  x: old\ncondition: a'));
  const filter = await makeRules(section as never, host as never, { router } as never);
  const hits = async (x: string): Promise<number> => {
    alerts = 0;
    await filter.submit({ batch: batchOf([{ fields: { x } }]), rows: null, loop: 0, signer: '', injected: false });
    return alerts;
  };
  try {
    expect([await hits('old'), await hits('new')]).toEqual([1, 0]);
    writeFileSync(file, ruleOf('a:\n  x: new\ncondition: a'));
    await until(async () => (await hits('new')) === 1, 'the changed rule');
    expect(await hits('old')).toBe(0);
    writeFileSync(file, ruleOf('a:\n  x|odd: new\ncondition: a'));
    const why = `warning [rules] ${file}:6: A rule: there is no modifier odd; the rule is run as it was before`;
    await until(
      () => Promise.resolve(told.includes(why)),
      () => told.join('\n'),
    );
    expect(await hits('new')).toBe(1);
  } finally {
    await filter.stop();
  }
});
