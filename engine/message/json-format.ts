import { printableJson } from '../api/printable.ts';
import { intAt, textAt, type MessageBatch } from './batch.ts';
import type { FieldColumn } from './columns.ts';
import { RowIndex } from './row-index.ts';
import { ValueType, type Field, type Message } from './types.ts';
import { formatUuid } from './uuid.ts';

/**
 * A message as one line of JSON: `{"Uuid", "Timestamp", "Type", "Logger", "Severity", "Payload", "EnvVersion", "Pid", "Hostname", "Fields"}`. Headers that
 * are not set are left out, and so is Fields when there are none. The timestamp is a string of decimal nanoseconds; a
 * field is `{"name", "value_type", "representation", "value"}`, its values always a list: bytes in base64, int64 with all its digits, and the doubles
 * that JSON does not have as "nan", "inf" and "-inf". What terminals obey is escaped.
 */
export function formatMessage(message: Message): string {
  const fields = message.fields.map((field) => fieldHead(field) + valuesText(field) + FIELD_END);
  return escaped(
    start(formatUuid(message.uuid), message.timestamp) +
      textMember('Type', message.type) +
      textMember('Logger', message.logger) +
      intMember('Severity', message.severity) +
      textMember('Payload', message.payload) +
      textMember('EnvVersion', message.envVersion) +
      intMember('Pid', message.pid) +
      textMember('Hostname', message.hostname) +
      fieldsMember(fields.join(',')),
  );
}

/** The lines of a batch's messages (or of these rows), without line ends; the same as `formatMessage` gives for each. */
export function* formatBatch(batch: MessageBatch, rows: Uint32Array | null = null): Generator<string> {
  const index = new RowIndex(batch.fields, batch.length);
  const heads = batch.fields.map((column) => fieldHead({ ...column, representation: column.representation ?? undefined }));
  const count = rows?.length ?? batch.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : (rows[i] as number);
    if (!(row < batch.length)) throw new RangeError(`row ${row} of a batch of ${batch.length}`);
    let fields = '';
    for (let at = index.start(row); at < index.end(row); at++) {
      const column = index.columnAt(at);
      if (fields !== '') fields += ',';
      fields += (heads[column] as string) + entryText(batch.fields[column] as FieldColumn, index.entryAt(at)) + FIELD_END;
    }
    yield escaped(
      start(formatUuid(batch.uuids, row * 16), batch.timestamps[row] as bigint) +
        textMember('Type', textAt(batch.type, row)) +
        textMember('Logger', textAt(batch.logger, row)) +
        intMember('Severity', intAt(batch.severity, row)) +
        textMember('Payload', textAt(batch.payload, row)) +
        textMember('EnvVersion', textAt(batch.envVersion, row)) +
        intMember('Pid', intAt(batch.pid, row)) +
        textMember('Hostname', textAt(batch.hostname, row)) +
        fieldsMember(fields),
    );
  }
}

const FIELD_END = ']}';

/** Most lines are ASCII, which is seen twenty times as fast as a regular expression sees it. */
const escaped = (line: string): string => (Buffer.byteLength(line) === line.length && !line.includes('\x7f') ? line : printableJson(line));

function start(uuid: string, timestamp: bigint): string {
  return `{"Uuid":"${uuid}","Timestamp":"${timestamp}"`;
}

function textMember(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}

function intMember(name: string, value: number | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`;
}

function fieldsMember(fields: string): string {
  return fields === '' ? '}' : `,"Fields":[${fields}]}`;
}

interface FieldHead {
  readonly name: string;
  readonly valueType: ValueType;
  readonly representation?: string | undefined;
}

/** Everything of a field that stands before its values. */
function fieldHead({ name, valueType, representation }: FieldHead): string {
  const unit = representation === undefined ? '' : `,"representation":${JSON.stringify(representation)}`;
  return `{"name":${JSON.stringify(name)},"value_type":${valueType}${unit},"value":[`;
}

function valuesText(field: Field): string {
  switch (field.valueType) {
    case ValueType.STRING:
      return field.values.map((value) => JSON.stringify(value)).join(',');
    case ValueType.BYTES:
      return field.values.map((value) => base64(value)).join(',');
    case ValueType.INTEGER:
    case ValueType.BOOL:
      return field.values.join(',');
    case ValueType.DOUBLE:
      return field.values.map(doubleText).join(',');
  }
}

function entryText(column: FieldColumn, entry: number): string {
  const from = column.offsets === null ? entry : (column.offsets[entry] as number);
  const to = column.offsets === null ? entry + 1 : (column.offsets[entry + 1] as number);
  let text = '';
  for (let i = from; i < to; i++) text += (i === from ? '' : ',') + valueText(column, i);
  return text;
}

function valueText(column: FieldColumn, i: number): string {
  switch (column.valueType) {
    case ValueType.STRING:
      return JSON.stringify(column.values.text.slice(column.values.starts[i], column.values.ends[i]));
    case ValueType.BYTES:
      return base64(column.values.bytes.subarray(column.values.starts[i], column.values.ends[i]));
    case ValueType.INTEGER:
      return (column.values[i] as bigint).toString();
    case ValueType.DOUBLE:
      return doubleText(column.values[i] as number);
    case ValueType.BOOL:
      return column.values[i] === 1 ? 'true' : 'false';
  }
}

function base64(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"`;
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}
