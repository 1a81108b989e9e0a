import type { Histogram, HistogramGroup } from '../api/types.ts';
import { bucketsOf, coveredTime, emptyHistogram, rangeOf, type HistogramRequest } from './histogram.ts';
import { bucketOf, KeptSummaries, type Buckets } from './kept-summaries.ts';
import type { RecordStore } from './record-store.ts';
import { eachCell, isClass, NONE, OTHER, summariseValues, type ValueSummary } from './value-summary.ts';
import type { RecordView } from './view.ts';

/** Values that are shown separately in one histogram. */
const MOST_GROUPS = 7;
/** Milliseconds after an answer for which records are counted as they come: then nobody looks at the histogram any more. */
const WATCHED_MS = 5000;

const kept = new KeptSummaries<ValueSummary>(summariseValues, (by) => by);

/**
 * Counts the records of a view over time and the values of a variable: HTTP statuses by their class, of other variables the commonest values
 * and the rest. The first answers over many records say that they are not complete, and the later ones are quick. Records that come later are
 * counted while they are in memory.
 */
export async function histogramBy(store: RecordStore, view: RecordView, by: string, request: HistogramRequest): Promise<Histogram> {
  const range = rangeOf(view.span, request);
  if (range === null) return { ...emptyHistogram(request), groups: [], counts: [] };
  const time = bucketsOf(range, request.buckets);
  const asked = performance.now();
  view.visit = (entry, stored) => {
    if (performance.now() - asked < WATCHED_MS) kept.make(store, entry, stored, by, time.bucketMs);
  };
  const rows = new Map<string, number[]>();
  const complete = await kept.visit(store, view, by, time, (summary) => addTo(rows, summary, time));
  return {
    from: time.from,
    to: time.from + time.buckets * time.bucketMs,
    bucketMs: time.bucketMs,
    ...grouped(rows, (name) => isClass(by, name)),
    covered: coveredTime(view, range),
    complete,
  };
}

function addTo(rows: Map<string, number[]>, summary: ValueSummary, target: Buckets): void {
  const { names } = summary;
  const own = names.map((name) => rows.get(name));
  const rowOf = (name: number): number[] => {
    const row = new Array<number>(target.buckets).fill(0);
    rows.set(names[name] as string, row);
    return row;
  };
  eachCell(summary, (slot, name, count) => {
    const bucket = bucketOf(summary, slot, target);
    if (bucket < 0 || bucket >= target.buckets) return;
    const row = (own[name] ??= rowOf(name));
    row[bucket] = (row[bucket] as number) + count;
  });
}

function grouped(rows: ReadonlyMap<string, number[]>, isClassName: (name: string) => boolean): Pick<Histogram, 'groups' | 'counts'> {
  const sum = (row: readonly number[]): number => row.reduce((total, count) => total + count, 0);
  const named = [...rows].filter(([name]) => name !== NONE && name !== OTHER);
  // Classes come first, in their order; values by their number.
  const rank = (name: string, row: readonly number[]): number => (isClassName(name) ? -Infinity : -sum(row));
  named.sort(([a, x], [b, y]) => {
    const [before, after] = [rank(a, x), rank(b, y)];
    return before === after ? (a < b ? -1 : 1) : before - after;
  });
  const shown = named.slice(0, MOST_GROUPS);
  const rest = [...named.slice(MOST_GROUPS), ...[...rows].filter(([name]) => name === OTHER)];
  const groups: HistogramGroup[] = shown.map(([name]) => ({ kind: isClassName(name) ? 'class' : 'value', name }));
  const counts = shown.map(([, row]) => row);
  const [first, ...others] = rest;
  if (first !== undefined) {
    groups.push({ kind: 'other', name: '' });
    counts.push(first[1].map((count, bucket) => others.reduce((total, [, row]) => total + (row[bucket] as number), count)));
  }
  const none = rows.get(NONE);
  if (none !== undefined) {
    groups.push({ kind: 'none', name: '' });
    counts.push(none);
  }
  return { groups, counts };
}
