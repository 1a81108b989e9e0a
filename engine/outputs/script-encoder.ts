import type { MessageBatch } from '../message/batch.ts';
import { messagesOf } from '../message/row-index.ts';
import type { EncodedRows, Failure, Sandbox, Termination } from '../sandbox/types.ts';

/** The output for one message. */
export interface EncodedPiece {
  readonly row: number;
  readonly bytes: Uint8Array;
}

/** The output of an encoder for rows of a batch. Rows that occur neither in `pieces` nor in `failures` have none. */
export interface EncodedBatch {
  /** Ascending by row. */
  readonly pieces: readonly EncodedPiece[];
  readonly failures: readonly Failure[];
  readonly terminated: Termination | null;
}

/**
 * Encodes rows (ascending; null: all) with a script. The output of a message that the script leaves alone is the message itself as protobuf,
 * without framing. Rejects when the sandbox has ended before.
 */
export async function encodeWithScript(sandbox: Sandbox, batch: MessageBatch, rows: Uint32Array | null): Promise<EncodedBatch> {
  const { encoded, passed, failures, terminated } = await sandbox.process(batch, rows);
  const made = piecesOf(encoded ?? null);
  if (passed === undefined || passed.length === 0) return { pieces: made, failures, terminated };
  const { encodeMessage } = await import('../message/protobuf.ts');
  const left = Array.from(messagesOf(batch, passed), (message, i) => ({ row: passed[i] as number, bytes: encodeMessage(message) }));
  return { pieces: [...made, ...left].sort((a, b) => a.row - b.row), failures, terminated };
}

function piecesOf(encoded: EncodedRows | null): EncodedPiece[] {
  if (encoded === null) return [];
  const { rows, ends, bytes } = encoded;
  return Array.from(rows, (row, i) => ({ row, bytes: bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]) }));
}
