/**
 * The process that asks: it opens DuckDB over the files that it is given, answers one question and ends. DuckDB is native code, which strangers' SQL is not to
 * bring into the engine; what it may reach is set here before that SQL is read.
 */
import { useLookups } from '../lookup/folder.ts';
import { openTables } from './database.ts';
import { neededTables } from './needed-tables.ts';
import { problemOf } from './problem.ts';
import type { Answer, Question, ResultValue, SentQuestion } from './protocol.ts';
import { ResultRows } from './result-values.ts';
import { selectionOf } from './selection.ts';
import { prepared } from './statement.ts';

/** Sends an answer, and waits until it has gone, so that a slow reader slows the query. */
const send = (answer: Answer): Promise<void> =>
  new Promise((resolve, reject) => process.send?.(answer, undefined, undefined, (error) => (error === null ? resolve() : reject(error))));

/** Characters and entries after which rows are sent. */
const MESSAGE_SIZE = 1 << 20;

/** Whether the query was understood, and runs. */
let runs = false;

async function answer(question: Question): Promise<void> {
  const connection = await openTables({ ...question, tables: neededTables(question.tables, question.sql) });
  const { statement, tree } = await prepared(connection, question.sql);
  const selection = selectionOf(tree);
  runs = true;
  const result = await statement.stream();
  const types = result.columnTypes();
  const names = result.columnNames();
  await send({ kind: 'columns', columns: names.map((name, i) => ({ name, type: String(types[i]) })), selection });
  const made = new ResultRows(names);
  for await (const chunk of result) {
    let rows: (readonly ResultValue[])[] = [];
    let size = 0;
    // One by one: a chunk may hold more in its rows than fits into memory as values.
    for (let i = 0; i < chunk.rowCount; i++) {
      const row = made.row(chunk.getRowValues(i));
      rows.push(row.values);
      size += row.size;
      if (size < MESSAGE_SIZE) continue;
      await send({ kind: 'rows', rows });
      rows = [];
      size = 0;
    }
    if (rows.length > 0) await send({ kind: 'rows', rows });
  }
  await send({ kind: 'end' });
}

process.once('message', (question: SentQuestion) => {
  useLookups(question.lookups);
  answer(question)
    .catch((error: unknown) =>
      send({ kind: 'problem', ...problemOf(error instanceof Error ? error.message : String(error), question.sql, runs) }),
    )
    .finally(() => process.exit(0));
});
process.once('disconnect', () => process.exit(0));
