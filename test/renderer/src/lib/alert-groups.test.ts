import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../../engine/api/types.ts';
import { alertGroups } from '../../../../renderer/src/lib/alert-groups.ts';

const NOBODY = { source: null, plugin: null, time: null, end: null, shows: null } as const;
const notice = (id: number, text: string, changes: Partial<Notice> = {}): Notice => ({
  id,
  at: id,
  level: 'warning',
  code: 'alert',
  text,
  details: null,
  about: NOBODY,
  ...changes,
});
const alertAt = (id: number, text: string, time: number, plugin = 'watch'): Notice =>
  notice(id, text, { about: { ...NOBODY, plugin, time } });

describe('alerts of one saying', () => {
  it.each<[string, readonly Notice[], readonly (readonly number[])[]]>([
    ['none', [], []],
    ['the newest first', [notice(1, 'a'), notice(2, 'b')], [[2], [1]]],
    ['by the times of their records', [alertAt(1, 'a', 9000), alertAt(2, 'b', 3000)], [[1], [2]]],
    ['other numbers', [notice(1, 'rate 17 is high'), notice(2, 'b'), notice(3, 'rate 120.5 is high')], [[3, 1], [2]]],
    ['other times', [notice(1, 'none since 2026-03-17T14:45:00.000Z'), notice(2, 'none since 2026-03-18T14:45:00.000Z')], [[2, 1]]],
    ['classes of statuses', [notice(1, 'no 3xx'), notice(2, 'no 5xx')], [[2], [1]]],
    ['other plugins', [alertAt(1, 'a', 1, 'x'), alertAt(2, 'a', 2, 'y')], [[2], [1]]],
    ['other levels', [notice(1, 'a'), notice(2, 'a', { level: 'error' })], [[2], [1]]],
    ['files with other numbers', [1, 2].map((id) => notice(id, `app-${id}.log is missing`, { code: 'file.missing' })), [[2], [1]]],
    ['the same fault again', [1, 2].map((id) => notice(id, 'app.log is missing', { code: 'file.missing' })), [[2, 1]]],
    ['other details', [1, 2].map((id) => notice(id, 'it died', { code: 'sandbox.host-ended', details: `line ${id}` })), [[2], [1]]],
  ])('%s', (_what, notices, expected) => {
    expect(alertGroups(notices).map(({ latest, earlier }) => [latest, ...earlier].map(({ id }) => id))).toEqual(expected);
  });

  it('keep their key while more come', () => {
    const [first, second] = [notice(1, 'at 1'), notice(2, 'at 2')];
    expect(alertGroups([first]).map(({ key }) => key)).toEqual([1]);
    expect(alertGroups([second, first]).map(({ key }) => key)).toEqual([1]);
  });
});
