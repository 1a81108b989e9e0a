import type { QueryCell, QueryRows } from '../../api/query-types.ts';
import type { QueryResult } from '../../ask/asker.ts';
import type { ResultValue } from '../../ask/protocol.ts';
import { plainText } from '../../ask/result-text.ts';

/** Rows of a result that the window gets, the characters of all of them, and those of one value. */
const MAX_ROWS = 10_000;
const MAX_TEXT = 16_000_000;
const MAX_CELL = 2000;

/** The first rows of a result. */
export async function firstRows({ columns, rows }: QueryResult, most = MAX_ROWS): Promise<Pick<QueryRows, 'columns' | 'rows' | 'more'>> {
  const page: QueryCell[][] = [];
  let characters = 0;
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (page.length >= most || characters >= MAX_TEXT) return { columns, rows: page, more: true };
      const cells = row.map(cellOf);
      for (const cell of cells) characters += typeof cell === 'string' ? cell.length + 8 : 8;
      page.push(cells);
    }
  }
  return { columns, rows: page, more: false };
}

function cellOf(value: ResultValue): QueryCell {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  const text = plainText(value);
  return text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL)}…`;
}
