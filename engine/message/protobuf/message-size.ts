import type { MessageBatch } from '../batch/batch.ts';
import { messagesOf } from '../batch/row-index.ts';
import { headerValues, ValueType, type Field, type Message } from '../types.ts';
import { int32Size, int64Size, nestedSize } from './varint.ts';

/** The total length of a batch's messages as `encodeMessage` would write them, computed without writing. */
export function encodedBytes(batch: MessageBatch): number {
  let bytes = 0;
  for (const message of messagesOf(batch)) bytes += encodedLength(message);
  return bytes;
}

/** The length of a message as `encodeMessage` encodes it. */
export function encodedLength(message: Message): number {
  let bytes = nestedSize(message.uuid.length) + 1 + int64Size(message.timestamp);
  for (const value of headerValues(message)) bytes += typeof value === 'number' ? 1 + int32Size(value) : textSize(value);
  for (const field of message.fields) bytes += nestedSize(fieldSize(field));
  return bytes;
}

const textSize = (text: string | undefined): number => (text === undefined ? 0 : nestedSize(Buffer.byteLength(text)));

function fieldSize(field: Field): number {
  const head = textSize(field.name) + 2 + textSize(field.representation);
  return field.values.length === 0 ? head : head + valuesSize(field);
}

function valuesSize({ valueType, values }: Field): number {
  let bytes = 0;
  switch (valueType) {
    case ValueType.STRING:
      for (const value of values) bytes += textSize(value);
      return bytes;
    case ValueType.BYTES:
      for (const value of values) bytes += nestedSize(value.length);
      return bytes;
    case ValueType.INTEGER:
      for (const value of values) bytes += int64Size(value);
      return nestedSize(bytes);
    case ValueType.DOUBLE:
      return nestedSize(values.length * 8);
    case ValueType.BOOL:
      return nestedSize(values.length);
  }
}
