import { formatUuid } from '../../../message/uuid.ts';
import { FIRST_FIELD } from '../../contract/protocol.ts';
import { fieldName, indexArgument, kindOf } from '../arguments.ts';
import { textNumbered, unitsNumbered } from '../batch.ts';
import { setPrototypeOf } from '../intrinsics.ts';
import { copyRow } from '../writing/copy-row.ts';
import type { InputColumn } from './input-column.ts';
import { encodeRow } from '../protobuf.ts';
import { headerPlace, INTEGER, isText, PAYLOAD, scriptValue, type RowField, type RowMessage } from './row-message.ts';
import { state } from '../state/state.ts';
import { allColumns, integerAt, payloadColumn, readFirst, readIndexed } from './variables.ts';

type Value = string | number | boolean | Uint8Array | null;

/** `read_message` of the scripts' interface. */
export function read_message(name: string, fieldIndex?: number, arrayIndex?: number): Value {
  if (arguments.length === 1 && typeof name === 'string') {
    const { row } = state;
    if (row < 0) return null;
    if (state.edited !== null) return readEdited(state.edited, name, 0, 0);
    return name === 'raw' ? rawBytes() : readFirst(name, row);
  }
  return readSlowly(arguments.length, name, fieldIndex, arrayIndex);
}

function readSlowly(count: number, name: string, fieldIndex?: number, arrayIndex?: number): Value {
  if (count < 1 || count > 3) throw new TypeError(`read_message: 1 to 3 arguments, not ${count}`);
  if (typeof name !== 'string') throw new TypeError(`read_message: the name must be a string, not ${kindOf(name)}`);
  const field = indexArgument('read_message', fieldIndex, 2);
  const index = indexArgument('read_message', arrayIndex, 3);
  if (state.row < 0) return null;
  if (state.edited !== null) return readEdited(state.edited, name, field, index);
  return name === 'raw' ? rawBytes() : readIndexed(name, state.row, field, index);
}

/** `read_integer` of the scripts' interface. */
export function read_integer(name: string, fieldIndex?: number, arrayIndex?: number): bigint | null {
  if (typeof name !== 'string') throw new TypeError(`read_integer: the name must be a string, not ${kindOf(name)}`);
  const field = indexArgument('read_integer', fieldIndex, 2);
  const index = indexArgument('read_integer', arrayIndex, 3);
  const { row, edited } = state;
  if (row < 0) return null;
  if (edited === null) return integerAt(name, row, field, index);
  if (name === 'Timestamp') return edited.timestamp;
  const own = fieldName(name);
  const found = own === null ? null : instanceOf(edited.fields, own, field);
  return found?.type === INTEGER ? ((found.values[index] as bigint | undefined) ?? null) : null;
}

/** The original message of the row, encoded; changes by `write_message` are not in it. */
function rawBytes(): Uint8Array {
  return encodeRow(copyRow(state.row));
}

function readEdited(message: RowMessage, name: string, fieldIndex: number, arrayIndex: number): Value {
  switch (name) {
    case 'Uuid':
      return message.uuid === null ? '' : formatUuid(message.uuid, 0);
    case 'Timestamp':
      return Number(message.timestamp);
    case 'raw':
      return rawBytes();
  }
  const place = headerPlace(name);
  if (place !== undefined) return message.headers[place] ?? (isText[place] === true ? '' : null);
  const field = fieldName(name);
  if (field === null) return null;
  const found = instanceOf(message.fields, field, fieldIndex);
  return found === null ? null : scriptValue(found, arrayIndex);
}

/** The field number `index` of those with a name. */
export function instanceOf(fields: readonly RowField[], name: string, index: number): RowField | null {
  let instance = 0;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as RowField;
    if (field.name === name && instance++ === index) return field;
  }
  return null;
}

/** Position of `read_next_field`: a column of the batch, or an index in the fields of the rewritten message. */
let cursor = 0;

/** Begins a row: `read_next_field` starts from its first field. */
export function restartFields(): void {
  cursor = 0;
}

type NextField = [number | null, string | null, Value, string | null, number | null];

/** `read_next_field` of the scripts' interface. */
export function read_next_field(): NextField {
  if (arguments.length > 0) throw new TypeError('read_next_field: takes no arguments');
  if (state.row < 0) return [null, null, null, null, null];
  if (state.edited !== null) return nextEdited(state.edited);
  const columns = allColumns();
  while (FIRST_FIELD + cursor < columns.length) {
    const column = columns[FIRST_FIELD + cursor++] as InputColumn;
    const entry = column.rows === null ? state.row : column.entry(state.row);
    if (entry >= 0) return [column.type, column.name, column.value(entry, 0), column.representation ?? '', column.count(entry)];
  }
  return [null, null, null, null, null];
}

function nextEdited(message: RowMessage): NextField {
  const field = message.fields[cursor];
  if (field === undefined) return [null, null, null, null, null];
  cursor++;
  return [field.type, field.name, scriptValue(field, 0), field.representation ?? '', field.values.length];
}

/** Converts the cursor when the fields of the row change from columns to a list, so that it stays at its field. */
export function cursorToList(): void {
  const columns = allColumns();
  let passed = 0;
  for (let i = 0; i < cursor; i++) if ((columns[FIRST_FIELD + i] as InputColumn).entry(state.row) >= 0) passed++;
  cursor = passed;
}

/** The text that a message writer slices: its number among the batch's texts, or -1 if it is of this row alone; and the text, once it was asked for. */
export const slicing = { input: -1, text: '' as string | null, length: 0, units: null as Uint8Array | null };

function slice(number: number): void {
  slicing.input = number;
  slicing.text = null;
  slicing.units = span.units = unitsNumbered(number);
  slicing.length = (slicing.units ?? textNumbered(number)).length;
}

/** Code units [start, end) of the text that is sliced. */
export const slicedText = (start: number, end: number): string => textSliced().slice(start, end);

const textSliced = (): string => (slicing.text ??= textNumbered(slicing.input));

interface PayloadSpan {
  text: string;
  start: number;
  end: number;
  units: Uint8Array | null;
}

/** The text that a script has put there. */
let put: string | null = null;

/**
 * The object that scripts get; they may change it. Its text is made when they read it, by its prototype: V8 reads all members of an object that has accessors of
 * its own as slowly as these.
 */
const span = setPrototypeOf(
  { start: 0, end: 0, units: null },
  {
    get text(): string {
      return put ?? textSliced();
    },
    set text(text: string) {
      put = text;
    },
  },
) as PayloadSpan;

export function forgetSlicing(): void {
  wholeSpan('');
}

/** `payload_span` of the scripts' interface. */
export function payload_span(): PayloadSpan {
  put = null;
  const { row } = state;
  if (row < 0) return wholeSpan('');
  if (state.edited !== null) return wholeSpan((state.edited.headers[PAYLOAD] as string | undefined) ?? '');
  const column = payloadColumn();
  if (column === null) return wholeSpan('');
  if (column.constant !== null) return wholeSpan(column.constant as string);
  const entry = column.rows === null ? row : column.entry(row);
  if (entry < 0) return wholeSpan('');
  const { textNumber } = column;
  if (slicing.input !== textNumber) slice(textNumber);
  span.start = column.starts[entry] as number;
  span.end = column.ends[entry] as number;
  return span;
}

function wholeSpan(text: string): PayloadSpan {
  slicing.input = -1;
  slicing.text = text;
  slicing.length = text.length;
  slicing.units = span.units = null;
  span.start = 0;
  span.end = text.length;
  return span;
}
