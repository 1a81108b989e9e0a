import type { TextSource } from '../inputs/shared/read.ts';
import { textAt } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import { recordsAsWritten } from '../pipeline/written.ts';
import { FEWEST_LINES, HEAD_LENGTH, LONGEST_HEAD } from './forms/head.ts';

/** The beginning of a source, by which its decoder is recognised. */
export interface SourceHead {
  readonly text: string;
  /** Nanoseconds since 1970, not long after which it was written. */
  readonly writtenNs: bigint;
}

/** Bytes that hold a little more than a detection looks at, also of a text beyond ASCII. */
const HEAD_BYTES = 2 * HEAD_LENGTH;

/** Returns the first lines of a source, which stays unread. @throws {InputError} when it cannot be read */
export async function sourceHead(source: TextSource): Promise<SourceHead> {
  let text = '';
  let writtenNs = nowNs();
  let rows = 0;
  const isEnough = (): boolean => text.length > HEAD_LENGTH && rows >= FEWEST_LINES;
  for await (const records of source.headLines({ bytes: HEAD_BYTES, lines: FEWEST_LINES, most: LONGEST_HEAD })) {
    const { payload, timestamps, length } = recordsAsWritten(records);
    for (let row = 0; row < length && !isEnough(); row++, rows++) {
      text += `${textAt(payload, row) ?? ''}\n`;
      writtenNs = timestamps[row] as bigint;
    }
    if (isEnough()) break;
  }
  return { text, writtenNs };
}
