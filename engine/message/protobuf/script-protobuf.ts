import { OPTIONAL_HEADERS, type IntRow, type OptionalHeader, type TextRow } from '../../api/headers.ts';
import { readMessage, type WireField } from './message-reader.ts';
import { writeMessage, type WriterRules } from './message-writer.ts';
import { MessageDecodeError, ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';
import { ValueType, type Message } from '../types.ts';
import { readUtf8, writeUtf8 } from '../utf8.ts';

/** The message format as scripts read and write it. Uses nothing of Node: the same code runs in an isolate. */

/** A value in decoded form. */
type ScriptValue = string | number | boolean | Uint8Array;

interface ScriptField {
  name: string;
  /** All values, possibly none. */
  value: ScriptValue[];
  /** Only when it was on the wire. */
  value_type?: number;
  representation?: string;
}

/** A message in decoded form: only headers and fields that were on the wire have a key. */
export interface ScriptMessage extends ScriptHeaders {
  Uuid: Uint8Array;
  /** Nanoseconds since 1970. */
  Timestamp: number;
  Fields?: ScriptField[];
}
type ScriptHeaders = { [N in TextRow['name']]?: string } & { [N in IntRow['name']]?: number };
type ScriptHeader = keyof ScriptHeaders;

const SCRIPT_RULES: WriterRules = { stringType: false, alwaysPacked: false };
const MIN_BYTES = 20;

const writer = new ProtoWriter({ write: writeUtf8 });

/**
 * A message as the injection of a script's table encodes it: the value type is left out for strings, a single number or bool is
 * not packed, and an absent representation is not written.
 */
export function encodeScriptMessage(message: Message): Uint8Array {
  writer.reset();
  writeMessage(writer, message, SCRIPT_RULES);
  return writer.finish();
}

/**
 * The decoded form of an unframed message. Everything out of the ordinary is a MessageDecodeError: less than 20 bytes, a uuid of
 * another length than 16, unknown tags and wrong wire types, truncated or too long numbers, an unknown value type, a
 * field without a name, a missing uuid or timestamp.
 */
export function decodeScriptMessage(bytes: Uint8Array): ScriptMessage {
  if (bytes.length < MIN_BYTES)
    throw new MessageDecodeError(`a message of ${bytes.length} bytes, at least ${MIN_BYTES} are needed`, 0, 0, 0);
  const reader = new ProtoReader(bytes, readUtf8);
  const fields: ScriptField[] = [];
  const wire = readMessage(reader, 'refuse', (field) => fields.push(scriptField(field, reader)));
  if (wire.uuid === undefined) throw new MessageDecodeError('no uuid (tag 1)', 0, 0, bytes.length);
  if (wire.timestamp === undefined) throw new MessageDecodeError('no timestamp (tag 2)', 0, 0, bytes.length);
  const message: ScriptMessage = { Uuid: wire.uuid, Timestamp: Number(wire.timestamp) };
  for (let i = 0; i < OPTIONAL_HEADERS.length; i++) {
    const { name } = OPTIONAL_HEADERS[i] as OptionalHeader;
    const value = wire.values[i];
    if (value !== undefined) (message as { [N in ScriptHeader]?: unknown })[name] = value;
  }
  if (fields.length > 0) message.Fields = fields;
  return message;
}

function scriptField(wire: WireField, reader: ProtoReader): ScriptField {
  const field: ScriptField = { name: wire.name, value: valuesOf(wire, reader) };
  if (wire.valueType !== undefined) field.value_type = wire.valueType;
  if (wire.representation !== undefined) field.representation = wire.representation;
  return field;
}

function valuesOf(wire: WireField, reader: ProtoReader): ScriptValue[] {
  switch (wire.valueType ?? ValueType.STRING) {
    case ValueType.STRING:
      return wire.strings ?? [];
    case ValueType.BYTES:
      return wire.bytes ?? [];
    case ValueType.INTEGER:
      return (wire.integers ?? []).map(Number);
    case ValueType.DOUBLE:
      return wire.doubles ?? [];
    case ValueType.BOOL:
      return wire.bools ?? [];
    default:
      throw reader.error(`value type ${wire.valueType ?? ''} of field "${wire.name}"`);
  }
}
