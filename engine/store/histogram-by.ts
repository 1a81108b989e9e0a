import type { Histogram, HistogramGroup } from '../api/types.ts';
import type { MessageBatch } from '../message/batch.ts';
import { bucketsOf, emptyHistogram, timeRange, type HistogramRequest } from './histogram.ts';
import type { RecordStore } from './record-store.ts';
import type { Segment } from './segment.ts';
import { eachCell, isStatus, NONE, OTHER, summariseValues, type ValueSummary } from './value-summary.ts';
import type { RecordView, ViewEntry } from './view.ts';

/** Values that are shown separately in one histogram. */
const MOST_GROUPS = 7;
/** Milliseconds of counting for one answer; the next one goes on. */
const BUDGET_MS = 120;
/** Milliseconds after an answer for which records are counted as they come: then nobody looks at the histogram any more. */
const WATCHED_MS = 5000;

/** A summary, and the variable that it is of. One variable at a time: another one is another picture. */
interface Kept {
  readonly by: string;
  readonly summary: ValueSummary;
}

/** Of entries that show some rows of their segment, and of segments that are shown as a whole, in whatever view. */
const known = new WeakMap<ViewEntry | Segment, Kept>();
const keyOf = (entry: ViewEntry): ViewEntry | Segment => (entry.rows === null ? entry.segment : entry);

/**
 * Counts the records of a view over time and the values of a variable: HTTP statuses by their class, of other variables the commonest values
 * and the rest. The counts of a segment are kept with it, so the first answers over many records say that they are not complete, and
 * the later ones are quick. Records that come later are counted while they are in memory.
 */
export async function histogramBy(store: RecordStore, view: RecordView, by: string, request: HistogramRequest): Promise<Histogram> {
  const entries = view.entries.filter((entry) => entry.count > 0);
  const range = timeRange(entries, request);
  if (range === null) return { ...emptyHistogram(request), groups: [], counts: [] };
  const { from, bucketMs, buckets } = bucketsOf(range, request.buckets);
  const asked = performance.now();
  view.visit = (entry, stored) => {
    if (performance.now() - asked < WATCHED_MS) keep(entry, stored, by, bucketMs);
  };
  const rows = new Map<string, number[]>();
  const deadline = asked + BUDGET_MS;
  let complete = true;
  for (const entry of entries) {
    if (entry.segment.minTime >= from + buckets * bucketMs || entry.segment.maxTime < from) continue;
    const summary = await summaryOf(store, entry, by, bucketMs, performance.now() < deadline);
    if (summary === null) complete = false;
    else addTo(rows, summary, { from, bucketMs, buckets });
  }
  return { from, to: from + buckets * bucketMs, bucketMs, ...grouped(rows, isStatus(by)), complete };
}

/** The summary of an entry: kept from before, or counted now if there is time left; null: neither. */
async function summaryOf(
  store: RecordStore,
  entry: ViewEntry,
  by: string,
  bucketMs: number,
  mayCount: boolean,
): Promise<ValueSummary | null> {
  const kept = known.get(keyOf(entry));
  const found = kept?.by === by ? kept.summary : undefined;
  if (found !== undefined && (bucketMs % found.slotMs === 0 || !mayCount)) return found;
  if (!mayCount) return null;
  const summary = keep(entry, await store.load(entry.segment), by, bucketMs);
  await new Promise((resolve) => setImmediate(resolve));
  return summary;
}

function keep(entry: ViewEntry, stored: MessageBatch, by: string, bucketMs: number): ValueSummary {
  const summary = summariseValues(stored, entry, by, bucketMs);
  known.set(keyOf(entry), { by, summary });
  return summary;
}

function addTo(rows: Map<string, number[]>, summary: ValueSummary, target: { from: number; bucketMs: number; buckets: number }): void {
  const { names, slotMs } = summary;
  const own = names.map((name) => rows.get(name));
  const rowOf = (name: number): number[] => {
    const row = new Array<number>(target.buckets).fill(0);
    rows.set(names[name] as string, row);
    return row;
  };
  eachCell(summary, (slot, name, count) => {
    const bucket = Math.floor((slot * slotMs - target.from) / target.bucketMs);
    if (bucket < 0 || bucket >= target.buckets) return;
    const row = (own[name] ??= rowOf(name));
    row[bucket] = (row[bucket] as number) + count;
  });
}

function grouped(rows: ReadonlyMap<string, number[]>, classes: boolean): Pick<Histogram, 'groups' | 'counts'> {
  const sum = (row: readonly number[]): number => row.reduce((total, count) => total + count, 0);
  const named = [...rows].filter(([name]) => name !== NONE && name !== OTHER);
  named.sort(([a, x], [b, y]) => (classes ? 0 : sum(y) - sum(x)) || (a < b ? -1 : 1));
  const shown = named.slice(0, MOST_GROUPS);
  const rest = [...named.slice(MOST_GROUPS), ...[...rows].filter(([name]) => name === OTHER)];
  const groups: HistogramGroup[] = shown.map(([name]) => ({ kind: classes ? 'class' : 'value', name }));
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
