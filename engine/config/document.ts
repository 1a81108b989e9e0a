import { ConfigTextError, expandEnvironment, positionOf, type Environment, type Expanded } from './environment.ts';
import type { ConfigProblem } from './problems.ts';
import type { Origin } from './schema/sections.ts';
import { layoutOf } from './toml-layout.ts';
import { parseToml, type Table } from './toml-parse.ts';

export type { Table } from './toml-parse.ts';

/** Content of one or several merged files, with the places of its values. */
export interface ConfigDocument {
  readonly table: Table;
  /** Place of the value at a path, as far as the path exists; undefined for a document without it. */
  origin(path: readonly PropertyKey[]): Origin | undefined;
}

/** A variable of the environment that is named and has no value. */
export interface UnsetVariable extends Origin {
  readonly name: string;
}

export interface ParsedDocument {
  readonly document: ConfigDocument;
  readonly problems: readonly ConfigProblem[];
  /** Names of sections that were left out, because their text is not valid. */
  readonly broken: ReadonlySet<string>;
  /** Unset variables of the environment that are used outside of comments. */
  readonly unset: readonly UnsetVariable[];
}

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const EMPTY: ConfigDocument = { table: {}, origin: () => undefined };

/** A document that could not be read. */
export const unreadDocument = (problem: ConfigProblem): ParsedDocument => ({
  document: EMPTY,
  problems: [problem],
  broken: new Set(),
  unset: [],
});

/**
 * Parses one TOML text. Sections with syntax errors are left out.
 * @param environment null: variables are not replaced
 */
export function parseDocument(text: string, file: string, environment: Environment | null): ParsedDocument {
  const problem = (line: number, said: string): ConfigProblem => ({
    code: 'config.syntax',
    file,
    line,
    section: '',
    key: '',
    text: said,
    hint: '',
  });
  try {
    const expanded = environment === null ? asItIs(text) : expandEnvironment(text, environment);
    // The line in the file, which differs from the parser's when the value of a variable has line ends.
    const lineOf = linesOf(text);
    const lineAt = (offset: number): number => lineOf(expanded.originalOffset(offset));
    const { table, problems, broken } = parseToml(expanded.text);
    if (Object.keys(table).length > MOST_SECTIONS) return unreadDocument(problem(0, tooMany()));
    return {
      document: { table, origin: originsOf(expanded.text, file, lineAt) },
      problems: problems.map(({ offset, text: said }) => problem(lineAt(offset), said)),
      broken,
      unset: unsetOf(expanded).map(({ name, offset }) => ({ name, file, line: lineAt(offset) })),
    };
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    return unreadDocument(problem(positionOf(text, error.offset).line, error.message));
  }
}

/** Sections of a file that can be a configuration: each one may become an input. */
const MOST_SECTIONS = 10_000;
/** Made when it is needed: the first number that is written so takes milliseconds. */
const tooMany = (): string => `has more than ${MOST_SECTIONS.toLocaleString('en')} sections: remove those that nobody needs`;

/** Tells the 1-based lines of offsets. */
function linesOf(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [before, after] = [0, starts.length];
    while (after - before > 1) {
      const middle = (before + after) >> 1;
      if ((starts[middle] as number) <= offset) before = middle;
      else after = middle;
    }
    return before + 1;
  };
}

const asItIs = (text: string): Expanded => ({ text, unset: [], originalOffset: (offset) => offset });

/** The unset variables outside of comments. */
function unsetOf({ text, unset }: Expanded): Expanded['unset'] {
  if (unset.length === 0) return [];
  const statements = layoutOf(text);
  return unset.filter(({ offset }) => {
    const within = statements.findLast(({ start }) => start <= offset);
    if (within === undefined) return !isComment(text, offset);
    return within.kind === 'pair' && offset <= within.valueEnd ? true : !isComment(text, offset);
  });
}

/** Tells whether a # stands before an offset in its line. */
const isComment = (text: string, offset: number): boolean => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).includes('#');

/** The place at which a key, or anything in it, is named first, and those of the keys in it. */
interface Named {
  readonly start: number;
  readonly inner: Map<PropertyKey, Named>;
}

function originsOf(text: string, file: string, lineAt: (offset: number) => number): ConfigDocument['origin'] {
  const top: Named = { start: 0, inner: new Map() };
  const note = (path: readonly PropertyKey[], start: number): void => {
    let at = top;
    for (const key of path) {
      const known = at.inner.get(key) ?? { start, inner: new Map() };
      at.inner.set(key, known);
      at = known;
    }
  };
  for (const statement of layoutOf(text)) {
    note(statement.path, statement.start);
    if (statement.kind === 'pair') for (const { path, start } of statement.inner) note(path, start);
  }
  return (path) => {
    let at = top;
    for (const key of path) {
      const inner = at.inner.get(key);
      if (inner === undefined) break;
      at = inner;
    }
    return at === top ? undefined : { file, line: lineAt(at.start) };
  };
}

/** Merges documents: tables are joined, top-level lists of tables appended; of other values the later one wins, with its place. */
export function mergeDocuments(documents: readonly ConfigDocument[]): ConfigDocument {
  const [first, ...others] = documents;
  if (first === undefined) return EMPTY;
  return others.reduce((earlier, later) => {
    const table = { ...mergeTables(earlier.table, later.table), ...joinedLists(earlier.table, later.table) };
    // A table that the later document only continues, such as a section, begins in the earlier one.
    const origin: ConfigDocument['origin'] = ([section, ...path]) => {
      if (section === undefined) return earlier.origin([]);
      const before = earlier.table[String(section)];
      const [index, ...inner] = path;
      if (isListOfTables(before) && typeof index === 'number')
        return index < before.length ? earlier.origin([section, ...path]) : later.origin([section, index - before.length, ...inner]);
      const whole = [section, ...path];
      return (isTable(valueAt(later.table, whole)) ? undefined : exactOrigin(later, whole)) ?? earlier.origin(whole) ?? later.origin(whole);
    };
    return { table, origin };
  }, first);
}

function joinedLists(earlier: Table, later: Table): Table {
  const joined = Object.entries(later).flatMap(([key, value]): [string, unknown][] => {
    const before = earlier[key];
    return isListOfTables(before) && isListOfTables(value) ? [[key, [...before, ...value]]] : [];
  });
  return Object.fromEntries(joined);
}

const isListOfTables = (value: unknown): value is readonly Table[] => Array.isArray(value) && value.length > 0 && value.every(isTable);

function exactOrigin(document: ConfigDocument, path: readonly PropertyKey[]): Origin | undefined {
  return valueAt(document.table, path) === undefined ? undefined : document.origin(path);
}

function mergeTables(earlier: Table, later: Table): Table {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = merged[key];
    merged[key] = isTable(before) && isTable(value) ? mergeTables(before, value) : value;
  }
  return merged;
}

export function valueAt(table: Table, path: readonly PropertyKey[]): unknown {
  let value: unknown = table;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
