import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';
import type { Condition, FieldReference, LookupCondition } from './ast.ts';
import { fieldTest, type FieldTest } from './conditions.ts';
import { selectBooleans, selectBytes, selectKeys, selectDoubles, selectLongs, selectText } from './kernels.ts';
import { at, candidates, minus, NO_ROWS, union, type Candidates, type Rows } from './rows.ts';

/** The rows of `from` whose field satisfies a condition. */
export type Select = (batch: MessageBatch, from: Rows) => Rows;

export function compileField(field: FieldReference, condition: Condition): Select {
  if (condition.kind === 'exists') return compileExists(field, condition.expected);
  if (isUnknown(condition)) {
    const known = compileField(field, { ...condition, condition: { kind: 'exists', expected: true } });
    return (batch, from) => minus(from, known(batch, from), batch.length);
  }
  const test = fieldTest(condition);
  return (batch, from) => selectWhere(batch, field, from, (column, found) => selectColumn(column, test, found));
}

/** Whether it is that a lookup has nothing, which is also true of messages without the field. */
const isUnknown = (condition: Condition): condition is LookupCondition =>
  condition.kind === 'lookup' && condition.condition.kind === 'exists' && !condition.condition.expected;

function compileExists(field: FieldReference, expected: boolean): Select {
  return (batch, from) => {
    const existing = selectWhere(batch, field, from, (_column, found) => found.rows);
    return expected ? existing : minus(from, existing, batch.length);
  };
}

/** The rows that `select` finds in each column that holds the referenced instance for some rows, together. */
function selectWhere(
  batch: MessageBatch,
  { name, instance, element }: FieldReference,
  from: Rows,
  select: (column: FieldColumn, found: Candidates) => Rows,
): Rows {
  const columns = batch.fields.filter((column) => column.name === name);
  if (columns.length <= instance) return NO_ROWS;
  const only = columns[0] as FieldColumn;
  if (columns.length === 1) {
    const found = elements(only, candidates(only.rows, from, batch.length), element);
    return found.count === 0 ? NO_ROWS : select(only, found);
  }
  const seen = instance === 0 ? null : new Uint32Array(batch.length);
  let rest = from;
  let result: Uint32Array = NO_ROWS;
  for (const column of columns) {
    const entries = candidates(column.rows, rest, batch.length);
    const mine = seen === null ? entries : instancesOf(entries, seen, instance);
    if (mine.count === 0) continue;
    rest = minus(rest, mine.rows, batch.length);
    const found = elements(column, mine, element);
    const rows = found.count === 0 ? NO_ROWS : select(column, found);
    if (rows === null) return null;
    result = union(result, rows);
    if (rest !== null && rest.length === 0) break;
  }
  return result.length === batch.length ? null : result;
}

/** The candidates whose row had exactly `instance` fields of the name before; counts all candidates as seen. */
function instancesOf(entries: Candidates, seen: Uint32Array, instance: number): Candidates {
  const rows = new Uint32Array(entries.count);
  const mine = new Uint32Array(entries.count);
  let count = 0;
  for (let i = 0; i < entries.count; i++) {
    const row = at(entries.rows, i);
    const before = seen[row] as number;
    seen[row] = before + 1;
    if (before !== instance) continue;
    rows[count] = row;
    mine[count++] = at(entries.entries, i);
  }
  return { count, rows: rows.subarray(0, count), entries: mine.subarray(0, count) };
}

/** From entries to the places of their `element`-th value; entries with fewer values drop out. */
function elements(column: FieldColumn, entries: Candidates, element: number): Candidates {
  const { offsets } = column;
  if (offsets === null) return element === 0 ? entries : { count: 0, rows: NO_ROWS, entries: NO_ROWS };
  const rows = new Uint32Array(entries.count);
  const places = new Uint32Array(entries.count);
  let count = 0;
  for (let i = 0; i < entries.count; i++) {
    const entry = at(entries.entries, i);
    const place = (offsets[entry] as number) + element;
    if (place >= (offsets[entry + 1] as number)) continue;
    rows[count] = at(entries.rows, i);
    places[count++] = place;
  }
  return { count, rows: rows.subarray(0, count), entries: places.subarray(0, count) };
}

function selectColumn(column: FieldColumn, test: FieldTest, found: Candidates): Rows {
  switch (column.valueType) {
    case ValueType.STRING:
      return test.text ? selectText(column.values, test.text, found) : NO_ROWS;
    case ValueType.BYTES:
      return test.text ? selectBytes(column.values, test.text, found) : NO_ROWS;
    case ValueType.INTEGER:
      if (test.key) return selectKeys(column.values, test.key, found);
      return test.number ? selectLongs(column.values, test.number, found) : NO_ROWS;
    case ValueType.DOUBLE:
      if (test.key) return selectKeys(column.values, test.key, found);
      return test.number ? selectDoubles(column.values, test.number, found) : NO_ROWS;
    case ValueType.BOOL:
      if (test.key) return selectKeys({ at: (entry) => column.values[entry] !== 0 }, test.key, found);
      return test.boolean === null ? NO_ROWS : selectBooleans(column.values, test.boolean, found);
  }
}
