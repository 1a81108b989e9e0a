import type { MessageBatch } from '../../message/batch/batch.ts';
import { NO_CODE } from './block-counts.ts';
import { TextCodes } from './text-codes.ts';

/** Share of the records from which on their type is that of the stream. */
const NEARLY_ALL = 0.9;
/** Types that are told apart. */
const MOST_TYPES = 64;

/**
 * The sides of some rows without those of another type than nearly all of them: lines of another log among them have times of their own.
 * @returns the same where there are none
 */
export function ofMainType(sides: Uint8Array, { type, length }: MessageBatch, from: number, to: number): Uint8Array {
  if (type === null || type.constant !== undefined) return sides;
  const [types, codes, of] = [new TextCodes(), new Uint16Array(type.starts.length), new Uint16Array(length).fill(NO_CODE)];
  types.fill(type, codes.length, null, codes, MOST_TYPES, 1);
  for (let i = 0; i < codes.length; i++) of[type.rows === null ? i : (type.rows[i] as number)] = codes[i] as number;
  const counts = new Uint32Array(MOST_TYPES);
  for (let row = from; row < to; row++) if (of[row] !== NO_CODE) counts[of[row] as number] = (counts[of[row] as number] as number) + 1;
  const most = Math.max(...counts);
  if (most < NEARLY_ALL * (to - from) || most === to - from) return sides;
  const main = counts.indexOf(most);
  const own = sides.slice();
  for (let row = from; row < to; row++) if (of[row] !== main) own[row] = 0;
  return own;
}
