import { setTimeout as delay } from 'node:timers/promises';
import type { RecordPlace } from '../api/record-types.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { ViewRow } from '../store/view-entry.ts';
import { RecordView } from '../store/view.ts';

/** Milliseconds between two looks at a view that is filled. */
const STEP_MS = 10;

interface WantedRecord {
  readonly source: number;
  /** From 1, in the order of the source. */
  readonly number: number;
  /** Milliseconds; null: not known. Who has read a file before it was rotated has other numbers than who has not: then the first record at this time is meant. */
  readonly time: number | null;
}

/** The place of the record of a number; null: there is none, or none yet. @throws when the records cannot be read */
export async function findRecord(store: RecordStore, { source, number, time }: WantedRecord): Promise<RecordPlace | null> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const view = new RecordView(store, { sources: [source] }, () => undefined, failed.reject);
  try {
    while (!view.complete) await Promise.race([delay(STEP_MS), failed.promise]);
    const [numbered] = await view.page(number - 1, 1);
    if (numbered !== undefined && timeOf(numbered) === time) return placeOf(numbered, 'both');
    const [dated] = time === null ? [] : await view.page(await view.seek(time), 1);
    if (dated !== undefined && timeOf(dated) === time) return placeOf(dated, 'time');
    return numbered === undefined ? null : placeOf(numbered, 'number');
  } finally {
    view.close();
  }
}

const placeOf = (row: ViewRow, by: RecordPlace['by']): RecordPlace => ({ id: row.segment.firstId + row.row, time: timeOf(row), by });

/** Milliseconds. */
const timeOf = ({ stored, row }: ViewRow): number => Number((stored.timestamps[row] as bigint) / 1_000_000n);
