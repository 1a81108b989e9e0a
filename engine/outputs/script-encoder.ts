import type { MessageBatch } from '../message/batch/batch.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import { messagesOf } from '../message/batch/row-index.ts';
import type { Failure, Processor, Termination } from '../sandbox/contract/types.ts';

/** The output of an encoder for rows of a batch. Rows that occur neither in `rows` nor in `failures` have none. */
export interface EncodedBatch {
  readonly pieces: PackedPieces;
  /** The row of each piece, ascending. */
  readonly rows: Uint32Array;
  readonly failures: readonly Failure[];
  readonly terminated: Termination | null;
}

export const NO_OUTPUT = { pieces: new PackedPieces(new Uint8Array(0), new Uint32Array(0)), rows: new Uint32Array(0) };

/**
 * Encodes rows (ascending; null: all) with a script. The output of a message that the script leaves alone is the message itself as protobuf,
 * without framing. Rejects when the sandbox has ended before.
 */
export async function encodeWithScript(script: Processor, batch: MessageBatch, rows: Uint32Array | null): Promise<EncodedBatch> {
  const { encoded, passed, failures, terminated } = await script.process(batch, rows);
  const made = encoded ? { pieces: new PackedPieces(encoded.bytes, encoded.ends), rows: encoded.rows } : NO_OUTPUT;
  if (passed === undefined || passed.length === 0) return { ...made, failures, terminated };
  const { encodeMessage } = await import('../message/protobuf/protobuf.ts');
  const left = Array.from(messagesOf(batch, passed), (message, i) => ({ row: passed[i] as number, bytes: encodeMessage(message) }));
  const all = [...Array.from(made.pieces, (bytes, i) => ({ row: made.rows[i] as number, bytes })), ...left];
  return { ...packed(all.sort((a, b) => a.row - b.row)), failures, terminated };
}

function packed(outputs: readonly { readonly row: number; readonly bytes: Uint8Array }[]): Pick<EncodedBatch, 'pieces' | 'rows'> {
  let end = 0;
  const ends = Uint32Array.from(outputs, ({ bytes }) => (end += bytes.length));
  const bytes = Buffer.concat(outputs.map((output) => output.bytes));
  return { pieces: new PackedPieces(bytes, ends), rows: Uint32Array.from(outputs, ({ row }) => row) };
}
