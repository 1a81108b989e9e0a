import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { fieldAt } from '../../message/batch/batch.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { DecodedSource } from '../file-decoders.ts';
import type { InputChunk } from '../message-source.ts';
import { rowsOf } from '../search/matched-chunks.ts';
import type { PlainFile } from './plain-file.ts';

/** Ways of cutting of which any record shows where it begins. */
const CUT_ANYWHERE: ReadonlySet<SplitOptions['kind']> = new Set(['line', 'regex']);

/** Whether the records of a file can be told from any place of it. */
export const canBeCut = (decoder: DecodedSource['decoder']): boolean =>
  decoder === null || (decoder[0].meta?.stateless === true && CUT_ANYWHERE.has(decoderSplit(...decoder).kind));

/** The records from a place on; the first may be torn unless each line is one. */
export async function* wholeRecords(chunks: AsyncIterable<InputChunk>, decoder: DecodedSource['decoder']): AsyncGenerator<InputChunk> {
  let isTorn = decoder !== null && decoderSplit(...decoder).kind !== 'line';
  for await (const chunk of chunks) {
    if (isTorn && chunk.batch.length > 0) {
      isTorn = false;
      const rows = Uint32Array.from({ length: chunk.batch.length - 1 }, (_, at) => at + 1);
      if (rows.length > 0) yield rowsOf(chunk, rows);
    } else yield chunk;
  }
}

/** Bytes within which a time is looked for record by record. */
const NEAR_BYTES = 256 << 10;
const PROBED_BYTES = 64 << 10;

/** The time of the first record from a byte on that tells one; null: none does. */
export type TimeAt = (at: number, bytes: number) => Promise<bigint | null>;

/** A byte in front of all records from a time on, if the file is in order of time; otherwise its first. */
export async function placeOf(time: bigint, { first, size }: Pick<PlainFile, 'first' | 'size'>, timeAt: TimeAt): Promise<number> {
  let [from, to] = [first, size];
  let earliest = await timeAt(first, PROBED_BYTES);
  let latest = size - first > PROBED_BYTES ? await timeAt(size - PROBED_BYTES, PROBED_BYTES) : null;
  if (earliest === null || (latest !== null && latest < earliest)) return first;
  while (to - from > NEAR_BYTES) {
    const middle = Math.floor((from + to) / 2);
    const found = await timeAt(middle, PROBED_BYTES);
    // A time that is not between its neighbours is not in order.
    if (found === null || found < earliest || (latest !== null && found > latest)) return first;
    if (found < time) [from, earliest] = [middle, found];
    else [to, latest] = [middle, found];
  }
  return from;
}

/** The time of the first of some messages that has one of its own. */
export function firstTime(batch: MessageBatch | null): bigint | null {
  if (batch === null) return null;
  const undated = batch.fields.find(({ name }) => name === 'undated');
  for (let row = 0; row < batch.length; row++)
    if (undated === undefined || fieldAt(undated, row) === undefined) return batch.timestamps[row] as bigint;
  return null;
}
