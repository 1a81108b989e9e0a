import type { TextSource } from '../inputs/shared/read.ts';
import { textAt } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import { recordsAsWritten } from '../pipeline/written.ts';
import { HEAD_LENGTH } from './forms/head.ts';

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
  for await (const records of source.headLines(HEAD_BYTES)) {
    const { payload, timestamps, length } = recordsAsWritten(records);
    for (let row = 0; row < length && text.length <= HEAD_LENGTH; row++) {
      text += `${textAt(payload, row) ?? ''}\n`;
      writtenNs = timestamps[row] as bigint;
    }
    if (text.length > HEAD_LENGTH) break;
  }
  return { text, writtenNs };
}
