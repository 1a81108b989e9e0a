import { ALL_HEADERS, OPTIONAL_HEADERS, type Header } from '../../api/headers.ts';
import { MessageDecodeError, WireType, type ProtoReader } from './proto-reader.ts';
import { headerValues, messageOf, ValueType, type Field, type HeaderValues, type Message } from '../types.ts';

/** The headers of a message that were on the wire. */
export interface WireMessage {
  uuid: Uint8Array | undefined;
  timestamp: bigint | undefined;
  readonly values: HeaderValues;
}

/** A field as it was on the wire; lists that did not occur are null. */
export interface WireField {
  name: string;
  /** undefined when it was not there. */
  valueType: number | undefined;
  representation: string | undefined;
  strings: string[] | null;
  bytes: Uint8Array[] | null;
  integers: bigint[] | null;
  doubles: number[] | null;
  bools: boolean[] | null;
}

/** Treatment of fields that the schema does not have, or has with another wire type. */
export type UnknownPolicy = 'skip' | 'refuse';

/**
 * Reads a message. The last one of a repeated header counts. `onField` gets every field; its object is used again for
 * the next one.
 */
export function readMessage(reader: ProtoReader, unknown: UnknownPolicy, onField: (field: WireField) => void): WireMessage {
  const message: WireMessage = { uuid: undefined, timestamp: undefined, values: headerValues({}) };
  while (reader.next()) {
    const header = HEADERS_BY_TAG[reader.tag];
    const wireType = reader.tag === FIELDS_TAG ? WireType.LENGTH : header?.wireType;
    if (wireType !== reader.wireType) leaveOut(reader, unknown, wireType !== undefined);
    else if (header === undefined) onField(readField(reader, unknown));
    else readHeader(reader, header, message);
  }
  return message;
}

/** Number of the dynamic fields. */
const FIELDS_TAG = 10;

interface WireHeader {
  readonly kind: Header['kind'];
  readonly wireType: number;
  /** Its place among `HeaderValues`. */
  readonly place: number;
}

const HEADERS_BY_TAG: (WireHeader | undefined)[] = [];
for (const { kind, member, tag } of ALL_HEADERS) {
  const wireType = kind === 'int' || kind === 'time' ? WireType.VARINT : WireType.LENGTH;
  HEADERS_BY_TAG[tag] = { kind, wireType, place: OPTIONAL_HEADERS.findIndex((header) => header.member === member) };
}

function readHeader(reader: ProtoReader, header: WireHeader, message: WireMessage): void {
  switch (header.kind) {
    case 'uuid':
      message.uuid = reader.bytes();
      if (message.uuid.length !== 16) throw reader.error(`a uuid of ${message.uuid.length} bytes instead of 16`);
      break;
    case 'time':
      message.timestamp = reader.int64();
      break;
    case 'text':
      message.values[header.place] = reader.text();
      break;
    case 'int':
      message.values[header.place] = reader.int32();
      break;
  }
}

function leaveOut(reader: ProtoReader, unknown: UnknownPolicy, known: boolean): void {
  if (unknown === 'refuse') throw reader.error(known ? 'wrong wire type' : 'unknown tag');
  reader.skip();
}

const scratch: WireField = {
  name: '',
  valueType: undefined,
  representation: undefined,
  strings: null,
  bytes: null,
  integers: null,
  doubles: null,
  bools: null,
};

function readField(reader: ProtoReader, unknown: UnknownPolicy): WireField {
  let name: string | null = null;
  const field = scratch;
  field.valueType = undefined;
  field.representation = undefined;
  field.strings = field.bytes = field.integers = field.doubles = field.bools = null;
  const { tagOffset } = reader;
  const outer = reader.enter();
  while (reader.next()) {
    if (reader.tag === 1 && reader.wireType === WireType.LENGTH) name = reader.text();
    else if (!readFieldPart(reader, field)) leaveOut(reader, unknown, reader.tag <= 8);
  }
  reader.leave(outer);
  if (name === null) throw new MessageDecodeError('field without a name', FIELDS_TAG, WireType.LENGTH, tagOffset);
  field.name = name;
  return field;
}

/** Returns false, with nothing read, for an unknown tag or another wire type than the schema's. */
function readFieldPart(reader: ProtoReader, field: WireField): boolean {
  const packed = reader.wireType === WireType.LENGTH;
  switch (reader.tag) {
    case 2:
      if (reader.wireType !== WireType.VARINT) return false;
      field.valueType = reader.int32();
      return true;
    case 3:
      if (!packed) return false;
      field.representation = reader.text();
      return true;
    case 4:
      if (!packed) return false;
      (field.strings ??= []).push(reader.text());
      return true;
    case 5:
      if (!packed) return false;
      (field.bytes ??= []).push(reader.bytes());
      return true;
    case 6:
      return readIntegers(reader, packed, (field.integers ??= []));
    case 7:
      return readDoubles(reader, packed, (field.doubles ??= []));
    case 8:
      return readBools(reader, packed, (field.bools ??= []));
    default:
      return false;
  }
}

function readIntegers(reader: ProtoReader, packed: boolean, into: bigint[]): boolean {
  if (packed) {
    const outer = reader.enter();
    while (reader.more) into.push(reader.int64());
    reader.leave(outer);
    return true;
  }
  if (reader.wireType !== WireType.VARINT) return false;
  into.push(reader.int64());
  return true;
}

function readDoubles(reader: ProtoReader, packed: boolean, into: number[]): boolean {
  if (packed) {
    const outer = reader.enter();
    while (reader.more) into.push(reader.double());
    reader.leave(outer);
    return true;
  }
  if (reader.wireType !== WireType.FIXED64) return false;
  into.push(reader.double());
  return true;
}

function readBools(reader: ProtoReader, packed: boolean, into: boolean[]): boolean {
  if (packed) {
    const outer = reader.enter();
    while (reader.more) into.push(reader.bool());
    reader.leave(outer);
    return true;
  }
  if (reader.wireType !== WireType.VARINT) return false;
  into.push(reader.bool());
  return true;
}

/** The field as the message model has it. A value type that does not exist counts as not given (proto2, closed enums). */
function fieldOf(wire: WireField): Field {
  const { name, representation } = wire;
  switch (wire.valueType) {
    case ValueType.BYTES:
      return { name, valueType: ValueType.BYTES, representation, values: wire.bytes ?? [] };
    case ValueType.INTEGER:
      return { name, valueType: ValueType.INTEGER, representation, values: wire.integers ?? [] };
    case ValueType.DOUBLE:
      return { name, valueType: ValueType.DOUBLE, representation, values: wire.doubles ?? [] };
    case ValueType.BOOL:
      return { name, valueType: ValueType.BOOL, representation, values: wire.bools ?? [] };
    default:
      return { name, valueType: ValueType.STRING, representation, values: wire.strings ?? [] };
  }
}

/**
 * Reads a message as the service does. Fields that the schema does not have are skipped. A missing uuid, timestamp or field name, a uuid of another length
 * than 16, and anything cut off is a MessageDecodeError.
 */
export function readWhole(reader: ProtoReader): Message {
  const fields: Field[] = [];
  const wire = readMessage(reader, 'skip', (field) => fields.push(fieldOf(field)));
  const { uuid, timestamp, values } = wire;
  if (uuid === undefined) throw new MessageDecodeError('no uuid (tag 1)', 0, 0, reader.offset);
  if (timestamp === undefined) throw new MessageDecodeError('no timestamp (tag 2)', 0, 0, reader.offset);
  return messageOf(uuid, timestamp, values, fields);
}
