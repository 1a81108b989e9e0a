import { parse, TomlError } from 'smol-toml';
import { offsetOf, positionOf } from './environment.ts';
import { layoutOf, type Path, type Statement } from './toml-layout.ts';

export type Table = Readonly<Record<string, unknown>>;

/** A syntax error, at an offset in the text. */
interface SyntaxProblem {
  readonly offset: number;
  readonly text: string;
}

export interface ParsedToml {
  /** The document without its broken sections. */
  readonly table: Table;
  readonly problems: readonly SyntaxProblem[];
  /** Names of the sections that are not in the table. */
  readonly broken: ReadonlySet<string>;
}

/** Further errors of one text are not told. */
const MOST_ERRORS = 20;

/**
 * Parses a TOML text. A section with a syntax error is left out and the others are read all the same, so that one mistake does not hide
 * those of other sections.
 */
export function parseToml(text: string): ParsedToml {
  const problems: SyntaxProblem[] = [];
  const broken = new Set<string>();
  let rest = text;
  while (problems.length < MOST_ERRORS) {
    try {
      return { table: parse(rest, { unsafeKeyBehaviour: 'throw' }), problems, broken };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const offset = offsetOf(rest, error.line, error.column);
      const statements = layoutOf(rest);
      const at = statements.findLastIndex(({ start }) => start <= offset);
      const again = repeated(statements, at, error);
      problems.push({ offset, text: `${faultOf(error)} in column ${error.column}: ${wordsFor(error, rest, statements[at], again)}` });
      const without = again?.kind === 'pair' ? blanked(rest, again.statement) : withoutSection(rest, statements, at, broken);
      if (without === rest) break;
      rest = without;
    }
  }
  return { table: {}, problems, broken };
}

/** A section or parameter that is there already. */
interface Repeated {
  readonly kind: Statement['kind'];
  readonly statement: Statement;
  readonly first: Statement;
}

/** The parser tells its errors apart by their words alone. */
const REDEFINES = /redefine/;
const TOO_LARGE = /cannot be represented losslessly/;

/** Larger integers are valid TOML, and no parameter takes them. */
const faultOf = ({ message }: TomlError): string => (TOO_LARGE.test(message) ? 'has too large an integer' : 'is not valid TOML');

function repeated(statements: readonly Statement[], at: number, error: TomlError): Repeated | null {
  const statement = statements[at];
  if (statement === undefined || !REDEFINES.test(error.message)) return null;
  const first = statements.slice(0, at).find(({ kind, path }) => kind === statement.kind && isSame(path, statement.path));
  return first === undefined ? null : { kind: statement.kind, statement, first };
}

const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every((part, i) => part === b[i]);

function wordsFor(error: TomlError, text: string, statement: Statement | undefined, again: Repeated | null): string {
  if (again !== null) {
    const { line } = positionOf(text, again.first.start);
    if (again.kind === 'header') return `the section [${again.first.path.join('.')}] is there already, in line ${line}: put both together`;
    return `${String(again.first.path.at(-1))} is set already, in line ${line}`;
  }
  if (statement?.kind === 'header') {
    const header = text.slice(statement.start, statement.end).replace(/\s*(?:#.*)?$/, '');
    if (!header.includes(']')) return `the name of the section is not closed: ${header}${header.startsWith('[[') ? ']]' : ']'} is meant`;
  }
  if (TOO_LARGE.test(error.message))
    return `at most ±${Number.MAX_SAFE_INTEGER} is exact. Write it with .0 behind it, or as a text in quotes`;
  // The first line, without the excerpt that follows it.
  return (error.message.split('\n')[0] as string).replace(/^Invalid TOML document: /, '');
}

/** Blanks all statements of the section that the one with the error belongs to, and what stands between them and the next section. */
function withoutSection(text: string, statements: readonly Statement[], at: number, broken: Set<string>): string {
  const headers = statements.filter(({ kind }) => kind === 'header');
  const error = statements[at];
  const own = error === undefined ? undefined : headers.findLast(({ start }) => start <= error.start);
  const name = own?.path[0];
  if (own === undefined || name === undefined) return blanked(text, { start: 0, end: headers[0]?.start ?? text.length });
  broken.add(String(name));
  return headers.reduce((rest, header, i) => {
    if (header.path[0] !== name) return rest;
    return blanked(rest, { start: header.start, end: headers[i + 1]?.start ?? text.length });
  }, text);
}

/** Places stay what they are. */
function blanked(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end);
}
