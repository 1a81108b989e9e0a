import { describe, expect, it, test } from 'vitest';
import { Notices, withDetails } from '../../../engine/workspace/notices.ts';
import type { Notice } from '../../../engine/api/types.ts';

const CRASH = '<--- Last few GCs --->\n[7:0x1] 120 ms: Scavenge\n';

describe('a notice', () => {
  test.each([
    ['one line', 'It ended.', 'It ended.', null],
    ['a line and what a process said', `It ended.\n${CRASH}`, 'It ended.', CRASH.trim()],
    ['white space around', '\n  It ended. \n\n', 'It ended.', null],
    ['lines of other systems', 'It ended.\r\nWhy', 'It ended.', 'Why'],
  ])('is one plain line: %s', (_what, said, text, details) => {
    const heard: Notice[] = [];
    new Notices((notice) => heard.push(notice)).say('error', 'x', said);
    expect(heard).toMatchObject([{ text, details }]);
  });

  it('has the first line of a reason in its sentence, and the rest below', () => {
    const sentence = (line: string): string => `count has ended: ${line}. The rest goes on.`;
    expect(withDetails('its host died', sentence)).toBe('count has ended: its host died. The rest goes on.');
    expect(withDetails(`its host died\n${CRASH}`, sentence)).toBe(`count has ended: its host died. The rest goes on.\n${CRASH.trimEnd()}`);
  });
});
