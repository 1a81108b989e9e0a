import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { Notices, withDetails } from '../../../../engine/workspace/common/notices.ts';
import type { Notice } from '../../../../engine/api/types.ts';

afterEach(() => void vi.useRealTimers());

const CRASH = '<--- Last few GCs --->\n[7:0x1] 120 ms: Scavenge\n';

describe('a notice', () => {
  test.each([
    ['one line', 'It ended.', 'It ended.', null],
    ['a line and what a process said', `It ended.\n${CRASH}`, 'It ended.', CRASH.trim()],
    ['white space around', '\n  It ended. \n\n', 'It ended.', null],
    ['lines of other systems', 'It ended.\r\nWhy', 'It ended.', 'Why'],
  ])('is one plain line: %s', (_what, said, text, details) => {
    const heard: Notice[] = [];
    new Notices((notice) => heard.push(notice)).say('error', 'plugin.terminated', said);
    expect(heard).toMatchObject([{ text, details }]);
  });

  it('has the first line of a reason in its sentence, and the rest below', () => {
    const sentence = (line: string): string => `count has ended: ${line}. The rest goes on.`;
    expect(withDetails('its host died', sentence)).toBe('count has ended: its host died. The rest goes on.');
    expect(withDetails(`its host died\n${CRASH}`, sentence)).toBe(`count has ended: its host died. The rest goes on.\n${CRASH.trimEnd()}`);
  });
});

describe('Notices', () => {
  it('keeps the last notices and does not repeat itself', () => {
    const said: number[] = [];
    const notices = new Notices(({ id }) => said.push(id));
    notices.say('error', 'store.failed', 'one');
    notices.say('error', 'store.failed', 'one');
    for (let i = 0; i < 600; i++) notices.say('info', 'file.empty', `n${i}`, { source: i });
    expect(said).toHaveLength(601);
    expect(notices.list()).toHaveLength(500);
    expect(notices.list().at(-1)).toMatchObject({ level: 'info', code: 'file.empty', text: 'n599', about: { source: 599 } });
  });

  it('says the same again after a while, whatever the clock was set to', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const said: number[] = [];
    const notices = new Notices(({ at }) => said.push(at));
    const times = ['2026-01-01', '2036-01-01', '2016-01-01'].map((day) => Date.parse(day));
    for (const time of times) {
      vi.setSystemTime(time);
      notices.say('error', 'store.failed', 'one');
      vi.advanceTimersByTime(9000);
      notices.say('error', 'store.failed', 'one');
      vi.advanceTimersByTime(2000);
    }
    expect(said).toEqual(times);
  });
});
