import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { parseRules } from '../../../engine/rules/folder.ts';
import { RulesFilter } from '../../../engine/service/rules-filter.ts';
import { batchOf, ruleOf } from '../rules/records.ts';

const { rules } = parseRules(
  ruleOf('sel:\n    a: 1\ncondition: sel', 'product: any', 'id: one\nlevel: high\ntags: [attack.t1]\n'),
  'x.yml',
);

function filterWith(throttle: number): { filter: RulesFilter; injected: MessageBatch[]; loops: number[] } {
  const injected: MessageBatch[] = [];
  const loops: number[] = [];
  const inject = (batch: MessageBatch, loop: number): Promise<void> => {
    injected.push(batch);
    loops.push(loop);
    return Promise.resolve();
  };
  const options = {
    name: 'rules',
    matcher: compileMatcher('TRUE'),
    rules,
    level: 'low',
    throttleNs: BigInt(throttle) * 1_000_000_000n,
  } as const;
  return { filter: new RulesFilter({ ...options, router: { inject, pending: 0 }, log: () => undefined }), injected, loops };
}
const selection = (times: readonly number[], more = {}): Parameters<RulesFilter['submit']>[0] => {
  const batch = batchOf(times.map((time) => ({ time, payload: 'text', fields: { a: 1, b: 'x' } })));
  return { batch, rows: null, loop: 0, signer: '', injected: false, ...more };
};

describe('RulesFilter', () => {
  it('injects an alert for each hit, with the fields of the message', async () => {
    const { filter, injected, loops } = filterWith(0);
    await filter.submit(selection([5, 6, 7], { rows: Uint32Array.of(0, 2) }));
    const [first, ...more] = injected.flatMap((batch) => [...messagesOf(batch)]);
    expect([more.length, loops]).toEqual([1, [1]]);
    expect(first).toMatchObject({
      type: 'svc.sandbox-output',
      logger: 'rules',
      severity: 3,
      payload: 'high: A rule: text',
      timestamp: 5_000_000_000n,
    });
    expect(first?.fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['payload_type', 'alert'],
      ['payload_name', 'A rule'],
      ['rule', 'A rule'],
      ['rule_id', 'one'],
      ['rule_level', 'high'],
      ['rule_tags', 'attack.t1'],
      ['a', 1],
      ['b', 'x'],
    ]);
    expect((await filter.report(1)).fields).toMatchObject({ Alerts: { value: 2 }, ProcessMessageCount: { value: 2 } });
  });

  it('is silent within the throttle time, and about what filters inject', async () => {
    const { filter, injected } = filterWith(60);
    await filter.submit(selection([0, 59, 60]));
    await filter.submit(selection([200], { injected: true }));
    expect(injected.flatMap((batch) => [...messagesOf(batch)]).map(({ timestamp }) => timestamp)).toEqual([0n, 60_000_000_000n]);
  });
});
