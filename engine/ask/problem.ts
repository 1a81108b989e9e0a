/** The mistake in a query and its place. */
export interface Problem {
  /** In one or several lines, without the place. */
  readonly text: string;
  /** Place in the query, in UTF-16 units; null: not known. */
  readonly at: number | null;
  /** The kind of DuckDB's error, by its name there, such as `Out of Memory`; null: it is none of DuckDB's. */
  readonly error: string | null;
  /** The query was understood, and failed when it ran: a file may be damaged. */
  readonly ran: boolean;
}

/** Kind of the error of a query that takes more memory, or more temporary files, than it may. */
export const TOO_MUCH = 'Out of Memory';

/** A problem without a place that is none of DuckDB's. */
export const plainProblem = (text: string): Problem => ({ text, at: null, error: null, ran: false });

/** Advice of DuckDB to change its settings, which a query cannot. */
const SETTINGS = /\nPossible solutions:.*$/s;

/** Advice to load an extension, which a query cannot. */
const EXTENSION = /it exists in the (\w+) extension\.?\n.*$/s;

/** Reads an error of DuckDB, which writes it as JSON (`errors_as_json`), or one of ours. @param ran whether the query ran already */
export function problemOf(message: string, sql: string, ran: boolean): Problem {
  const json = /(?:^|: )(\{"exception_type":.*\})$/s.exec(message)?.[1];
  if (json === undefined) return { ...plainProblem(message), ran };
  try {
    const { exception_type: type, exception_message: text, position } = JSON.parse(json) as Readonly<Record<string, string | undefined>>;
    const at = position === undefined ? null : unitsOf(sql, Number(position));
    const words = (text ?? '').replace(SETTINGS, '').replace(EXTENSION, 'it is of the extension $1, which a query cannot load.');
    return {
      text: `${type ?? ''} Error: ${words}${quotesNeeded(words, sql, at)}`.trim(),
      at,
      error: type ?? null,
      ran,
    };
  } catch {
    return { ...plainProblem(message), ran };
  }
}

/** Advice to quote a word of SQL that stands where a table is named, such as that of `order.log`; empty: that is not the mistake. */
function quotesNeeded(text: string, sql: string, at: number | null): string {
  const word = /^syntax error at or near "(\w+)"/.exec(text)?.[1];
  if (word === undefined || at === null || !/\b(?:from|join)\s+$/i.test(sql.slice(0, at))) return '';
  return `, which is a word of SQL: as the name of a table it stands in double quotes, "${word}"`;
}

/** Turns an offset in UTF-8 into one in UTF-16. */
const unitsOf = (text: string, bytes: number): number => Buffer.from(text).subarray(0, bytes).toString().length;

/** Line and column of an offset, both from 1 on. */
function placeOf(sql: string, at: number): { readonly line: number; readonly column: number } {
  const before = sql.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The problem with the line that it is in, and a mark below its place. */
export function withPlace({ text, at }: Pick<Problem, 'text' | 'at'>, sql: string): string {
  if (at === null) return text;
  const { line, column } = placeOf(sql, at);
  const head = `LINE ${line}: `;
  const shown = (sql.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  return `${text}\n\n${head}${shown}\n${' '.repeat(head.length + column - 1)}^`;
}
