import { headerNamed, type IntRow, type TextRow } from '../api/headers.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { NumberCondition, NumberVariable, TextCondition, TextVariable } from './ast.ts';
import { numberTest, passes, textTest } from './conditions.ts';
import type { Select } from './fields.ts';
import { selectInts, selectLongs, selectText } from './kernels.ts';
import { at, candidates, minus, NO_ROWS, room, take, type Candidates, type Rows } from './rows.ts';
import { formatUuid } from './text.ts';

export function compileTextHeader(variable: TextVariable, condition: TextCondition): Select {
  const test = textTest(condition);
  if (variable === 'Uuid') return compileUuid((text) => test.text(text, 0, text.length));
  const { member, unset: value } = headerNamed(variable) as TextRow;
  const unset = test.text(value, 0, value.length);
  return (batch, from) => {
    const column = batch[member];
    if (column === null) return unset ? from : NO_ROWS;
    const { constant } = column;
    if (constant !== undefined) return test.text(constant, 0, constant.length) ? from : NO_ROWS;
    return withUnset(batch, from, column.rows, unset, (found) => selectText(column, test, found));
  };
}

export function compileNumberHeader(variable: NumberVariable, condition: NumberCondition): Select {
  const test = numberTest(condition);
  if (variable === 'Timestamp') {
    return (batch, from) => selectLongs(batch.timestamps, test, candidates(null, from, batch.length));
  }
  const { member, unset: value } = headerNamed(variable) as IntRow;
  const unset = passes(test, value);
  return (batch, from) => {
    const column = batch[member];
    if (column === null) return unset ? from : NO_ROWS;
    if (column.constant !== undefined) return passes(test, column.constant) ? from : NO_ROWS;
    return withUnset(batch, from, column.rows, unset, (found) => selectInts(column.values, test, found));
  };
}

/** Selects among the rows that have an entry; the others count as hits when `unset` says so. */
function withUnset(batch: MessageBatch, from: Rows, rows: Rows, unset: boolean, select: (found: Candidates) => Rows): Rows {
  const found = candidates(rows, from, batch.length);
  const hits = found.count === 0 ? NO_ROWS : select(found);
  if (!unset || rows === null) return hits;
  return minus(from, minus(found.rows, hits, batch.length), batch.length);
}

function compileUuid(matches: (text: string) => boolean): Select {
  return (batch, from) => {
    const found = candidates(null, from, batch.length);
    const { uuids } = batch;
    const out = room(found.count);
    let hits = 0;
    for (let i = 0; i < found.count; i++) {
      const row = at(found.rows, i);
      if (matches(formatUuid(uuids, row * 16))) out[hits++] = row;
    }
    return take(found, hits);
  };
}
