import { kindOf } from './arguments.ts';
import { decodeBytes } from './protobuf-decode.ts';
import { BOOL, INTEGER, type RowField, type RowValue } from './row-message.ts';
import { bytesOfBinary } from './utf8.ts';
import { isBytes } from './uuid.ts';

type Table = Record<string, unknown>;

/** `decode_message` of the scripts' interface. */
export function decode_message(bytes: unknown): Table {
  if (arguments.length !== 1) throw new TypeError(`decode_message: one argument, not ${arguments.length}`);
  const input = typeof bytes === 'string' ? bytesOfBinary(bytes) : isBytes(bytes) ? bytes : null;
  if (input === null) {
    throw new TypeError(`decode_message: takes the bytes of a message, not ${typeof bytes === 'string' ? 'a text' : kindOf(bytes)}`);
  }
  const { message, typed } = decodeBytes(input, 'decode_message');
  const table: Table = { Uuid: message.uuid, Timestamp: Number(message.timestamp) };
  if (message.type !== null) table['Type'] = message.type;
  if (message.logger !== null) table['Logger'] = message.logger;
  if (message.payload !== null) table['Payload'] = message.payload;
  if (message.envVersion !== null) table['EnvVersion'] = message.envVersion;
  if (message.hostname !== null) table['Hostname'] = message.hostname;
  if (message.severity !== null) table['Severity'] = message.severity;
  if (message.pid !== null) table['Pid'] = message.pid;
  if (message.fields.length > 0) {
    const fields: Table[] = [];
    for (let i = 0; i < message.fields.length; i++) fields.push(fieldTable(message.fields[i] as RowField, typed[i] as boolean));
    table['Fields'] = fields;
  }
  return table;
}

function fieldTable(field: RowField, typed: boolean): Table {
  const values: unknown[] = [];
  for (let i = 0; i < field.values.length; i++) values.push(plain(field.type, field.values[i] as RowValue));
  const table: Table = { name: field.name, value: values };
  if (typed) table['value_type'] = field.type;
  if (field.representation !== null) table['representation'] = field.representation;
  return table;
}

function plain(type: number, value: RowValue): unknown {
  return type === INTEGER ? Number(value) : type === BOOL ? value !== 0 : value;
}
