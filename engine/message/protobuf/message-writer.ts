import { OPTIONAL_HEADERS, type Header } from '../../api/headers.ts';
import type { ProtoWriter } from './proto-writer.ts';
import { headerValues, ValueType, type Field, type Message } from '../types.ts';

/** Keys of the wire: field number << 3 | wire type. */
export const MessageKey = {
  uuid: 0x0a,
  timestamp: 0x10,
  field: 0x52,
  name: 0x0a,
  valueType: 0x10,
  representation: 0x1a,
  string: 0x22,
  bytes: 0x2a,
  integer: 0x30,
  integers: 0x32,
  double: 0x39,
  doubles: 0x3a,
  bool: 0x40,
  bools: 0x42,
} as const;

/** The key of a header on the wire. */
export const keyOf = ({ kind, tag }: Pick<Header, 'kind' | 'tag'>): number => (tag << 3) | (kind === 'text' ? 2 : 0);

const HEADER_KEYS = OPTIONAL_HEADERS.map(keyOf);

/** Encodings in which the writers of this format differ; readers understand both. */
export interface WriterRules {
  /** Write the value type also for strings, whose type is the default. */
  readonly stringType: boolean;
  /** Write a single number or bool as a packed list too. */
  readonly alwaysPacked: boolean;
}

/** Writes a message in ascending order of its tags. Headers and representations that are not set are not written. */
export function writeMessage(writer: ProtoWriter, message: Message, rules: WriterRules): void {
  writer.key(MessageKey.uuid);
  writer.bytes(message.uuid);
  writer.key(MessageKey.timestamp);
  writer.int64(message.timestamp);
  const values = headerValues(message);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === undefined) continue;
    writer.key(HEADER_KEYS[i] as number);
    if (typeof value === 'string') writer.text(value);
    else writer.int32(value);
  }
  for (const field of message.fields) {
    writer.key(MessageKey.field);
    const opened = writer.open();
    writeField(writer, field, rules);
    writer.close(opened);
  }
}

function writeField(writer: ProtoWriter, field: Field, rules: WriterRules): void {
  writer.key(MessageKey.name);
  writer.text(field.name);
  if (rules.stringType || field.valueType !== ValueType.STRING) {
    writer.key(MessageKey.valueType);
    writer.int32(field.valueType);
  }
  writeText(writer, MessageKey.representation, field.representation);
  if (field.values.length === 0) return;
  const packed = rules.alwaysPacked || field.values.length > 1;
  switch (field.valueType) {
    case ValueType.STRING:
      for (const value of field.values) writeText(writer, MessageKey.string, value);
      return;
    case ValueType.BYTES:
      for (const value of field.values) {
        writer.key(MessageKey.bytes);
        writer.bytes(value);
      }
      return;
    case ValueType.INTEGER: {
      const opened = openValues(writer, packed, MessageKey.integer, MessageKey.integers);
      for (const value of field.values) writer.int64(value);
      closeValues(writer, opened);
      return;
    }
    case ValueType.DOUBLE: {
      const opened = openValues(writer, packed, MessageKey.double, MessageKey.doubles);
      for (const value of field.values) writer.double(value);
      closeValues(writer, opened);
      return;
    }
    case ValueType.BOOL: {
      const opened = openValues(writer, packed, MessageKey.bool, MessageKey.bools);
      for (const value of field.values) writer.bool(value);
      closeValues(writer, opened);
      return;
    }
  }
}

const NOT_OPENED = -1;

function openValues(writer: ProtoWriter, packed: boolean, single: number, list: number): number {
  writer.key(packed ? list : single);
  return packed ? writer.open() : NOT_OPENED;
}

function closeValues(writer: ProtoWriter, opened: number): void {
  if (opened !== NOT_OPENED) writer.close(opened);
}

function writeText(writer: ProtoWriter, key: number, value: string | undefined): void {
  if (value === undefined) return;
  writer.key(key);
  writer.text(value);
}
