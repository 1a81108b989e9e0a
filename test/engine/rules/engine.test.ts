import { describe, expect, it } from 'vitest';
import { RuleEngine } from '../../../engine/rules/engine.ts';
import { parseRules } from '../../../engine/rules/folder.ts';
import { batchOf, ruleOf, type Record } from './records.ts';

const LOGIN = ruleOf('sel:\n    event: failed\ncondition: sel', 'product: any', 'id: login\nname: login\n');
const correlation = (body: string, more = ''): string =>
  `${LOGIN}---\ntitle: Many\nlevel: high\n${more}correlation:\n${body.replaceAll(/^/gm, '    ')}\n`;
const login = (time: number, user: string, more: Record['fields'] = {}): Record => ({ time, fields: { event: 'failed', user, ...more } });

describe('RuleEngine', () => {
  const counting = correlation('type: event_count\nrules: [login]\ngroup-by: [user]\ntimespan: 60s\ncondition:\n    gte: 3');

  it('goes on from batch to batch, and forgets the oldest groups', () => {
    const { rules } = parseRules(counting, 'x.yml');
    let forgets = 0;
    const engine = new RuleEngine(rules, { onFull: () => forgets++ });
    expect(engine.run(batchOf([login(0, 'first'), login(1, 'first')]))).toEqual([]);
    engine.run(batchOf(Array.from({ length: 10_001 }, (_, i) => login(2, `user${i}`))));
    expect(
      engine.run(batchOf([login(3, 'first'), login(4, 'user10000'), login(5, 'user10000')])).map(({ row, found }) => [row, found]),
    ).toEqual([[2, { group: ['user10000'], count: 3 }]]);
    expect(forgets).toBe(1);
  });

  it('runs only rules of a level', () => {
    const { rules } = parseRules(ruleOf('sel:\n    a: 1\ncondition: sel', 'product: any', 'level: low\n'), 'x.yml');
    expect(new RuleEngine(rules, { level: 'medium' }).run(batchOf([{ fields: { a: 1 } }]))).toEqual([]);
    expect(new RuleEngine(rules, { level: 'low' }).run(batchOf([{ fields: { a: 1 } }]))).toHaveLength(1);
  });
});
