import type { Mark } from '../../../engine/api/types.ts';

/** The marks whose records are there, by the numbers of these. */
export function marksByRecord(marks: readonly Mark[]): ReadonlyMap<number, Mark> {
  return new Map(marks.flatMap((mark) => (mark.record === null ? [] : [[mark.record, mark] as const])));
}
