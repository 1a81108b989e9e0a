import { expect, it } from 'vitest';
import { prettySql } from '../../../../../../renderer/src/views/logs/inspector/pretty-sql.ts';

const sql = (...lines: readonly string[]) => [{ kind: 'SQL', text: lines.join('\n') }];

it.each([
  [
    'select a, b from orders where a = 1 and b between 2 and 3 order by a limit 5',
    sql('select a, b', 'from orders', 'where a = 1', '  and b between 2 and 3', 'order by a', 'limit 5'),
  ],
  [
    'SELECT * FROM a LEFT OUTER JOIN b ON a.id = b.id JOIN c ON c.id = b.id',
    sql('SELECT *', 'FROM a', 'LEFT OUTER JOIN b', '  ON a.id = b.id', 'JOIN c', '  ON c.id = b.id'),
  ],
  [
    'SELECT a FROM b WHERE c IN (SELECT d FROM e WHERE f = 1 AND g = 2)',
    sql('SELECT a', 'FROM b', 'WHERE c IN (SELECT d FROM e WHERE f = 1 AND g = 2)'),
  ],
  ['UPDATE users SET name = \'FROM WHERE\' WHERE "where" = 1', sql('UPDATE users', "SET name = 'FROM WHERE'", 'WHERE "where" = 1')],
  ['DELETE FROM users\n   WHERE id IS DISTINCT FROM 5 AND x = 1', sql('DELETE FROM users', 'WHERE id IS DISTINCT FROM 5', '  AND x = 1')],
  ['INSERT INTO users (name) VALUES (1), (2) RETURNING id', sql('INSERT INTO users (name)', 'VALUES (1), (2)', 'RETURNING id')],
  ['SELECT a, -- FROM the start\n b FROM t WHERE c > 12345', sql('SELECT a, -- FROM the start', 'b', 'FROM t', 'WHERE c > 12345')],
])('%s', (text, parts) => expect(prettySql(text)).toEqual(parts));

it('a statement behind the words that announce it', () => {
  const [before, statement] = prettySql('duration: 12 ms  statement: SELECT a FROM b WHERE c = 1') ?? [];
  expect(before).toEqual({ kind: null, text: 'duration: 12 ms  statement:' });
  expect(statement).toEqual(sql('SELECT a', 'FROM b', 'WHERE c = 1')[0]);
});

it.each([
  ['short', 'select a from b'],
  ['words', 'we select some of the users from time to time, and that is fine'.replace('select', 'choose')],
  ['a quote behind a backslash', String.raw`SELECT a FROM b WHERE c = 'it\'s' AND d = 'some more'`],
  ['a quote that does not end', "SELECT a FROM b WHERE c = 'this was cut off here somewh"],
  ['very long', `SELECT a FROM b WHERE c = '${'x'.repeat(20_000)}'`],
])('none: %s', (_what, text) => expect(prettySql(text)).toBeNull());
