import { daysLater, parseTime, type Span, type TimeZone } from './time.ts';

/** A place among the records, as someone typed it. */
export type Place = { readonly kind: 'row'; readonly row: number } | { readonly kind: 'time'; readonly time: number };

/** Forms of a place, as the hint of its field. */
export const PLACES = '1234, 50 %, 12:40 or 2026-11-22 12:40';

interface Around {
  /** Rows of the list. */
  readonly total: number;
  /** Of the records of the list; null: there are none. */
  readonly span: Span | null;
  /** The time where someone is: a clock without a date is of that day. */
  readonly here: number;
  readonly zone: TimeZone;
}

/** Reads a place: the number of a line from 1, a share of the list, or a time; null: it is none. */
export function parsePlace(typed: string, { total, span, here, zone }: Around): Place | null {
  const text = typed.trim().replace(/^:/, '').trim();
  const share = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (share !== undefined) return Number(share) > 100 ? null : row(Math.round((Number(share) / 100) * (total - 1)), total);
  if (/^\d[\d,]*$/.test(text)) return row(Number(text.replace(/\D/g, '')) - 1, total);
  const time = parseTime(text, zone, here);
  if (time === null) return null;
  return { kind: 'time', time: /^\d{4}-/.test(text) || span === null ? time : nearest(time, span, zone) };
}

const row = (at: number, total: number): Place => ({ kind: 'row', row: Math.min(Math.max(0, at), total - 1) });

/** A clock that no record of its day has is that of the day before or after, where the records have it. */
function nearest(time: number, { from, to }: Span, zone: TimeZone): number {
  return [0, 1, -1].map((days) => daysLater(time, days, zone)).find((candidate) => candidate >= from && candidate <= to) ?? time;
}
