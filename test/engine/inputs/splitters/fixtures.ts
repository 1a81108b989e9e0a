import { RecordStream } from '../../../../engine/inputs/record-stream.ts';
import { makeSplitter, type SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import type { Outlook } from '../../../../engine/inputs/splitter.ts';
import type { Piece } from '../../../../engine/inputs/pieces.ts';

export const LINE: SplitOptions = { kind: 'line' };
export const NONE: SplitOptions = { kind: 'none' };
export const JSON_VALUES: SplitOptions = { kind: 'json' };
export const OCTETS: SplitOptions = { kind: 'octets' };
export const CSV: SplitOptions = { kind: 'csv', delimiter: ',' };
export const regex = (pattern: string, delimiterEol = true): SplitOptions => ({ kind: 'regex', pattern, delimiterEol });

export function textsOf(piece: Piece): string[] {
  return Array.from({ length: piece.count }, (_, i) => piece.payload.text.slice(piece.payload.starts[i], piece.payload.ends[i]));
}

/** All records of a stream that comes in chunks, and its end. */
export function splitChunks(
  split: SplitOptions,
  chunks: readonly (string | Uint8Array)[],
  last: Outlook = 'end',
  maxRecord?: number,
): string[] {
  const stream = new RecordStream(makeSplitter(split, maxRecord));
  const records: string[] = [];
  for (const chunk of chunks) for (const { piece } of stream.push(Buffer.from(chunk), 'more')) records.push(...textsOf(piece));
  for (const { piece } of stream.push(Buffer.alloc(0), last)) records.push(...textsOf(piece));
  return records;
}

/** A text in pieces of these sizes, and the rest. */
export function chunksOf(text: string | Buffer, sizes: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) chunks.push(bytes.subarray(at, (at += size)));
  return chunks;
}
