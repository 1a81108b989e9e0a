import type { Notice } from '../../../engine/api/types.ts';
import { formatCount } from './format.ts';
import { plainEnd } from './plain-end.ts';
import { formatTimeIn, timeForm, type TimeZone } from '../../../engine/api/time/time.ts';

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const WHOLE_MINUTE = /:00$/;

/** The time of a notice, in milliseconds: of an alert, that of its records. */
export const noticeTime = ({ code, about, at }: Pick<Notice, 'code' | 'about' | 'at'>): number =>
  code === 'alert' ? (about?.time ?? at) : at;

/** The text of a notice for people: ends of scripts in plain words, and times of alerts in the zone of the window, without a day that is that of the alert. */
export function noticeText(notice: Pick<Notice, 'code' | 'text' | 'about' | 'at'>, zone: TimeZone): string {
  const { code, text, about } = notice;
  if (about !== null && about.end !== null) return `${about.plugin ?? 'A script'} ended: ${plainEnd(about.end).text}`;
  return code === 'alert' ? withLocalTimes(text, noticeTime(notice), zone) : text;
}

/** More lines of an alert, with times as in its text. */
export function noticeDetails(notice: Pick<Notice, 'code' | 'details' | 'about' | 'at'>, zone: TimeZone): string | null {
  return notice.code === 'alert' && notice.details !== null ? withLocalTimes(notice.details, noticeTime(notice), zone) : notice.details;
}

/** The button that opens further logs of a folder. */
export const restLabel = ({ logs }: { readonly logs: number }): string => `Open ${formatCount(logs)} more`;

function withLocalTimes(text: string, at: number, zone: TimeZone): string {
  return text.replaceAll(INSTANT, (instant) => {
    const time = Date.parse(instant);
    if (Number.isNaN(time)) return instant;
    const form = timeForm({ from: Math.min(time, at), to: Math.max(time, at) }, zone);
    return formatTimeIn(form, time, zone, false).replace(WHOLE_MINUTE, '');
  });
}
