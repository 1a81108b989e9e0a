import type { MessageBatch } from '../message/batch/batch.ts';
import { entryOf, type TextColumn } from '../message/batch/columns.ts';
import { takeRows } from '../message/batch/gather.ts';
import type { Failure, SandboxResult } from '../sandbox/contract/types.ts';
import { textOfRows, type DecodedBatch } from './decoded.ts';

/** Result of a batch whose refused records were read once more. */
export interface CompletedResult {
  /** Has all records: those that no decoder took with their text, their reason, and the time and the level that they have. */
  readonly result: SandboxResult;
  /** The first rows of records that another decoder took. */
  readonly others: ReadonlySet<number>;
  /** The records that no decoder took, by their first row, ascending. */
  readonly refused: readonly Failure[];
  /** The last row of each record that was joined of several, by its first row. */
  readonly joined: ReadonlyMap<number, number>;
}

/** Reads the records that the decoder of a source refused: any line may have a form of its own. */
export interface RefusedReader {
  /** Completes the result of a batch, which keeps the records that no decoder took. */
  complete(input: MessageBatch, result: SandboxResult): Promise<CompletedResult>;
  stop(): Promise<void>;
}

/** The messages of a batch, and the records that no decoder took, in the order of the input. */
export function completedBatch(input: MessageBatch, { result, others, refused, joined }: CompletedResult): DecodedBatch {
  const batch = result.injected ?? takeRows(input, new Uint32Array(0));
  const { origins, unchanged } = result;
  const raw = withJoined(textOfRows(input.payload, origins), { column: input.payload, origins, joined });
  const failures = placed(refused, origins);
  const isRefused = new Set(failures.map(({ row }) => row));
  const rows = Uint32Array.from({ length: batch.length }, (_, row) => row).filter((row) => !isRefused.has(row));
  const decoded = failures.length === 0 ? batch : takeRows(batch, rows);
  return { batch, decoded, raw, failures, origins, undecoded: 0, unchanged, others: rowsOf(batch, others, origins), marksUndated: true };
}

/** The rows of a batch that came of some rows of the input. */
function rowsOf({ length }: MessageBatch, records: ReadonlySet<number>, origins: Uint32Array | null): number[] {
  if (records.size === 0) return [];
  return Array.from({ length }, (_, row) => row).filter((row) => records.has(origins === null ? row : (origins[row] as number)));
}

/** The refused records by their rows in the batch. Messages that a decoder made of a record before it refused that stand before. */
function placed(refused: readonly Failure[], origins: Uint32Array | null): Failure[] {
  if (origins === null) return [...refused];
  const rows = new Map(Array.from(origins, (origin, row) => [origin, row]));
  return refused.map(({ row, reason }) => ({ row: rows.get(row) as number, reason }));
}

interface Joined {
  readonly column: TextColumn | null;
  readonly origins: Uint32Array | null;
  readonly joined: ReadonlyMap<number, number>;
}

/** The texts of joined records reach to the end of the last one. */
function withJoined(raw: TextColumn | null, { column, origins, joined }: Joined): TextColumn | null {
  if (raw === null || column === null || column.constant !== undefined || raw.constant !== undefined || joined.size === 0) return raw;
  const ends = raw.ends.slice();
  for (let row = 0; row < ends.length; row++) {
    const last = joined.get(origins === null ? row : (origins[row] as number));
    if (last !== undefined) ends[row] = column.ends[entryOf(column.rows, last)] as number;
  }
  return { ...raw, ends };
}
