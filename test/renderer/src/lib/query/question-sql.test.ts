import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Question, QueryTable } from '../../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../../engine/plugins/starter.ts';
import { measuresOf } from '../../../../../renderer/src/lib/charts/question.ts';
import { queryOf } from '../../../../../renderer/src/lib/charts/record-graph.ts';
import { byMatcher, NO_FILTER, withTerm, type Filter } from '../../../../../renderer/src/lib/filter/filter.ts';
import { matcherSql } from '../../../../../renderer/src/lib/query/filter-sql.ts';
import { noTable, questionSql, tableFor } from '../../../../../renderer/src/lib/query/question-sql.ts';
import { Engine } from '../../../../engine/workspace/engine-fixture.ts';

const LINES = Array.from({ length: 120 }, (_, i) =>
  JSON.stringify({
    time: new Date(1_700_000_000_000 + i * 1700).toISOString(),
    level: i % 7 === 0 ? 'error' : 'info',
    path: `/p${i % 5}`,
    ...(i % 4 === 0 ? {} : { user: ['ann', "o'bo", 'x"y'][i % 3] }),
    took: (i * 37) % 91,
    written: String((i * 11) % 13),
    msg: 'done',
  }),
);
/** Of another file, with fields of its own beside those of the first. */
const OTHERS = Array.from({ length: 50 }, (_, i) =>
  JSON.stringify({
    time: new Date(1_700_000_000_500 + i * 1900).toISOString(),
    level: 'warn',
    path: `/p${i % 3}`,
    user: 'cleo',
    took: i,
    zone: `z${i % 2}`,
    msg: 'moved',
  }),
);
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-question-'));
let engine: Engine;
const sources: number[] = [];
let tables: readonly QueryTable[] = [];
beforeAll(async () => {
  engine = new Engine(undefined, startSandboxes());
  for (const [name, lines] of [
    ['steps.jsonl', LINES],
    ['moves.jsonl', OTHERS],
    ['rests.jsonl', OTHERS.slice(0, 9)],
  ] as const) {
    const log = join(folder, name);
    writeFileSync(log, `${lines.join('\n')}\n`);
    const id = await engine.open(log);
    sources.push(id);
    while ((await engine.source(id))?.state !== 'following') await delay(10);
  }
  tables = await engine.ask('query.tables', {});
});
afterAll(async () => {
  await engine.workspace.stop();
  rmSync(folder, { recursive: true, force: true });
});

const question = (part: Partial<Question>): Question => ({ measure: 'count', of: null, by: [], display: 'list', unit: '', ...part });
const filtered = (...terms: readonly (readonly [expression: string, out?: boolean])[]): Filter =>
  terms.reduce((filter, [expression, out]) => withTerm(filter, byMatcher(expression, expression, out)), NO_FILTER);

/** Rows by their texts: the values of a group, and its numbers. */
const textsOf = (rows: readonly (readonly unknown[])[]): string[] =>
  rows
    .map((row) => row.map((cell) => (typeof cell === 'number' ? (Number.isNaN(cell) ? null : Number(cell.toFixed(6))) : cell)).join(' | '))
    .sort();

async function answered(asked: Question, filter: Filter): Promise<string[]> {
  const { view } = await engine.ask('view.open', { query: queryOf(asked, filter) });
  try {
    for (;;) {
      const wish = { view, measures: [...measuresOf(asked)], of: asked.of, by: [...asked.by], over: null, limit: 1000 };
      const { groups, all, complete } = await engine.ask('view.measure', wish);
      if (!complete) continue;
      const shown = asked.by.length === 0 ? [{ values: [] as readonly string[], ...all }] : groups;
      return textsOf(shown.map(({ values, numbers, records }) => [...values, ...numbers, ...(asked.measure === 'count' ? [] : [records])]));
    }
  } finally {
    await engine.ask('view.close', { view });
  }
}

async function queried(sql: string): Promise<string[]> {
  const reply = await engine.ask('query.run', { sql });
  if (reply.kind !== 'rows') throw new Error(`${JSON.stringify(reply)} of ${sql}`);
  return textsOf(reply.rows);
}

