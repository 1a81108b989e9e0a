import type { MessageBatch } from '../batch/batch.ts';
import { messagesOf } from '../batch/row-index.ts';
import { ValueType, type Field, type Message } from '../types.ts';
import { int32Size, int64Size, nestedSize } from './varint.ts';

/** The total length of a batch's messages as `encodeMessage` would write them, computed without writing. */
export function encodedBytes(batch: MessageBatch): number {
  let bytes = 0;
  for (const message of messagesOf(batch)) bytes += encodedLength(message);
  return bytes;
}

/** The length of a message as `encodeMessage` encodes it. */
export function encodedLength({ uuid, timestamp, type, logger, severity, payload, envVersion, pid, hostname, fields }: Message): number {
  let bytes = nestedSize(uuid.length) + 1 + int64Size(timestamp);
  bytes += textSize(type) + textSize(logger) + textSize(payload) + textSize(envVersion) + textSize(hostname);
  bytes += intSize(severity) + intSize(pid);
  for (const field of fields) bytes += nestedSize(fieldSize(field));
  return bytes;
}

const textSize = (text: string | undefined): number => (text === undefined ? 0 : nestedSize(Buffer.byteLength(text)));
const intSize = (value: number | undefined): number => (value === undefined ? 0 : 1 + int32Size(value));

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
