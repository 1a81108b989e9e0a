import { BYTES, DOUBLE, INTEGER, STRING, type RowField, type RowMessage } from './row-message.ts';
import { utf8Length } from '../../message/utf8.ts';
import { int32Size, int64Size, nestedSize } from '../../message/varint.ts';

/** Texts of more units are not gone through; they count as if they were ASCII. */
let longest = Infinity;

/** A code unit takes at most so many bytes. */
const MOST_BYTES = 3;

/** As `encodedSize`, but as if texts were ASCII when the message is far below the limit: going through them takes as long as all the rest. */
export function sizeBelow(message: RowMessage, limit: number): number {
  const least = encodedSize(message, -1);
  return least * MOST_BYTES < limit || limit === Infinity ? least : encodedSize(message, limit);
}

/**
 * How many bytes a message takes on the wire in table form (see protobuf-encode.ts), without making them.
 * @param limit a message with a text of more units than this is too large anyway: then it is enough to know that
 */
export function encodedSize(message: RowMessage, limit = Infinity): number {
  longest = limit;
  let size = 18 + 1 + int64Size(message.timestamp);
  size +=
    textSize(message.type) +
    textSize(message.logger) +
    textSize(message.payload) +
    textSize(message.envVersion) +
    textSize(message.hostname);
  size += intSize(message.severity) + intSize(message.pid);
  for (let i = 0; i < message.fields.length; i++) size += nestedSize(fieldSize(message.fields[i] as RowField));
  return size;
}

function textSize(text: string | null): number {
  if (text === null) return 0;
  return nestedSize(text.length > longest ? text.length : utf8Length(text));
}

const intSize = (value: number | null): number => (value === null ? 0 : 1 + int32Size(value));

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
