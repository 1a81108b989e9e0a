import type { Mark } from '../../../engine/api/types.ts';
import { formatTime, type TimeZone } from '../../../engine/api/time/time.ts';

/** The marks whose records are there, by the numbers of these. */
export function marksByRecord(marks: readonly Mark[]): ReadonlyMap<number, Mark> {
  return new Map(marks.flatMap((mark) => (mark.record === null ? [] : [[mark.record, mark] as const])));
}

/** Marks as text, one a line: time, source, record, and the note behind a dash. */
export function marksText(marks: readonly Mark[], zone: TimeZone): string {
  return marks
    .map(({ time, label, text, note }) => `${formatTime(time, zone)}  ${label}  ${text}${note === '' ? '' : ` — ${note}`}\n`)
    .join('');
}
