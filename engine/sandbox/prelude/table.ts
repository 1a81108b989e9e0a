import { OPTIONAL_HEADERS, type OptionalHeader } from '../../api/headers.ts';
import { clampInt64 } from '../../message/int64.ts';
import { hintsOf } from './hints.ts';
import { timeOfRow } from './reading/variables.ts';
import { isArray, millisecondsNow, objectKeys, trunc } from './intrinsics.ts';
import { kindOf } from './arguments.ts';
import { int64Of, numericValue } from './numbers.ts';
import { textOf } from './writing/payload.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  INTEGER,
  STRING,
  newRowMessage,
  type RowField,
  type RowMessage,
  type RowValue,
} from './reading/row-message.ts';
import { bytesOfText } from './binary.ts';
import { state } from './state/state.ts';
import { copyOfBytes, isBytes, rawUuid } from './uuid.ts';

type Table = Record<string, unknown>;

/** Nanoseconds since 1970, by the pipeline's clock. Decoders and inputs, which give messages their time, get that of the machine. */
export function now(): bigint {
  const { kind } = state.setup;
  if (state.clock === 'wall' || kind === 'decoder' || kind === 'input') return BigInt(millisecondsNow()) * 1000000n;
  if (state.row < 0) return state.tick;
  return state.edited === null ? timeOfRow(state.row) : state.edited.timestamp;
}

/** Converts an injected table to a message. Headers of the wrong form are left out; fields of the wrong form are errors. */
export function messageOf(table: Table): RowMessage {
  if (state.setup.hints) hintsOf(table);
  const message = newRowMessage(timestampOf(table['Timestamp']));
  message.uuid = rawUuid(table['Uuid']);
  for (let i = 0; i < OPTIONAL_HEADERS.length; i++) {
    const { name, kind } = OPTIONAL_HEADERS[i] as OptionalHeader;
    message.headers[i] = (kind === 'text' ? textHeader(table[name]) : intHeader(table[name])) ?? undefined;
  }
  const fields = table['Fields'];
  if (typeof fields === 'object' && fields !== null) message.fields = fieldsOf(fields as Table);
  return message;
}

function timestampOf(value: unknown): bigint {
  if (typeof value === 'bigint') return clampInt64(value);
  const number = numericValue(value);
  if (number === null) return now();
  if (typeof value === 'string' && isWhole(value)) return clampInt64(BigInt(value));
  return int64Of(number);
}

/** Whether a text is a decimal integer, which is converted without the loss of precision of a double. */
function isWhole(text: string): boolean {
  for (let i = text.startsWith('-') ? 1 : 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 48 || unit > 57) return false;
  }
  return text.length < 32;
}

function textHeader(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? `${value}` : null;
}

function intHeader(value: unknown): number | null {
  const number = typeof value === 'bigint' ? Number(value) : numericValue(value);
  return number === null ? null : trunc(number) | 0;
}

/** Converts the fields of a table: an object by name, or a list of fields. */
function fieldsOf(container: Table): RowField[] {
  const fields: RowField[] = [];
  if (isArray(container)) {
    for (let i = 0; i < container.length; i++) {
      const element: unknown = container[i];
      if (element === undefined || element === null) break;
      fields.push(listedField(element));
    }
    return fields;
  }
  const names = objectKeys(container);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = container[name];
    if (value !== undefined && value !== null) fields.push(fieldOf(name, value));
  }
  return fields;
}

function listedField(element: unknown): RowField {
  if (typeof element !== 'object') throw new TypeError(`inject_message: an element of Fields is a ${kindOf(element)}`);
  const { name } = element as Table;
  if (typeof name !== 'string') throw new TypeError('inject_message: an element of Fields has no name');
  return explicitField(name, element as Table);
}

function fieldOf(name: string, value: unknown): RowField {
  if (typeof value !== 'object' || isArray(value) || isBytes(value)) return typedField(name, value, undefined, null);
  const text = textOf(value as Table);
  return text === null ? explicitField(name, value as Table) : bytesField(name, text, null);
}

function explicitField(name: string, table: Table): RowField {
  const { value, value_type: type, representation } = table;
  const unit = textHeader(representation);
  if (value === undefined || value === null) throw new TypeError(`inject_message: field ${name} has no value`);
  if (typeof value === 'object' && !isArray(value) && !isBytes(value)) {
    const text = textOf(value);
    if (text !== null) return bytesField(name, text, unit);
    throw new TypeError(`inject_message: field ${name} has an object as its value`);
  }
  return typedField(name, value, type, unit);
}

function bytesField(name: string, text: string, representation: string | null): RowField {
  return { name, representation, type: BYTES, values: [bytesOfText(text)] };
}

function typedField(name: string, value: unknown, wanted: unknown, representation: string | null): RowField {
  if (isArray(value)) return listField(name, value, wanted, representation);
  const type = typeFor(name, value, wanted);
  return { name, representation, type, values: [convert(name, value, type)] };
}

function listField(name: string, values: readonly unknown[], wanted: unknown, representation: string | null): RowField {
  if (values.length === 0) throw new TypeError(`inject_message: field ${name} has an empty list as its value`);
  const first: unknown = values[0];
  const type = typeFor(name, first, wanted);
  const converted: RowValue[] = [];
  for (let i = 0; i < values.length; i++) {
    const element: unknown = values[i];
    if (typeof element !== typeof first) throw new TypeError(`inject_message: field ${name} has values of mixed types`);
    converted.push(convert(name, element, type));
  }
  return { name, representation, type, values: converted };
}

function typeFor(name: string, value: unknown, wanted: unknown): number {
  const natural = naturalType(name, value);
  if (wanted === undefined || wanted === null || wanted === natural) return natural;
  const allowed =
    (natural === STRING && wanted === BYTES) || (natural === DOUBLE && wanted === INTEGER) || (natural === INTEGER && wanted === DOUBLE);
  if (!allowed) throw new TypeError(`inject_message: field ${name} has a value that does not fit its value_type`);
  return wanted;
}

function naturalType(name: string, value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return DOUBLE;
    case 'bigint':
      return INTEGER;
    case 'boolean':
      return BOOL;
    default:
      if (isBytes(value)) return BYTES;
      throw new TypeError(`inject_message: field ${name} has a value of type ${kindOf(value)}`);
  }
}

function convert(name: string, value: unknown, type: number): RowValue {
  switch (type) {
    case BYTES:
      if (typeof value === 'string') return bytesOfText(value);
      if (!isBytes(value)) throw new TypeError(`inject_message: field ${name} has values of mixed types`);
      return copyOfBytes(value);
    case INTEGER:
      return typeof value === 'bigint' ? clampInt64(value) : int64Of(value as number);
    case DOUBLE:
      return Number(value);
    case BOOL:
      return value === true ? 1 : 0;
    default:
      return value as string;
  }
}
