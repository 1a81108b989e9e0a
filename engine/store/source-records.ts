import type { MessageBatch } from '../message/batch/batch.ts';
import { concatBatches, takeRows } from '../message/batch/gather.ts';
import type { RecordStore } from './record-store.ts';
import { asDecoded, rawText, type Segment } from './segment.ts';

/** Milliseconds between the earliest and the latest record of a source; 0 when there are none. */
export function spanOf(store: RecordStore, source: number): number {
  let from = Infinity;
  let to = -Infinity;
  for (const { parts } of store.segments) {
    for (const part of parts) {
      if (part.source !== source || part.removed) continue;
      from = Math.min(from, part.minTime);
      to = Math.max(to, part.maxTime);
    }
  }
  return to >= from ? to - from : 0;
}

/** Records of a source as they were decoded, and their numbers in the store. */
export interface RecordPiece {
  readonly batch: MessageBatch;
  readonly ids: readonly number[];
}

/**
 * The records of a source in order of arrival, in pieces of some thousands; those that come while it is read are among them.
 * @param from number of the first record
 */
export async function* recordsOf(store: RecordStore, source: number, from = 0): AsyncGenerator<RecordPiece> {
  let next = from;
  for (;;) {
    // Found by number, as segments may have been merged meanwhile.
    const segment = store.segments.find(({ firstId, length }) => firstId + length > next);
    if (segment === undefined) return;
    const { firstId } = segment;
    const rows = rowsOf(segment, source, next - firstId);
    next = firstId + segment.length;
    if (rows.length === 0) continue;
    yield { batch: takeRows(asDecoded(await store.load(segment)), rows), ids: Array.from(rows, (row) => firstId + row) };
  }
}

/** Records as they were decoded, and the text that each was read as. */
export interface SourceRecords {
  readonly batch: MessageBatch;
  readonly raw: readonly string[];
}

/** The last records of a source, in order of arrival; null when it has none. */
export async function lastRecords(store: RecordStore, source: number, count: number): Promise<SourceRecords | null> {
  const parts: SourceRecords[] = [];
  let missing = count;
  for (const segment of [...store.segments].reverse()) {
    if (missing === 0) break;
    const all = rowsOf(segment, source, 0);
    const rows = all.subarray(Math.max(0, all.length - missing));
    if (rows.length === 0) continue;
    missing -= rows.length;
    const stored = await store.load(segment);
    const text = rawText(stored);
    parts.unshift({ batch: takeRows(asDecoded(stored), rows), raw: Array.from(rows, (row) => text.at(row)) });
  }
  if (parts.length === 0) return null;
  return { batch: concatBatches(parts.map(({ batch }) => batch)), raw: parts.flatMap(({ raw }) => raw) };
}

/** Rows of a source in a segment from a row on, without those that were removed. */
export function rowsOf({ parts, length }: Segment, source: number, from: number): Uint32Array<ArrayBuffer> {
  const rows: number[] = [];
  parts.forEach((part, i) => {
    if (part.source !== source || part.removed) return;
    const end = parts[i + 1]?.firstRow ?? length;
    for (let row = Math.max(part.firstRow, from); row < end; row++) rows.push(row);
  });
  return Uint32Array.from(rows);
}
