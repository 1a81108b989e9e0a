import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoticeCode } from '../../../../engine/api/notices.ts';
import { RareNotices } from '../../../../engine/base/time/rare-notices.ts';

const texts = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `a${from + i}`);

describe('notices that others can cause', () => {
  let told: string[];
  let rare: RareNotices<{ code?: NoticeCode; subject?: string; text: string }>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    told = [];
    rare = new RareNotices(({ text }) => told.push(text));
  });
  afterEach(() => void vi.useRealTimers());

  const flood = (count: number, subject = 'in'): void => {
    for (let i = 1; i <= count; i++) rare.tell({ code: 'stat.bad', subject, text: `a${i}` });
  };

  it('are told at once, twenty of a kind, then counted once a minute until a minute has none', () => {
    flood(12_365);
    expect(told).toEqual(texts(1, 20));
    vi.advanceTimersByTime(60_000);
    expect(told.splice(0)).toEqual([...texts(1, 20), '… 12,345 more like this in the last minute, 12,365 in all, the last one: a12365']);
    flood(3);
    vi.advanceTimersByTime(60_000);
    expect(told.splice(0)).toEqual(['… 3 more like this in the last minute, 12,368 in all, the last one: a3']);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
    flood(2);
    expect(told).toEqual(['a1', 'a2']);
  });

  it('are counted by kind and plugin, and not at all without a kind', () => {
    for (const subject of ['one', 'two']) flood(21, subject);
    for (let i = 0; i < 50; i++) rare.tell({ text: 'plain' });
    expect(told.filter((text) => text === 'plain')).toHaveLength(50);
    expect(told).toHaveLength(90);
  });

  it('are told again at once after a pause', () => {
    flood(20);
    vi.advanceTimersByTime(60_001);
    flood(20);
    expect(told).toHaveLength(40);
  });

  it('are summed up at the end', () => {
    flood(1020);
    rare.close();
    expect(told.at(-1)).toBe('… 1,000 more like this until the end, 1,020 in all, the last one: a1020');
    vi.advanceTimersByTime(120_000);
    expect(told).toHaveLength(21);
  });
});
