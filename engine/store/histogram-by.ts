import type { Histogram, HistogramGroup } from '../api/types.ts';
import type { MessageBatch } from '../message/batch.ts';
import { bucketsOf, emptyHistogram, timeRange, type HistogramRequest } from './histogram.ts';
import type { RecordStore } from './record-store.ts';
import { slotLength } from './summary.ts';
import { millisecondsOf } from './times.ts';
import { fieldName, isStatusName, valueReader, type ValueReader } from './values.ts';
import type { RecordView, ViewEntry } from './view.ts';

/** Values that are counted separately in one segment, and in one histogram. */
const MOST_NAMES = 64;
const MOST_GROUPS = 7;
const LONGEST_NAME = 200;
/** Milliseconds of counting for one answer; the next one goes on. */
const BUDGET_MS = 120;

const NONE = '\u0000none';
const OTHER = '\u0000other';

/** Records of an entry by slot of time and by value. */
interface ValueSummary {
  readonly slotMs: number;
  readonly firstSlot: number;
  readonly names: readonly string[];
  /** Triples of slot − firstSlot, index of the name, and the count. */
  readonly cells: Uint32Array;
}

const known = new WeakMap<ViewEntry, Map<string, ValueSummary>>();

/**
 * Counts the records of a view over time and the values of a variable: HTTP statuses by their class, of other variables the commonest values
 * and the rest. The counts of a segment are kept with it, so the first answers over many records say that they are not complete, and
 * the later ones are quick.
 */
export async function histogramBy(store: RecordStore, view: RecordView, by: string, request: HistogramRequest): Promise<Histogram> {
  const entries = view.entries.filter((entry) => entry.count > 0);
  const range = timeRange(entries, request);
  if (range === null) return { ...emptyHistogram(request), groups: [], counts: [] };
  const { from, bucketMs, buckets } = bucketsOf(range, request.buckets);
  const rows = new Map<string, number[]>();
  const deadline = performance.now() + BUDGET_MS;
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
  let kept = known.get(entry);
  const found = kept?.get(by);
  if (found !== undefined && (bucketMs % found.slotMs === 0 || !mayCount)) return found;
  if (!mayCount) return null;
  const stored = await store.load(entry.segment);
  const summary = summarise(stored, entry, by, bucketMs);
  if (kept === undefined) known.set(entry, (kept = new Map<string, ValueSummary>()));
  // One variable at a time: another one is another picture.
  kept.clear();
  kept.set(by, summary);
  await new Promise((resolve) => setImmediate(resolve));
  return summary;
}

function summarise(stored: MessageBatch, { rows, count, segment }: ViewEntry, by: string, bucketMs: number): ValueSummary {
  const times = millisecondsOf(stored.timestamps);
  const read = groupReader(stored, by);
  const usual = slotLength(segment.maxTime - segment.minTime);
  const slotMs = bucketMs % usual === 0 ? usual : Math.min(usual, bucketMs);
  const firstSlot = Math.floor(segment.minTime / slotMs);
  const index = new Map<string, number>();
  const counts = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    let name = read(row) ?? NONE;
    if (name.length > LONGEST_NAME || (index.size >= MOST_NAMES && !index.has(name))) name = OTHER;
    let at = index.get(name);
    if (at === undefined) index.set(name, (at = index.size));
    const cell = (Math.floor((times[row] as number) / slotMs) - firstSlot) * (MOST_NAMES + 1) + at;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const cells = new Uint32Array(counts.size * 3);
  let at = 0;
  for (const [cell, number] of counts) {
    cells[at++] = Math.floor(cell / (MOST_NAMES + 1));
    cells[at++] = cell % (MOST_NAMES + 1);
    cells[at++] = number;
  }
  return { slotMs, firstSlot, names: [...index.keys()], cells };
}

/** HTTP statuses are told apart by their class. */
const isStatus = (by: string): boolean => isStatusName(fieldName(by));

function groupReader(stored: MessageBatch, by: string): ValueReader {
  const read = valueReader(stored, by);
  if (!isStatus(by)) return read;
  return (row) => {
    const value = read(row);
    if (value === null) return null;
    return /^[1-5]\d\d$/.test(value) ? `${value.charAt(0)}xx` : OTHER;
  };
}

function addTo(rows: Map<string, number[]>, summary: ValueSummary, target: { from: number; bucketMs: number; buckets: number }): void {
  const { slotMs, firstSlot, names, cells } = summary;
  for (let i = 0; i < cells.length; i += 3) {
    const bucket = Math.floor(((firstSlot + (cells[i] as number)) * slotMs - target.from) / target.bucketMs);
    if (bucket < 0 || bucket >= target.buckets) continue;
    const name = names[cells[i + 1] as number] as string;
    let row = rows.get(name);
    if (row === undefined) rows.set(name, (row = new Array<number>(target.buckets).fill(0)));
    row[bucket] = (row[bucket] as number) + (cells[i + 2] as number);
  }
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
