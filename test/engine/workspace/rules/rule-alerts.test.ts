import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RuleAlerts } from '../../../../engine/workspace/rules/rule-alerts.ts';

const RULES = Array.from({ length: 8 }, (_, i) => ({ key: `${i}`, title: `Rule ${i}`, level: 'high' as const, file: 'a.yml', line: 1 }));
const hits = (...rules: readonly number[]) => ({
  rows: Uint32Array.from(rules, () => 0),
  rules: Uint16Array.from(rules),
  times: Float64Array.from(rules, () => 5000),
  full: [],
});

describe('the alerts of rules', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  it('tell of a rule once a minute, with the number of its records', () => {
    const said: string[] = [];
    const alerts = new RuleAlerts(RULES, (level, text, about) => void said.push(`${level} ${text} ${about?.rule} ${about?.time}`));
    alerts.take(hits(1, 1, 2));
    vi.advanceTimersByTime(1100);
    expect(said).toEqual(['error Rule 1 (high): 2 new records Rule 1 5000', 'error Rule 2 (high) Rule 2 5000']);
    for (let i = 0; i < 1000; i++) alerts.take(hits(1));
    vi.advanceTimersByTime(30_000);
    expect(said).toHaveLength(2);
    vi.advanceTimersByTime(40_000);
    expect(said.slice(2)).toEqual(['error Rule 1 (high): 1,000 new records Rule 1 5000']);
    alerts.close();
  });

  it('of many rules at once name the first ones', () => {
    const said: string[] = [];
    const alerts = new RuleAlerts(RULES, (_level, text) => void said.push(text));
    alerts.take(hits(0, 1, 2, 3, 4, 5, 6, 7));
    vi.advanceTimersByTime(1100);
    expect(said).toHaveLength(6);
    expect(said.at(-1)).toBe('3 more rules have hits in new records');
    alerts.close();
  });
});
