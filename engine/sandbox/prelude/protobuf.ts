import { writeMessage } from '../../message/message-writer.ts';
import { ProtoWriter } from '../../message/proto-writer.ts';
import { decodeScriptMessage, encodeScriptMessage, type ScriptField, type ScriptMessage } from '../../message/script-protobuf.ts';
import type { Field, Message } from '../../message/types.ts';
import { writeUtf8 } from '../../message/utf8.ts';
import { BOOL, newRowMessage, STRING, type RowField, type RowMessage, type RowValue } from './row-message.ts';

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
  const { type, logger, severity, payload, envVersion, pid, hostname } = row;
  const fields: Field[] = [];
  for (let i = 0; i < row.fields.length; i++) fields.push(plainField(row.fields[i] as RowField));
  return {
    uuid: row.uuid ?? new Uint8Array(16),
    timestamp: row.timestamp,
    ...(type === null ? {} : { type }),
    ...(logger === null ? {} : { logger }),
    ...(severity === null ? {} : { severity }),
    ...(payload === null ? {} : { payload }),
    ...(envVersion === null ? {} : { envVersion }),
    ...(pid === null ? {} : { pid }),
    ...(hostname === null ? {} : { hostname }),
    fields,
  };
}

function plainField({ name, representation, type, values }: RowField): Field {
  const own = type === BOOL ? values.map((value) => value !== 0) : values;
  return { name, valueType: type, values: own, ...(representation === null ? {} : { representation }) } as Field;
}

/** Decodes bytes into the form that scripts see; errors begin with the caller's name. */
export function decodeTable(bytes: Uint8Array, caller: string, exact: boolean): ScriptMessage {
  try {
    return decodeScriptMessage(bytes, { exact });
  } catch (error) {
    throw new RangeError(`${caller}: ${(error as Error).message}`, { cause: error });
  }
}

/** Decodes bytes into a message; errors begin with the caller's name. */
export function decodeRow(bytes: Uint8Array, caller: string): RowMessage {
  const table = decodeTable(bytes, caller, true);
  const row = newRowMessage(table.Timestamp as bigint);
  row.uuid = table.Uuid;
  row.type = table.Type ?? null;
  row.logger = table.Logger ?? null;
  row.payload = table.Payload ?? null;
  row.envVersion = table.EnvVersion ?? null;
  row.hostname = table.Hostname ?? null;
  row.severity = table.Severity ?? null;
  row.pid = table.Pid ?? null;
  const fields = table.Fields ?? [];
  for (let i = 0; i < fields.length; i++) row.fields.push(rowField(fields[i] as ScriptField));
  return row;
}

function rowField({ name, value, value_type: type = STRING, representation }: ScriptField): RowField {
  const values = type === BOOL ? value.map(Number) : (value as RowValue[]);
  return { name, representation: representation ?? null, type, values };
}
