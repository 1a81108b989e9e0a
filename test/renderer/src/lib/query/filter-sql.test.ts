import { expect, test } from 'vitest';
import type { QueryTable } from '../../../../../engine/api/types.ts';
import { matcherSql } from '../../../../../renderer/src/lib/query/filter-sql.ts';

const column = (name: string, variable: string, type: 'string' | 'number' | 'bool'): QueryTable['columns'][number] => ({
  name,
  type: 'VARCHAR',
  variable: { name: variable, type },
});
const table = {
  name: 'log',
  columns: [
    column('status', 'Fields[status]', 'number'),
    column('a name', 'Fields[name]', 'string'),
    column('done', 'Fields[done]', 'bool'),
    column('Hostname', 'Hostname', 'string'),
  ],
} as unknown as QueryTable;

test.each([
  ['Fields[status] >= 500', 'status >= 500'],
  ['Fields[status] == 404 || Fields[status] > 499 && Fields[done] == TRUE', '(status = 404 OR (status > 499 AND done = true))'],
  ["(Fields[name] != 'it\\'s')", `"a name" != 'it''s'`],
  ['Fields[status] == NIL', 'status IS NULL'],
  ['Fields[status] != NIL', 'status IS NOT NULL'],
  ["Hostname == ''", 'Hostname IS NULL'],
  ["Fields[name] == ''", `"a name" = ''`],
  ['Fields[other] == 1', null],
  ["Fields[status] == 'text'", null],
  ['Fields[name] =~ /x/', null],
  ['Fields[status] >= 500 &&', null],
  ['(Fields[status] >= 500', null],
])('%s is %s in SQL', (expression, sql) => expect(matcherSql(expression, table)).toBe(sql));
