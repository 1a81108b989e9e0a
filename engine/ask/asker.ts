import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostCommand } from './host-command.ts';
import { lookupFolder } from '../lookup/folder.ts';
import { MemoryGuard } from '../sandbox/hosts/memory-guard.ts';
import { plainProblem, TOO_MUCH, withPlace, type Problem } from './problem.ts';
import type { Answer, Question, ResultColumn, ResultValue, SentQuestion } from './protocol.ts';
import type { Selection } from './selection.ts';

/** A query that DuckDB or our own rules refuse, or that took too much. The message has the place of the mistake, on further lines. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly problem: Problem;

  constructor(problem: Problem, sql: string) {
    super(withPlace(problem, sql));
    this.problem = problem;
  }
}

/** The rows of a result, as they come. */
export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  /** The records behind its rows; null: they cannot be told from the query. */
  readonly selection: Selection | null;
  readonly rows: AsyncIterable<readonly (readonly ResultValue[])[]>;
}

/** MiB that the process may have beside the memory of the query: DuckDB does not count all that it takes, and nothing of the program and of the rows on their way. */
const BESIDE_MIB = 192;

/**
 * Asks a question in a process of its own and hands the result to `read`. The process is gone when this resolves, and at once when `signal` is aborted.
 * On Linux it is also ended when it takes more memory than it may.
 * @throws {QueryError}
 */
export async function ask<T>(question: Question, signal: AbortSignal, read: (result: QueryResult) => Promise<T>): Promise<T> {
  const lookups = lookupFolder();
  const { entry, execArgv, env } = hostCommand(lookups);
  const child = fork(entry, [], {
    execArgv: [...execArgv],
    serialization: 'advanced',
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const failure = (text: string): QueryError => new QueryError(plainProblem(text), question.sql);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  const guard = child.pid === undefined ? null : MemoryGuard.of(child.pid);
  guard?.bound((question.memoryMib + BESIDE_MIB) * 2 ** 20);
  guard?.busy(true);
  try {
    if (signal.aborted) throw failure('interrupted');
    const answers = answersOf(child, question, guard);
    child.send({ ...question, lookups } satisfies SentQuestion);
    const first = await answers.next();
    if (first.done === true || first.value.kind !== 'columns') throw failure('the query was not answered');
    return await read({ columns: first.value.columns, selection: first.value.selection, rows: rowsOf(answers) });
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await end(child);
    guard?.busy(false);
    guard?.release();
  }
}

/** Waits for the end of a process, if it was started at all. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function* answersOf(
  child: ChildProcess,
  { sql, memoryMib }: Question,
  guard: MemoryGuard | null,
): AsyncGenerator<Exclude<Answer, { kind: 'problem' }>> {
  const waiting: Answer[] = [];
  let ended: string | null = null;
  let wake = Promise.withResolvers<void>();
  child.on('message', (answer: Answer) => {
    waiting.push(answer);
    wake.resolve();
  });
  const end = (why: string): void => {
    ended ??= why;
    wake.resolve();
  };
  child.on('error', (error) => end(error.message));
  void once(child, 'close').then(([code, sent]) => end(`the process that asks has ended (${String(sent ?? `exit code ${String(code)}`)})`));
  for (;;) {
    const answer = waiting.shift();
    if (answer === undefined) {
      if (ended !== null && guard?.heavy === true) throw new QueryError(tooMuch(memoryMib), sql);
      if (ended !== null) throw new QueryError({ ...plainProblem(ended), ran: true }, sql);
      wake = Promise.withResolvers<void>();
      await wake.promise;
    } else if (answer.kind === 'problem') throw new QueryError(answer, sql);
    else {
      yield answer;
      if (answer.kind === 'end') return;
    }
  }
}

/** As DuckDB tells it when it has noticed itself. */
const tooMuch = (memoryMib: number): Problem => ({
  text: `${TOO_MUCH} Error: the query took more than its ${memoryMib} MiB of memory, and was ended`,
  at: null,
  error: TOO_MUCH,
  ran: true,
});

async function* rowsOf(answers: AsyncIterable<Exclude<Answer, { kind: 'problem' }>>): AsyncGenerator<readonly (readonly ResultValue[])[]> {
  for await (const answer of answers) if (answer.kind === 'rows') yield answer.rows;
}
