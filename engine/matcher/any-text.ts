import { isLaterField } from '../api/rule-fields.ts';
import { RAW_FIELD, type FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';
import type { PatternCondition } from './ast.ts';
import { textTest } from './conditions.ts';
import type { Select } from './fields.ts';
import { compileTextHeader } from './headers.ts';
import { selectBytes, selectText } from './kernels.ts';
import { at, candidates, minus, NO_ROWS, type Candidates, type Rows } from './rows.ts';

/** The rows of which some text passes, or with the opposite none: the Payload and the texts of fields. */
export function compileAnyText({ pattern, negated }: PatternCondition): Select {
  const condition: PatternCondition = { kind: 'pattern', pattern, negated: false };
  const payload = compileTextHeader('Payload', condition);
  const test = textTest(condition);
  const selectIn = (column: FieldColumn, found: Candidates): Rows => {
    if (column.valueType === ValueType.STRING) return selectText(column.values, test, found);
    return column.valueType === ValueType.BYTES ? selectBytes(column.values, test, found) : NO_ROWS;
  };
  return (batch, from) => {
    const { length } = batch;
    let rest = minus(from, payload(batch, from), length);
    for (const column of batch.fields) {
      if (rest !== null && rest.length === 0) break;
      if (!isText(column)) continue;
      const found = allValues(column, candidates(column.rows, rest, length));
      const hits = found.count === 0 ? NO_ROWS : selectIn(column, found);
      rest = minus(rest, column.offsets === null ? hits : once(hits as Uint32Array), length);
    }
    return negated ? rest : minus(from, rest, length);
  };
}

const isText = ({ name, valueType }: FieldColumn): boolean =>
  (valueType === ValueType.STRING || valueType === ValueType.BYTES) && name !== RAW_FIELD && !isLaterField(name);

/** From entries to the places of all their values; a row stands there once for each. */
function allValues({ offsets }: FieldColumn, entries: Candidates): Candidates {
  if (offsets === null) return entries;
  const rows: number[] = [];
  const places: number[] = [];
  for (let i = 0; i < entries.count; i++) {
    const entry = at(entries.entries, i);
    for (let place = offsets[entry] as number; place < (offsets[entry + 1] as number); place++) {
      rows.push(at(entries.rows, i));
      places.push(place);
    }
  }
  return { count: rows.length, rows: Uint32Array.from(rows), entries: Uint32Array.from(places) };
}

/** Ascending rows without repetitions. */
const once = (rows: Uint32Array): Uint32Array => rows.filter((row, i) => row !== rows[i - 1]);