describe('the query of a question gives what the builder answers', () => {
  const TOOK = 'Fields[took]';
  const FILTERS: readonly Filter[] = [
    NO_FILTER,
    filtered(['Fields[took] >= 40'], ["Fields[user] == 'ann'", true]),
    filtered([`Fields[user] == "o'bo" || Fields[user] == NIL && Fields[path] != '/p1'`]),
    { ...filtered(["Fields[path] == '/p2'"], ["Fields[user] == 'ann'"], ['Fields[took] < 5', true]), any: true },
    { ...NO_FILTER, from: 1_700_000_020_000, to: 1_700_000_090_500 },
  ];
  it.each<readonly [string, Partial<Question>]>([
    ['a count', {}],
    ['a count by a field', { by: ['Fields[user]'] }],
    ['a count by a field and a header', { by: ['Fields[path]', 'Severity'] }],
    ...(['sum', 'average', 'min', 'max', 'p50', 'p95', 'p99', 'distinct'] as const).map(
      (measure) => [`${measure} by a field`, { measure, of: TOOK, by: ['Fields[path]'] }] as const,
    ),
    ['percentiles of all', { measure: 'percentiles', of: TOOK }],
    ['the range of texts that are written like numbers', { measure: 'range', of: 'Fields[written]' }],
    ['a count by a field of two of the files', { by: ['Fields[zone]'] }],
    ['different values of a text', { measure: 'distinct', of: 'Fields[user]', by: ['Fields[path]', 'Fields[took]'] }],
  ])('%s', async (_, part) => {
    const asked = question(part);
    const ofSources = [[0], [1, 2]].map((which) => ({
      ...filtered(['Fields[took] >= 10']),
      sources: which.map((at) => sources[at] ?? 0),
    }));
    for (const filter of [...FILTERS, ...ofSources]) {
      const sql = questionSql(asked, filter, tables, null) ?? '';
      expect([sql, await queried(sql)]).toEqual([sql, await answered(asked, filter)]);
    }
  });

  it('over time by the unit that fits, and says what it leaves out', async () => {
    const term = { kind: 'text' as const, text: 'done', label: 'done', caseSensitive: false, out: false };
    const sql = questionSql(question({ by: ['Fields[path]'], display: 'chart' }), withTerm(NO_FILTER, term), tables, 120_000) ?? '';
    expect(sql).toContain('-- Without the filter “done”');
    expect(sql).toContain("date_trunc('minute', Timestamp) AS minute");
    expect(await queried(sql)).not.toEqual([]);
  });
});

const table = (name: string, rows: number, variables: readonly string[], source = 1): QueryTable => ({
  name,
  sources: [source],
  rows,
  columns: variables.map((variable) => ({ name: variable, type: 'VARCHAR', variable: { name: variable, type: 'string' } })),
});

test('takes the table that has the variables, of the sources that are shown', () => {
  const some = [table('messages', 30, ['a', 'b']), table('one', 10, ['a']), table('two', 20, ['a', 'b'], 2)];
  expect(tableFor(some, { of: null, by: ['a'] }, [])?.table.name).toBe('messages');
  expect(tableFor(some, { of: null, by: ['b'] }, [])?.table.name).toBe('two');
  expect(tableFor(some.slice(1), { of: null, by: ['a'] }, [])?.table.name).toBe('two');
  expect(tableFor(some, { of: null, by: ['a'] }, [1])?.table.name).toBe('one');
  expect(tableFor(some, { of: null, by: ['b'] }, [1])?.table.name).toBe('messages');
  expect(tableFor(some, { of: null, by: ['a'] }, [1, 2])).toEqual({ table: some[0], among: null });
  expect(tableFor(some, { of: 'b', by: [] }, [])).toEqual({ table: some[0], among: null });
  expect(tableFor(some, { of: null, by: ['b'] }, [1])).toEqual({ table: some[0], among: ['one'] });
  expect(tableFor(some, { of: null, by: ['c'] }, [])).toBeNull();
  expect(questionSql(question({ by: ['c'] }), NO_FILTER, some, null)).toBeNull();
  expect(noTable(question({ of: 'Fields[c]', by: ['Type'] }))).toBe('-- No table has c and Type.');
});

test.each([
  ["a == 'x' || (b != NIL && a != 'y')", "(a = 'x' OR (b IS NOT NULL AND a != 'y'))"],
  [`a == 'it\\'s'`, "a = 'it''s'"],
  ["a == ''", "a = ''"],
  ['a =~ /x/', null],
  ["a == 'x' && ", null],
  ["(a == 'x'", null],
  ["c == 'x'", null],
  ['a == 5', null],
  ['a == TRUE', null],
])('%s in SQL', (expression, sql) => {
  const of = {
    ...table('t', 1, ['Fields[a]', 'Fields[b]']),
    columns: ['a', 'b'].map((name) => ({ name, type: 'VARCHAR', variable: { name: `Fields[${name}]`, type: 'string' as const } })),
  };
  expect(matcherSql(expression.replaceAll(/\b([abc])\b(?= [=!])/g, 'Fields[$1]'), of)).toBe(sql);
});
