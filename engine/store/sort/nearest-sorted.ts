import { AlarmFinder, Positions, type Finder } from '../search/finders.ts';
import { ALARM_CODES } from '../alarms.ts';
import type { Rows } from '../query.ts';
import type { RecordStore } from '../record-store.ts';
import type { ViewEntry } from '../view-entry.ts';
import type { RecordView } from '../view.ts';
import type { EntryRows, SortedRows } from './sorted-rows.ts';

/** The row of a sorted view that is nearest to a row and that a finder finds; beyond the end it goes on at the other one. null: there is none. */
export async function nearestSorted(
  store: RecordStore,
  view: RecordView,
  sorted: SortedRows,
  finder: Finder,
  row: number,
  forward: boolean,
): Promise<{ readonly row: number; readonly wrapped: boolean } | null> {
  const rows =
    finder instanceof AlarmFinder ? ofAlarms(sorted, finder, row, forward) : await ofEntries(store, view, sorted, finder, row, forward);
  const { next, first } = rows;
  if (next !== null) return { row: next, wrapped: false };
  return first === null ? null : { row: first, wrapped: true };
}

/** The nearest row, and the one that comes first in that direction. */
interface Found {
  readonly next: number | null;
  readonly first: number | null;
}

function ofAlarms(sorted: SortedRows, { level }: AlarmFinder, row: number, forward: boolean): Found {
  const find = (from: number): number | null => sorted.nearestAlarm(ALARM_CODES[level], from, forward);
  return { next: find(row), first: find(forward ? -1 : sorted.total) };
}

/** Looks at all entries: what is near in this order may lie in any of them. */
async function ofEntries(
  store: RecordStore,
  view: RecordView,
  sorted: SortedRows,
  finder: Finder,
  row: number,
  forward: boolean,
): Promise<Found> {
  const positions = new Positions(store, finder);
  let next: number | null = null;
  let first: number | null = null;
  const nearer = (at: number, than: number | null): boolean => than === null || (forward ? at < than : at > than);
  let arrival = 0;
  for (const entry of [...view.entries]) {
    for (const found of rowsOf(sorted, entry, arrival, entry.count === 0 ? [] : await positions.of(entry))) {
      if (nearer(found, first)) first = found;
      if ((forward ? found > row : found < row) && nearer(found, next)) next = found;
    }
    arrival += entry.count;
  }
  return { next, first };
}

function* rowsOf(sorted: SortedRows, { count }: ViewEntry, arrival: number, positions: Rows | readonly number[]): Iterable<number> {
  const length = positions === null ? count : positions.length;
  for (let i = 0; i < length; i++) {
    const row = sorted.rowOf(arrival + (positions === null ? i : (positions[i] as number)));
    if (row !== null) yield row;
  }
}

/** Rows of each entry of a view that are known to be found. */
export function foundRows(view: RecordView, known: (entry: ViewEntry) => Rows | undefined): EntryRows[] {
  let first = 0;
  return view.entries.map((entry) => {
    const positions = entry.count === 0 ? [] : known(entry);
    const found = { entry, first, positions: positions ?? null, count: positions === undefined ? 0 : (positions?.length ?? entry.count) };
    first += entry.count;
    return found;
  });
}
