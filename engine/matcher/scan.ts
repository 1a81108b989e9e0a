import type { TextValues } from '../message/batch/columns.ts';
import { NO_ROWS, room, take, type Candidates, type Rows } from './rows.ts';

/** Share of the scanned stretch that the values must make up, for scanning it whole to pay. */
const MIN_COVERAGE = 0.5;

/**
 * The rows whose value contains `needle`, found by searching the backing string once instead of each value: where the needle is rare,
 * the search runs from hit to hit at the speed of memory. Returns undefined when the column does not allow it: values must follow
 * each other in the backing, fill most of it, and all be candidates.
 */
export function containsRows(values: TextValues, needle: string, candidates: Candidates): Rows | undefined {
  const { text, starts, ends } = values;
  const { count, rows, entries } = candidates;
  if (entries !== null || count === 0 || !fillsStretch(values, count)) return undefined;
  const limit = ends[count - 1] as number;
  // A search past the last value would read bytes that belong to no value.
  const whole = limit === text.length ? text : text.slice(0, limit);
  const out = room(count);
  let hits = 0;
  let found = whole.indexOf(needle, starts[0]);
  for (let i = 0; found >= 0; found = whole.indexOf(needle, found)) {
    while (i < count && (ends[i] as number) < found + needle.length) i++;
    if (i === count) break;
    const start = starts[i] as number;
    if (found < start) {
      found = start;
      continue;
    }
    out[hits++] = rows === null ? i : (rows[i] as number);
    if (++i === count) break;
    found = starts[i] as number;
  }
  return hits === 0 ? NO_ROWS : take(candidates, hits);
}

function fillsStretch({ starts, ends }: TextValues, count: number): boolean {
  let covered = 0;
  let previous = starts[0] as number;
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number;
    if (start < previous) return false;
    previous = ends[i] as number;
    covered += previous - start;
  }
  return covered >= (previous - (starts[0] as number)) * MIN_COVERAGE;
}
