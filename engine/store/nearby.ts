import { firstIndex } from '../message/binary-search.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { EntryList } from './entry-list.ts';
import { streamKey } from './merged-order.ts';
import type { RecordStore } from './record-store.ts';
import type { ScoutedFilter } from './search/scouted-filter.ts';
import type { Segment } from './segment.ts';
import { millisecondsOf } from './times.ts';
import { entryOf, type ViewEntry } from './view-entry.ts';

/** The place where rows are wanted first: around the record of this number, or at the end. */
export type Near = number | 'end';

/** The rows of a filter around a place, which stand in for all of them until their numbers are known. */
export interface Nearby {
  readonly list: EntryList;
  /** The last segment with such rows: once the filter has gone over it, their numbers are known; null: they are of several streams, so all must be. */
  readonly last: Segment | null;
}

/** Rows with which no more segments are looked at, and the least of these, whatever they hold: that of the place, and one on each side. */
const ENOUGH_ROWS = 200;
const LEAST_SEGMENTS = 3;
/** Milliseconds after which what was found is shown. */
const LOOK_MS = 40;
/** Milliseconds of work after which others get their turn. */
const SLICE_MS = 4;

interface LookOptions {
  readonly store: RecordStore;
  readonly filter: ScoutedFilter;
  readonly near: Near;
  readonly isWanted: () => boolean;
}

/** A segment that may hold rows, and how far it is from the place: in segments, or in milliseconds. */
interface Candidate {
  readonly segment: Segment;
  readonly distance: number;
}

/**
 * Finds the first rows that a filter selects around a place, without going over all records before it: those of neighbouring segments, or, when several
 * streams are merged, those of a span of time. null: there were none near enough, or they are not wanted any more.
 */
export async function lookAround({ store, filter, near, isWanted }: LookOptions): Promise<Nearby | null> {
  const segments = store.segments.filter((segment) => filter.known(segment)?.length !== 0);
  const place = near === 'end' ? segments.at(-1) : store.find(near)?.segment;
  if (place === undefined) return null;
  const isMerged = new Set(segments.flatMap(({ parts }) => parts.filter(({ removed }) => !removed).map(streamKey))).size > 1;
  const time = near === 'end' ? segments.reduce((latest, { maxTime }) => Math.max(latest, maxTime), -Infinity) : middle(place);
  const candidates = isMerged ? byTime(segments, time) : byPlace(segments, place);
  const found: { readonly entry: ViewEntry; readonly stored: MessageBatch }[] = [];
  const deadline = performance.now() + LOOK_MS;
  let sliceEnd = performance.now() + SLICE_MS;
  let rows = 0;
  let looked = 0;
  for (const { segment } of candidates) {
    if (looked >= LEAST_SEGMENTS && (rows >= ENOUGH_ROWS || performance.now() > deadline)) break;
    looked++;
    const stored = await filter.columns(segment);
    if (!isWanted()) return null;
    const entry = entryOf(segment, filter.select(segment, stored), stored);
    rows += entry.count;
    if (entry.count > 0) found.push({ entry, stored });
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
  // Of several streams, rows are known of the time that no other segment reaches into.
  const reach = candidates[looked]?.distance ?? Infinity;
  const entries =
    isMerged && reach < Infinity ? found.map(({ entry, stored }) => within(entry, stored, time, reach)) : found.map(({ entry }) => entry);
  entries.sort((a, b) => a.segment.firstId - b.segment.firstId);
  const list = new EntryList(store);
  for (const entry of entries) if (entry.count > 0) list.push(entry);
  const last = list.entries.at(-1);
  return last === undefined ? null : { list, last: isMerged ? null : last.segment };
}

/** The segments from the one of a place on, in both directions by turns. */
function byPlace(segments: readonly Segment[], { firstId }: Segment): Candidate[] {
  const here = firstIndex(segments.length, (i) => (segments[i] as Segment).firstId >= firstId);
  return nearestFirst(segments.map((segment, i) => ({ segment, distance: Math.abs(i - here) })));
}

/** The segments by the time between a place and their records. Records of a stream that are older than those before them stand where these do. */
function byTime(segments: readonly Segment[], time: number): Candidate[] {
  const floors = new Map<string, number>();
  return nearestFirst(
    segments.map((segment) => {
      let distance = Infinity;
      for (const part of segment.parts) {
        if (part.removed) continue;
        const floor = floors.get(streamKey(part)) ?? -Infinity;
        const [low, high] = [Math.max(floor, part.minTime), Math.max(floor, part.maxTime)];
        floors.set(streamKey(part), high);
        distance = Math.min(distance, Math.max(low - time, time - high, 0));
      }
      return { segment, distance };
    }),
  );
}

const nearestFirst = (candidates: Candidate[]): Candidate[] => candidates.sort((a, b) => a.distance - b.distance);

/** The rows of an entry that are nearer to a time than this. */
function within({ segment, rows }: ViewEntry, stored: MessageBatch, time: number, reach: number): ViewEntry {
  const times = millisecondsOf(stored.timestamps);
  const all = rows ?? Uint32Array.from({ length: segment.length }, (_, row) => row);
  return entryOf(
    segment,
    all.filter((row) => Math.abs((times[row] as number) - time) < reach),
    stored,
  );
}

const middle = ({ minTime, maxTime }: Segment): number => (minTime + maxTime) / 2;
