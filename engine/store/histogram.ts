import type { Histogram, HistogramGroup } from '../api/types.ts';
import type { RecordStore } from './record-store.ts';
import { SEVERITIES, severityReader, type TimeSummary } from './summary.ts';
import { millisecondsOf } from './times.ts';
import { LEVELS } from './wanted.ts';
import type { ViewEntry } from './view-entry.ts';
import type { RecordView } from './view.ts';

const SECOND = 1e3;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Bucket lengths that people expect, in milliseconds. */
const NICE = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 56, 112, 224, 448].map((n) => n * DAY),
];

const SEVERITY_GROUPS: readonly HistogramGroup[] = Array.from({ length: SEVERITIES }, (_unused, severity) =>
  severity === SEVERITIES - 1 ? { kind: 'none', name: '' } : { kind: 'severity', name: String(severity) },
);

/** Most segments that are read for one histogram; above that their summaries are used, to the nearest slot. */
const MAX_EXACT = 48;

export interface HistogramRequest {
  /** Most buckets that are wanted. */
  readonly buckets: number;
  /** Milliseconds; absent: all that the view shows. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The shortest nice bucket that is not below `least` milliseconds. */
function bucketLength(least: number): number {
  for (const length of NICE) if (length >= least) return length;
  let length = NICE[NICE.length - 1] as number;
  while (length < least) length *= 2;
  return length;
}

/**
 * Counts the records of a view over time and severity. The range is that of all records of its sources, so that a filter that leaves few shows where in the log
 * these are. Buckets begin at multiples of their length; what the view has not yet looked
 * at is not in it.
 */
export async function histogramOf(store: RecordStore, view: RecordView, request: HistogramRequest): Promise<Histogram> {
  const range = rangeOf(view.span, request);
  if (range === null) return emptyHistogram(request);
  const { from, bucketMs, buckets } = bucketsOf(range, request.buckets);
  const counts = Array.from({ length: SEVERITIES }, () => new Array<number>(buckets).fill(0));
  const target = { from, bucketMs, buckets, counts };
  let exact = 0;
  for (const entry of view.entries) {
    if (entry.count === 0) continue;
    const { firstSlot, slotMs } = entry.summary;
    if (firstSlot * slotMs >= from + buckets * bucketMs || entry.segment.maxTime < from) continue;
    if (bucketMs % slotMs !== 0 && exact < MAX_EXACT) {
      exact++;
      await addRecords(target, store, entry);
    } else addSummary(target, entry.summary);
  }
  const covered = coveredTime(view, range);
  return { from, to: from + buckets * bucketMs, bucketMs, groups: SEVERITY_GROUPS, counts, covered, complete: true };
}

interface Target {
  readonly from: number;
  readonly bucketMs: number;
  readonly buckets: number;
  readonly counts: number[][];
}

function add(target: Target, time: number, severity: number, count: number): void {
  const bucket = Math.floor((time - target.from) / target.bucketMs);
  if (bucket < 0 || bucket >= target.buckets) return;
  const row = target.counts[severity] as number[];
  row[bucket] = (row[bucket] as number) + count;
}

function addSummary(target: Target, summary: TimeSummary): void {
  const { cells } = coarserOf(summary, target.bucketMs);
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cells[i] as number;
    const bucket = Math.floor(cell / SEVERITIES);
    add(target, bucket * target.bucketMs, cell - bucket * SEVERITIES, cells[i + 1] as number);
  }
}

/** A summary by the buckets of a histogram. */
interface Coarser {
  readonly bucketMs: number;
  /** Pairs of bucket since 1970 · 9 + severity and the count. */
  readonly cells: Float64Array;
}

/** A histogram is asked for again and again while records come, mostly with the same buckets. */
const coarser = new WeakMap<TimeSummary, Coarser>();

function coarserOf(summary: TimeSummary, bucketMs: number): Coarser {
  const kept = coarser.get(summary);
  if (kept?.bucketMs === bucketMs) return kept;
  const { cells, firstSlot, slotMs } = summary;
  const counts = new Map<number, number>();
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cells[i] as number;
    const bucket = Math.floor(((firstSlot + Math.floor(cell / SEVERITIES)) * slotMs) / bucketMs);
    const key = bucket * SEVERITIES + (cell % SEVERITIES);
    counts.set(key, (counts.get(key) ?? 0) + (cells[i + 1] as number));
  }
  const made = { bucketMs, cells: Float64Array.from([...counts].flat()) };
  coarser.set(summary, made);
  return made;
}

async function addRecords(target: Target, store: RecordStore, entry: ViewEntry): Promise<void> {
  const stored = await store.columns(entry.segment, LEVELS);
  const times = millisecondsOf(stored.timestamps);
  const severity = severityReader(stored.severity);
  for (let i = 0; i < entry.count; i++) {
    const row = entry.rows === null ? i : (entry.rows[i] as number);
    add(target, times[row] as number, severity(row), 1);
  }
}

/** A range of time in milliseconds; the end is exclusive. */
export type TimeSpan = NonNullable<RecordView['span']>;

/** The range that was asked for, else that of a span. null: there is none. */
export function rangeOf(span: TimeSpan | null, request: HistogramRequest): TimeSpan | null {
  const from = request.from ?? span?.from ?? Infinity;
  const to = request.to ?? span?.to ?? -Infinity;
  return from < to ? { from, to } : null;
}

/** The part of a range in which there are records, whether the view shows them or not. */
export function coveredTime({ span }: RecordView, range: TimeSpan): Histogram['covered'] {
  return span === null ? range : { from: Math.max(span.from, range.from), to: Math.min(span.to, range.to) };
}

/** Buckets over a range: their beginning, length and number. */
export function bucketsOf(range: TimeSpan, most: number): { from: number; bucketMs: number; buckets: number } {
  const bucketMs = fittingLength(range, most);
  const from = Math.floor(range.from / bucketMs) * bucketMs;
  return { from, bucketMs, buckets: Math.max(1, Math.ceil((range.to - from) / bucketMs)) };
}

/** The bucket length by which the range fits into so many buckets, although the first one may begin before it. */
function fittingLength({ from, to }: TimeSpan, buckets: number): number {
  let length = bucketLength((to - from) / buckets);
  while (buckets > 1 && Math.ceil((to - Math.floor(from / length) * length) / length) > buckets) length = bucketLength(length + 1);
  return length;
}

export function emptyHistogram(request: HistogramRequest): Histogram {
  const from = request.from ?? 0;
  return {
    from,
    to: request.to ?? from,
    bucketMs: 1,
    groups: SEVERITY_GROUPS,
    counts: Array.from({ length: SEVERITIES }, () => []),
    covered: { from, to: request.to ?? from },
    complete: true,
  };
}
