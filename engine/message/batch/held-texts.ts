import { COLUMN_ORDER } from '../../api/headers.ts';
import type { LatinText } from '../latin-text.ts';
import { ValueType } from '../types.ts';
import type { MessageBatch } from './batch.ts';

/** Keeps the texts of a batch as they are until they are released. */
export function holdTexts(batch: MessageBatch): void {
  for (const text of textsOf(batch)) text.hold();
}

/** Releases the texts of a batch that were held. */
export function releaseTexts(batch: MessageBatch): void {
  for (const text of textsOf(batch)) text.release();
}

function textsOf(batch: MessageBatch): Set<LatinText> {
  const texts = new Set<LatinText>();
  for (const { member } of COLUMN_ORDER) {
    const column = batch[member];
    if (column !== null && 'latin' in column && column.latin !== undefined) texts.add(column.latin);
  }
  for (const column of batch.fields) {
    if (column.valueType === ValueType.STRING && column.values.latin !== undefined) texts.add(column.values.latin);
  }
  return texts;
}
