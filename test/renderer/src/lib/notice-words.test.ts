import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../../engine/api/types.ts';
import { noticeDetails, noticeText, noticeTime } from '../../../../renderer/src/lib/notice-words.ts';

const AT = Date.UTC(2026, 2, 17, 15, 0);
const alert = (text: string, more: Partial<Notice> = {}): Notice => ({
  id: 1,
  at: Date.UTC(2026, 10, 25),
  level: 'warning',
  code: 'alert',
  text,
  details: null,
  about: { source: 1, plugin: 'silent', time: AT, end: null, shows: null },
  ...more,
});

describe('the words of notices', () => {
  it('tell times in the zone of the window, without the day of the alert', () => {
    expect(noticeText(alert('no mails since 2026-03-17T14:45:00.000Z'), 'utc')).toBe('no mails since 14:45');
    expect(noticeText(alert('no mails since 2026-03-17T14:45:07.250Z'), 'utc')).toBe('no mails since 14:45:07');
  });

  it('tell the day when it is another, and the year', () => {
    expect(noticeText(alert('no mails since 2026-03-16T14:45:00.000Z'), 'utc')).toBe('no mails since 03-16 14:45');
    expect(noticeText(alert('no mails since 2025-03-16T14:45:00.000Z'), 'utc')).toBe('no mails since 2025-03-16 14:45');
  });

  it('leave what is no time as it is, and the times of other notices', () => {
    expect(noticeText(alert('at 2026-99-99T14:45:00.000Z'), 'utc')).toBe('at 2026-99-99T14:45:00.000Z');
    const other = alert('2026-03-17T14:45:00.000Z.log is missing', { code: 'file.missing' });
    expect(noticeText(other, 'utc')).toBe('2026-03-17T14:45:00.000Z.log is missing');
  });

  it('tell the other lines of an alert in the same way', () => {
    expect(noticeDetails(alert('a', { details: 'b since 2026-03-17T14:45:00.000Z' }), 'utc')).toBe('b since 14:45');
    expect(noticeDetails(alert('a'), 'utc')).toBeNull();
  });

  it('say in plain words why a script ended', () => {
    const end = { code: 'filter.circular', reason: 'inject_message: the message matches the own message_matcher' } as const;
    const ended = alert('rare was terminated: …', {
      code: 'plugin.terminated',
      about: { source: 1, plugin: 'rare', time: null, end, shows: null },
    });
    expect(noticeText(ended, 'utc')).toBe('rare ended: Its matcher selects the messages that it injects itself.');
    expect(noticeTime(ended)).toBe(ended.at);
  });

  it('have the time of the records, where there is one', () => {
    expect(noticeTime(alert('a'))).toBe(AT);
  });
});
