import { clampInt64 } from '../../../message/int64.ts';
import { parseInteger } from '../../../message/integer.ts';
import { parseTimestamp } from '../../../message/timestamp.ts';
import { parseUuid } from '../../../message/uuid.ts';
import { fieldName, indexArgument, kindOf } from '../arguments.ts';
import { copyRow } from './copy-row.ts';
import { int64Of } from '../numbers.ts';
import { cursorToList, instanceOf } from '../reading/read.ts';
import {
  BOOL,
  DOUBLE,
  headerPlace,
  INTEGER,
  isText,
  STRING,
  type RowField,
  type RowMessage,
  type RowValue,
} from '../reading/row-message.ts';
import { state } from '../state/state.ts';
import { rawUuid } from '../uuid.ts';

/** `write_message` of the scripts' interface. */
export function write_message(name: string, value: unknown, representation?: string, fieldIndex?: number, arrayIndex?: number): void {
  const count = arguments.length;
  if (count < 2 || count > 5) throw new TypeError(`write_message: 2 to 5 arguments, not ${count}`);
  if (typeof name !== 'string') throw new TypeError(`write_message: the name must be a string, not ${kindOf(name)}`);
  if (representation !== undefined && representation !== null && typeof representation !== 'string') {
    throw new TypeError(`write_message: the representation must be a string, not ${kindOf(representation)}`);
  }
  const instance = indexArgument('write_message', fieldIndex, 4);
  const index = indexArgument('write_message', arrayIndex, 5);
  if (state.row < 0) throw new Error('write_message: there is no message outside of process_message');
  const field = fieldName(name);
  const message = editedRow();
  if (value === null || value === undefined) {
    if (field === null) throw new TypeError(`write_message: ${name} cannot be deleted`);
    deleteField(message, field, instance, arrayIndex === undefined || arrayIndex === null ? -1 : index);
  } else if (field === null) {
    writeHeader(message, name, value);
  } else {
    writeField(message, field, value, representation ?? '', instance, index);
  }
}

/** The current row as a message that can be changed; copies it at first. */
function editedRow(): RowMessage {
  if (state.edited === null) {
    const copy = copyRow(state.row);
    cursorToList();
    state.edited = copy;
  }
  return state.edited;
}

function writeHeader(message: RowMessage, name: string, value: unknown): void {
  const place = headerPlace(name);
  if (place !== undefined) message.headers[place] = isText[place] === true ? textOrFail(name, value) : intOrFail(name, value);
  else if (name === 'Uuid') message.uuid = uuidOrFail(value);
  else if (name === 'Timestamp') message.timestamp = timeOrFail(value);
  else throw new TypeError(`write_message: there is no variable ${name} to write; a field is written Fields[${name}]`);
}

function textOrFail(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`write_message: ${name} takes a string, not ${kindOf(value)}`);
  return value;
}

function uuidOrFail(value: unknown): Uint8Array {
  const uuid = rawUuid(value) ?? (typeof value === 'string' ? parseUuid(value) : null);
  if (uuid === null) throw new TypeError('write_message: Uuid takes 16 bytes or a text as in RFC 9562');
  return uuid;
}

function timeOrFail(value: unknown): bigint {
  if (typeof value === 'bigint') return clampInt64(value);
  if (typeof value === 'number' && value === value) return int64Of(value);
  const time = typeof value === 'string' ? parseTimestamp(value) : null;
  if (time === null) throw new TypeError('write_message: Timestamp takes nanoseconds or a text that is a time');
  return time;
}

/** A whole number, or one whose fraction is cut off, that has 32 bits. */
function intOrFail(name: string, value: unknown): number {
  const integer = integerOf(value);
  if (integer !== null && BigInt.asIntN(32, integer) === integer) return Number(integer);
  throw new TypeError(`write_message: ${name} takes an integer from -2147483648 to 2147483647, not ${shown(value)}`);
}

function integerOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? int64Of(value) : null;
  return typeof value === 'string' ? parseInteger(value, 64) : null;
}

/** Longer texts are not shown in errors. */
const MAX_SHOWN = 40;

function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > MAX_SHOWN ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? `${value}` : 'a BigInt of more than 64 bits';
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : kindOf(value);
}

/** The type that a value has as a field, and its stored form. */
function fieldValue(value: unknown): { type: number; stored: RowValue } {
  switch (typeof value) {
    case 'string':
      return { type: STRING, stored: value };
    case 'number':
      return { type: DOUBLE, stored: value };
    case 'bigint':
      return { type: INTEGER, stored: int64OrFail(value) };
    case 'boolean':
      return { type: BOOL, stored: value ? 1 : 0 };
    default:
      throw new TypeError(`write_message: a field takes a string, number or bool, not ${kindOf(value)}`);
  }
}

function int64OrFail(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new RangeError('write_message: a field takes an integer of 64 bits at most');
}

function instancesOf(fields: readonly RowField[], name: string): number {
  let count = 0;
  for (let i = 0; i < fields.length; i++) if ((fields[i] as RowField).name === name) count++;
  return count;
}

function writeField(message: RowMessage, name: string, value: unknown, representation: string, instance: number, index: number): void {
  const field = instanceOf(message.fields, name, instance);
  const isForDoubles = typeof value === 'bigint' && field !== null && field.type === DOUBLE;
  const { type, stored } = fieldValue(isForDoubles ? Number(value) : value);
  if (field === null) {
    if (instance > instancesOf(message.fields, name)) throw new RangeError(`write_message: ${name} has no instance ${instance}`);
    if (index !== 0) throw new RangeError(`write_message: a new field ${name} has no array index ${index}`);
    message.fields.push({ name, representation, type, values: [stored] });
    return;
  }
  if (field.type !== type) throw new TypeError(`write_message: field ${name} is of another type`);
  if (index > field.values.length) throw new RangeError(`write_message: field ${name} has no array index ${index}`);
  field.values[index] = stored;
  field.representation = representation;
}

function deleteField(message: RowMessage, name: string, instance: number, index: number): void {
  if (instancesOf(message.fields, name) === 0) return;
  const field = instanceOf(message.fields, name, instance);
  if (field === null) throw new RangeError(`write_message: ${name} has no instance ${instance}`);
  if (index < 0) {
    removeAt(message.fields, message.fields.indexOf(field));
    return;
  }
  if (index >= field.values.length) throw new RangeError(`write_message: field ${name} has no array index ${index}`);
  removeAt(field.values, index);
}

function removeAt(list: unknown[], index: number): void {
  for (let i = index + 1; i < list.length; i++) list[i - 1] = list[i];
  list.pop();
}
