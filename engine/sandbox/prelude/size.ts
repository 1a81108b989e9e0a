import { BYTES, DOUBLE, INTEGER, STRING, type RowField, type RowMessage } from './row-message.ts';
import { utf8Length } from '../../message/utf8.ts';

/** How many bytes a message takes on the wire in table form (see protobuf-encode.ts), without making them. */
export function encodedSize(message: RowMessage): number {
  let size = 18 + 1 + bigSize(message.timestamp);
  size +=
    textSize(message.type) +
    textSize(message.logger) +
    textSize(message.payload) +
    textSize(message.envVersion) +
    textSize(message.hostname);
  size += intSize(message.severity) + intSize(message.pid);
  for (let i = 0; i < message.fields.length; i++) size += nested(fieldSize(message.fields[i] as RowField));
  return size;
}

const nested = (size: number): number => 1 + lengthSize(size) + size;

function lengthSize(size: number): number {
  let bytes = 1;
  for (; size > 127; size = (size - (size & 127)) / 128) bytes++;
  return bytes;
}

function bigSize(value: bigint): number {
  if (value < 0n) return 10;
  let bytes = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes++;
  return bytes;
}

const textSize = (text: string | null): number => (text === null ? 0 : nested(utf8Length(text)));
const intSize = (value: number | null): number => (value === null ? 0 : 1 + (value < 0 ? 10 : lengthSize(value)));

function fieldSize(field: RowField): number {
  const { type, values } = field;
  let size = textSize(field.name) + textSize(field.representation) + (type === STRING ? 0 : 2);
  let numbers = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (type === STRING) size += textSize(value as string);
    else if (type === BYTES) size += nested((value as Uint8Array).length);
    else if (type === INTEGER) numbers += bigSize(value as bigint);
    else numbers += type === DOUBLE ? 8 : 1;
  }
  if (values.length === 0 || type === STRING || type === BYTES) return size;
  return size + (values.length === 1 ? 1 + numbers : nested(numbers));
}
