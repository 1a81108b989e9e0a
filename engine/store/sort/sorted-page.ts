import type { MessageBatch } from '../../message/batch/batch.ts';
import type { RecordStore } from '../record-store.ts';
import type { Segment } from '../segment.ts';
import type { ViewRow } from '../view-entry.ts';

/** Reads rows that lie in many segments, each segment once. */
export async function rowsAt(store: RecordStore, places: readonly Omit<ViewRow, 'stored'>[]): Promise<ViewRow[]> {
  const loaded = new Map<Segment, MessageBatch>();
  for (const { segment } of places) if (!loaded.has(segment)) loaded.set(segment, await store.load(segment));
  return places.map((place) => ({ ...place, stored: loaded.get(place.segment) as MessageBatch }));
}
