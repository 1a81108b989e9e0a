import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RareNotices } from '../../../engine/inputs/rare-notices.ts';
import type { InputNotice } from '../../../engine/inputs/types.ts';

const notice = (code: string, text: string): InputNotice => ({ level: 'info', code, text });

describe('notices that others can cause', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are told at once, twenty of a kind; the number of the rest comes with the next one', () => {
    const told: string[] = [];
    const rare = new RareNotices(({ text }) => told.push(text));
    for (let i = 1; i <= 1000; i++) rare.tell(notice('a', `a${i}.`));
    rare.tell(notice('b', 'b1.'));
    expect(told).toEqual([...Array.from({ length: 20 }, (_, i) => `a${i + 1}.`), 'b1.']);
    vi.advanceTimersByTime(10_001);
    rare.tell(notice('a', 'later.'));
    rare.tell(notice('a', 'and later.'));
    rare.tell(notice('b', 'b2.'));
    expect(told.slice(21)).toEqual(['later. 980 others like this were not told.', 'and later.', 'b2.']);
  });
});
