import { BYTES, DOUBLE, INTEGER, STRING, type RowField, type RowMessage } from './reading/row-message.ts';
import { utf8Length } from '../../message/utf8.ts';
import { int32Size, int64Size, nestedSize } from '../../message/protobuf/varint.ts';

/** Length in code units above which a text is not scanned, but counted as if it were ASCII. */
let longest = Infinity;

/** Largest number of UTF-8 bytes for one code unit. */
const MAX_UNIT_BYTES = 3;

/** Like `encodedSize`, but counts texts as ASCII when the message is far below the limit: scanning them takes as long as all the rest. */
export function sizeBelow(message: RowMessage, limit: number): number {
  const least = encodedSize(message, -1);
  return least * MAX_UNIT_BYTES < limit || limit === Infinity ? least : encodedSize(message, limit);
}

/**
 * Computes the encoded size of a message in table form (see script-protobuf.ts), in bytes, without encoding it.
 * @param limit texts of more code units are not scanned: the message is too large anyway
 */
export function encodedSize(message: RowMessage, limit = Infinity): number {
  longest = limit;
  let size = 18 + 1 + int64Size(message.timestamp);
  for (let i = 0; i < message.headers.length; i++) {
    const value = message.headers[i];
    if (typeof value === 'string') size += textSize(value);
    else if (value !== undefined) size += 1 + int32Size(value);
  }
  for (let i = 0; i < message.fields.length; i++) size += nestedSize(fieldSize(message.fields[i] as RowField));
  return size;
}

function textSize(text: string | null): number {
  if (text === null) return 0;
  return nestedSize(text.length > longest ? text.length : utf8Length(text));
}

function fieldSize(field: RowField): number {
  const { type, values } = field;
  let size = textSize(field.name) + textSize(field.representation) + (type === STRING ? 0 : 2);
  let numbers = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (type === STRING) size += textSize(value as string);
    else if (type === BYTES) size += nestedSize((value as Uint8Array).length);
    else if (type === INTEGER) numbers += int64Size(value as bigint);
    else numbers += type === DOUBLE ? 8 : 1;
  }
  if (values.length === 0 || type === STRING || type === BYTES) return size;
  return size + (values.length === 1 ? 1 + numbers : nestedSize(numbers));
}
