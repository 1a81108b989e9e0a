import { parse, TomlError } from 'smol-toml';
import { ConfigTextError, expandEnvironment, offsetOf, positionOf, type Environment, type Expanded } from './environment.ts';
import type { ConfigProblem } from './problems.ts';
import type { Origin } from './schema/sections.ts';
import { layoutOf } from './toml-layout.ts';

export type Table = Readonly<Record<string, unknown>>;

/** Content of one or several merged files, with the places of its values. */
export interface ConfigDocument {
  readonly table: Table;
  /** Place of the value at a path, as far as the path exists; undefined for a document without it. */
  origin(path: readonly PropertyKey[]): Origin | undefined;
}

export interface ParsedDocument {
  readonly document: ConfigDocument;
  readonly problems: readonly ConfigProblem[];
}

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const EMPTY: ConfigDocument = { table: {}, origin: () => undefined };

/**
 * Parses one TOML text. An invalid text yields an empty document and its first problem.
 * @param environment null: variables are not replaced
 */
export function parseDocument(text: string, file: string, environment: Environment | null): ParsedDocument {
  try {
    const expanded = environment === null ? asItIs(text) : expandEnvironment(text, environment);
    const lineAt = (offset: number): number => positionOf(text, expanded.originalOffset(offset)).line;
    try {
      const table = parse(expanded.text, { unsafeKeyBehaviour: 'throw' }) as Table;
      return { document: { table, origin: originsOf(expanded.text, file, lineAt) }, problems: [] };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // The line in the file, which differs from the parser's when the value of a variable has line ends.
      const line = lineAt(offsetOf(expanded.text, error.line, error.column));
      return { document: EMPTY, problems: [{ file, line, section: '', key: '', text: syntaxText(error), hint: '' }] };
    }
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    const { line } = positionOf(text, error.offset);
    return { document: EMPTY, problems: [{ file, line, section: '', key: '', text: error.message, hint: '' }] };
  }
}

const asItIs = (text: string): Expanded => ({ text, originalOffset: (offset) => offset });

/** The first line of a syntax error, without the excerpt that follows it. */
function syntaxText(error: TomlError): string {
  const first = (error.message.split('\n')[0] as string).replace(/^Invalid TOML document: /, '');
  return `is not valid TOML in column ${error.column}: ${first}`;
}

function originsOf(text: string, file: string, lineAt: (offset: number) => number): ConfigDocument['origin'] {
  const starts = new Map<string, number>();
  const note = (path: readonly PropertyKey[], start: number): void => {
    // A table begins where it, or anything in it, is named first.
    for (let length = path.length; length > 0; length--) {
      const id = JSON.stringify(path.slice(0, length));
      if (!starts.has(id)) starts.set(id, start);
    }
  };
  for (const statement of layoutOf(text)) {
    note(statement.path, statement.start);
    if (statement.kind === 'pair') for (const { path, start } of statement.inner) note(path, start);
  }
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const start = starts.get(JSON.stringify(path.slice(0, length)));
      if (start !== undefined) return { file, line: lineAt(start) };
    }
    return undefined;
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
