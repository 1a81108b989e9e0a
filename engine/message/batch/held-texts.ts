import { COLUMN_ORDER, TEXTS, type TextHeader } from '../../api/headers.ts';
import { textHeader, type LatinText } from '../latin-text.ts';
import { ValueType } from '../types.ts';
import type { MessageBatch } from './batch.ts';
import type { TextColumn } from './columns.ts';

/** Keeps the texts of a batch as they are until they are released. */
export function holdTexts(batch: MessageBatch): void {
  for (const text of textsOf(batch)) text.hold();
}

/** Releases the texts of a batch that were held. */
export function releaseTexts(batch: MessageBatch): void {
  for (const text of textsOf(batch)) text.release();
}

/** The batch with its texts made: it can be kept for as long as anybody likes. */
export function withMadeTexts(batch: MessageBatch): MessageBatch {
  if (textsOf(batch).size === 0) return batch;
  const headers: { -readonly [H in TextHeader]?: TextColumn } = {};
  for (const { member } of TEXTS) {
    const column = batch[member];
    if (column !== null && column.constant === undefined && column.latin !== undefined)
      headers[member] = textHeader(column.rows, column.text, column.starts, column.ends);
  }
  const fields = batch.fields.map((column) => {
    if (column.valueType !== ValueType.STRING || column.values.latin === undefined) return column;
    const { text, starts, ends } = column.values;
    return { ...column, values: { text, starts, ends } };
  });
  return batch.with({ ...headers, fields });
}

/** Whether a batch has texts that may be given back. */
export const hasHeldTexts = (batch: MessageBatch): boolean => textsOf(batch).size > 0;

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
