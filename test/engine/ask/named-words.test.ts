import { describe, expect, it } from 'vitest';
import { namedWords } from '../../../engine/ask/named-words.ts';

const words = (sql: string): ReadonlySet<string> | null => namedWords(sql, ['messages', 'access', 'other']);

describe('namedWords', () => {
  it.each([
    ['SELECT status, count(*) FROM access GROUP BY 1 ORDER BY 2 DESC', ['status']],
    ['select "Remote ""Addr", COUNT( * ) from ACCESS a where a.Status::INT >= 500 -- not this', ['remote "addr', 'status']],
    [`WITH t AS (SELECT status AS s FROM access) SELECT s, 'request' FROM t;`, ['status']],
    [
      'SELECT o.x FROM access AS a JOIN other o ON a.id = o.id WHERE EXISTS (SELECT 1 FROM messages WHERE Payload IS NOT NULL)',
      ['x', 'id', 'payload'],
    ],
    ['SELECT status /* and all * of it */ FROM access WHERE request IS DISTINCT FROM referer', ['status', 'request', 'referer']],
    ['SELECT date_trunc($$hour$$, Timestamp) FROM access', ['timestamp']],
  ])('finds the names in %s', (sql, names) => {
    const found = words(sql);
    for (const name of names) expect(found).toContain(name);
    for (const name of ['not', 'all', 'hour'].filter((each) => !sql.includes('NOT') || each !== 'not')) expect(found).not.toContain(name);
    if (!names.includes('request')) expect(found).not.toContain('request');
  });

  it.each([
    ...[
      'SELECT * FROM access',
      'SELECT a.* FROM access a',
      'SELECT 2 * status FROM access',
      'FROM access',
      'TABLE access',
      'DESCRIBE access',
    ],
    ...['SELECT status FROM (FROM access)', 'WITH t AS (SELECT status FROM access) FROM access', 'SELECT 1 UNION ALL FROM access'],
    ...[
      'SELECT access FROM access',
      'SELECT count(a) FROM access a',
      'SELECT count(a) FROM access AS a',
      'SELECT to_json(messages) FROM messages',
    ],
    ...["SELECT COLUMNS('s.*') FROM access", 'SELECT #1 FROM access', 'SELECT a FROM access t(a, b)', 'SELECT a FROM access AS t(a)'],
    ...['SELECT status FROM access NATURAL JOIN other', 'SELECT status FROM access, other', 'PIVOT access ON status', 'SUMMARIZE access'],
    ...[
      "SELECT 'open FROM access",
      'SELECT "open FROM access',
      'SELECT "access" FROM access',
      'SELECT "columns"(x) FROM access',
      'SELECT column_name FROM duckdb_columns()',
      'SELECT status FROM main.access',
      '',
    ],
    ...[
      "SELECT e'a' FROM access",
      'SELECT [status] FROM access',
      'SELECT ? FROM access',
      'SELECT 1 FROM access; SELECT 2',
      'SELECT extract(year FROM Timestamp) FROM access',
    ],
  ])('does not tell the columns of %s', (sql) => {
    expect(words(sql)).toBe(null);
  });
});
