import { OPTIONAL_HEADERS } from '../../../api/headers.ts';
import { FIRST_FIELD, HEADER_NAMES } from '../../contract/protocol.ts';
import { copyOf, type InputColumn } from '../reading/input-column.ts';
import { BYTES, INTEGER, BOOL, newRowMessage, type RowField, type RowMessage, type RowValue } from '../reading/row-message.ts';
import { allColumns } from '../reading/variables.ts';

/** Numbers of the columns of headers, in the order of their values. */
const COLUMNS = OPTIONAL_HEADERS.map(({ name }) => HEADER_NAMES.indexOf(name));

/** Copies a row of the batch into a message of its own. */
export function copyRow(row: number): RowMessage {
  const columns = allColumns();
  const [uuid, timestamp] = columns as InputColumn[];
  const message = newRowMessage((timestamp as InputColumn).big(row, 0));
  message.uuid = copyOf((uuid as InputColumn).bytes, row * 16, row * 16 + 16);
  for (let i = 0; i < COLUMNS.length; i++) message.headers[i] = header(columns[COLUMNS[i] as number] as InputColumn, row);
  for (let i = FIRST_FIELD; i < columns.length; i++) {
    const column = columns[i] as InputColumn;
    const entry = column.entry(row);
    if (entry >= 0) message.fields.push(fieldOf(column, entry));
  }
  return message;
}

function header(column: InputColumn, row: number): string | number | undefined {
  if (column.constant !== null) return column.constant;
  const entry = column.entry(row);
  return entry < 0 ? undefined : (column.value(entry, 0) as string | number);
}

function fieldOf(column: InputColumn, entry: number): RowField {
  const values: RowValue[] = [];
  const count = column.count(entry);
  for (let i = 0; i < count; i++) values.push(rowValue(column, entry, i));
  return { name: column.name, representation: column.representation, type: column.type, values };
}

function rowValue(column: InputColumn, entry: number, index: number): RowValue {
  if (column.type === INTEGER) return column.big(entry, index);
  const value = column.value(entry, index);
  if (column.type === BYTES) return (value ?? new Uint8Array(0)) as Uint8Array;
  return column.type === BOOL ? Number(value) : (value as RowValue);
}
