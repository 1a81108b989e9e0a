import { BOOL, BYTES, DOUBLE, INTEGER, STRING, type RowField, type RowMessage } from './row-message.ts';
import { utf8Length, writeUtf8 } from './utf8.ts';

/**
 * The wire form of a message (public Heka protobuf, proto2). Numbers and bools are packed, also single ones, and value_type is written for
 * every field; in table form single values are not packed and value_type is left out for strings.
 */
export function encodeMessage(message: RowMessage, tableForm = false): Uint8Array {
  const writer = new Writer();
  writer.bytesField(1, message.uuid ?? new Uint8Array(16));
  writer.tag(2, 0);
  writer.varint64(message.timestamp);
  if (message.type !== null) writer.textField(3, message.type);
  if (message.logger !== null) writer.textField(4, message.logger);
  if (message.severity !== null) writer.intField(5, message.severity);
  if (message.payload !== null) writer.textField(6, message.payload);
  if (message.envVersion !== null) writer.textField(7, message.envVersion);
  if (message.pid !== null) writer.intField(8, message.pid);
  if (message.hostname !== null) writer.textField(9, message.hostname);
  for (let i = 0; i < message.fields.length; i++) writer.bytesField(10, encodeField(message.fields[i] as RowField, tableForm));
  return writer.finish();
}

function encodeField(field: RowField, tableForm: boolean): Uint8Array {
  const writer = new Writer();
  writer.textField(1, field.name);
  if (!tableForm || field.type !== STRING) {
    writer.tag(2, 0);
    writer.varint(field.type);
  }
  if (field.representation !== null) writer.textField(3, field.representation);
  const { values } = field;
  if (field.type === STRING) {
    for (let i = 0; i < values.length; i++) writer.textField(4, values[i] as string);
  } else if (field.type === BYTES) {
    for (let i = 0; i < values.length; i++) writer.bytesField(5, values[i] as Uint8Array);
  } else if (tableForm && values.length === 1) {
    writer.tag(field.type + 4, field.type === DOUBLE ? 1 : 0);
    writeNumber(writer, field, 0);
  } else if (values.length > 0) {
    const packed = new Writer();
    for (let i = 0; i < values.length; i++) writeNumber(packed, field, i);
    writer.bytesField(field.type + 4, packed.finish());
  }
  return writer.finish();
}

function writeNumber(writer: Writer, field: RowField, index: number): void {
  const value = field.values[index];
  if (field.type === INTEGER) writer.varint64(value as bigint);
  else if (field.type === BOOL) writer.varint(value as number);
  else writer.double(value as number);
}

const doubleBytes = new Uint8Array(8);
const doubleValue = new Float64Array(doubleBytes.buffer);

class Writer {
  bytes = new Uint8Array(256);
  length = 0;

  room(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    let capacity = this.bytes.length * 2;
    while (capacity < this.length + count) capacity *= 2;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes);
    this.bytes = bytes;
  }

  finish(): Uint8Array {
    const bytes = new Uint8Array(this.length);
    for (let i = 0; i < this.length; i++) bytes[i] = this.bytes[i] as number;
    return bytes;
  }

  varint(value: number): void {
    this.room(10);
    while (value > 127) {
      this.bytes[this.length++] = (value & 127) | 128;
      value = (value - (value & 127)) / 128;
    }
    this.bytes[this.length++] = value;
  }

  varint64(value: bigint): void {
    this.room(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.bytes[this.length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.bytes[this.length++] = Number(rest);
  }

  tag(number: number, wireType: number): void {
    this.varint((number << 3) | wireType);
  }

  /** An int32; negative ones take ten bytes. */
  intField(number: number, value: number): void {
    this.tag(number, 0);
    if (value < 0) this.varint64(BigInt(value));
    else this.varint(value);
  }

  textField(number: number, text: string): void {
    const size = utf8Length(text);
    this.tag(number, 2);
    this.varint(size);
    this.room(size);
    this.length = writeUtf8(text, this.bytes, this.length);
  }

  bytesField(number: number, bytes: Uint8Array): void {
    this.tag(number, 2);
    this.varint(bytes.length);
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  double(value: number): void {
    this.room(8);
    doubleValue[0] = value;
    this.bytes.set(doubleBytes, this.length);
    this.length += 8;
  }
}
