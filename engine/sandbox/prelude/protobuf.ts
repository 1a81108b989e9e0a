import { readWhole } from '../../message/protobuf/message-reader.ts';
import { writeMessage } from '../../message/protobuf/message-writer.ts';
import { ProtoReader } from '../../message/protobuf/proto-reader.ts';
import { ProtoWriter } from '../../message/protobuf/proto-writer.ts';
import { encodeScriptMessage } from '../../message/protobuf/script-protobuf.ts';
import { headerValues, messageOf, type Field, type Message } from '../../message/types.ts';
import { readUtf8, writeUtf8 } from '../../message/utf8.ts';
import { BOOL, newRowMessage, type RowField, type RowMessage, type RowValue } from './reading/row-message.ts';

const serviceWriter = new ProtoWriter({ write: writeUtf8 });
const SERVICE_RULES = { stringType: true, alwaysPacked: true };

/** Encodes a message as the service does. */
export function encodeRow(row: RowMessage): Uint8Array {
  serviceWriter.reset();
  writeMessage(serviceWriter, plainMessage(row), SERVICE_RULES);
  return serviceWriter.finish();
}

/** Encodes a message as an injected table. */
export function encodeTable(row: RowMessage): Uint8Array {
  return encodeScriptMessage(plainMessage(row));
}

function plainMessage(row: RowMessage): Message {
  const fields: Field[] = [];
  for (let i = 0; i < row.fields.length; i++) fields.push(plainField(row.fields[i] as RowField));
  return messageOf(row.uuid ?? new Uint8Array(16), row.timestamp, row.headers, fields);
}

function plainField({ name, representation, type, values }: RowField): Field {
  const own = type === BOOL ? values.map((value) => value !== 0) : values;
  return { name, valueType: type, values: own, representation: representation ?? undefined } as Field;
}

/** Decodes bytes into a message, by the rules of the service; errors begin with the caller's name. */
export function decodeRow(bytes: Uint8Array, caller: string): RowMessage {
  const message = namingCaller(caller, () => readWhole(new ProtoReader(bytes, readUtf8)));
  const row = newRowMessage(message.timestamp);
  row.uuid = message.uuid;
  row.headers = headerValues(message);
  for (let i = 0; i < message.fields.length; i++) row.fields.push(rowField(message.fields[i] as Field));
  return row;
}

/** Decoding bytes of a script: errors begin with the name of the function that it called. */
export function namingCaller<T>(caller: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new RangeError(`${caller}: ${(error as Error).message}`, { cause: error });
  }
}

function rowField({ name, valueType: type, values, representation }: Field): RowField {
  const own = type === BOOL ? values.map(Number) : (values as RowValue[]);
  return { name, representation: representation ?? null, type, values: own };
}
