import { describe, expect, it } from 'vitest';
import { SEVERITIES, severityIndex, severityOf } from '../../../../renderer/src/lib/severity.ts';

describe('severities', () => {
  it.each([
    [0, 'EMERG'],
    [4, 'WARN'],
    [7, 'DEBUG'],
    [null, ''],
    [9, ''],
    [-1, ''],
    [2.5, ''],
  ])('%s is %j', (severity, short) => expect(severityOf(severity).short).toBe(short));

  it('are never told apart by colour alone', () => {
    const named = SEVERITIES.slice(0, 8);
    expect(new Set(named.map(({ short }) => short)).size).toBe(8);
    expect(named.every(({ shape }) => shape !== 'none')).toBe(true);
    expect(severityIndex(null)).toBe(8);
  });
});
