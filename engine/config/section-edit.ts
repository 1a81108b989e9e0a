import { isDeepStrictEqual } from 'node:util';
import { isTable, valueAt, type Table } from './document.ts';
import { applyEdits, lineStart, newlineOf, withComment, type Edit } from './text-edits.ts';
import { layoutOf, type Header, type Pair, type Path, type Statement } from './toml-layout.ts';
import { comparable, formatKey, formatPath, formatTable, formatValue, type ConfigData, type SectionData } from './toml-write.ts';

/** Changes one section in place, statement by statement. The caller checks that the result has the wanted values. */
export class SectionEdit {
  readonly #text: string;
  readonly #name: string;
  readonly #old: Table;
  readonly #newline: string;
  readonly #statements: readonly Statement[];
  readonly #pairs: readonly Pair[];
  readonly #edits: Edit[] = [];

  /** @param old present values of the section */
  constructor(text: string, name: string, old: Table) {
    this.#text = text;
    this.#name = name;
    this.#old = old;
    this.#newline = newlineOf(text);
    this.#statements = layoutOf(text).filter((statement) => statement.path[0] === name);
    this.#pairs = this.#statements.filter((statement) => statement.kind === 'pair');
  }

  /** Returns the whole text with the section changed. */
  apply(values: SectionData): string {
    for (const statement of this.#statements) this.#revise(statement, values);
    this.#complete([], values);
    return applyEdits(this.#text, this.#edits);
  }

  /** Removes a statement that is no longer wanted, or rewrites its value when that has changed. */
  #revise(statement: Statement, values: SectionData): void {
    const inside = statement.path.slice(1);
    const wanted = valueAt(values, inside);
    if (statement.kind === 'header') {
      if (!isTable(inside.length === 0 ? values : wanted)) this.#cut(withComment(this.#text, statement.start), statement.end);
    } else if (wanted === undefined) this.#cut(lineStart(this.#text, statement.start), statement.end);
    else if (!isDeepStrictEqual(comparable(wanted), comparable(valueAt(this.#old, inside)))) {
      this.#edits.push({ start: statement.valueStart, end: statement.valueEnd, text: formatValue(wanted as ConfigData) });
    }
  }

  #cut(start: number, end: number): void {
    this.#edits.push({ start, end, text: '' });
  }

  /** Adds the values that the section's table at `inside` lacks. */
  #complete(inside: readonly string[], table: SectionData): void {
    const missing: [string, ConfigData][] = [];
    for (const [key, value] of Object.entries(table)) {
      const path = [...inside, key];
      const old = valueAt(this.#old, path);
      if (old === undefined) missing.push([key, value]);
      else if (isTable(value) && isTable(old) && !this.#isOnePair(path)) this.#complete(path, value);
    }
    if (missing.length > 0) this.#insert(inside, missing);
  }

  /** Tells whether the value at `path` lies in a single pair, which was rewritten as a whole. */
  #isOnePair(path: Path): boolean {
    return this.#pairs.some((pair) => startsWith(path, pair.path.slice(1)));
  }

  #insert(inside: readonly string[], missing: readonly [string, ConfigData][]): void {
    const path = [this.#name, ...inside];
    const header = this.#statements.find((statement): statement is Header => statement.kind === 'header' && isSame(statement.path, path));
    const dotted = header ? undefined : this.#pairs.findLast((pair) => pair.table.length < path.length && startsWith(pair.path, path));
    if (dotted) {
      this.#insertLines(dotted, dotted.table, missing, path.slice(dotted.table.length));
      return;
    }
    const values = missing.filter(([, value]) => !isTable(value));
    if (header) this.#insertLines(header, path, values, []);
    else if (values.length > 0) this.#insertHeader(path, values);
    for (const [key, value] of missing) if (isTable(value)) this.#appendTable([...path, key], value);
  }

  /** Inserts pairs after the last one under the header of `table`, or after `near` when it has none. */
  #insertLines(near: Statement, table: Path, values: readonly [string, ConfigData][], prefix: readonly string[]): void {
    if (values.length === 0) return;
    const last = this.#pairs.findLast((pair) => isSame(pair.table, table)) ?? near;
    const indent = /^[ \t]*/.exec(this.#text.slice(lineStart(this.#text, last.start)))?.[0] ?? '';
    const lines = values.map(([key, value]) => `${indent}${formatPath([...prefix, key])} = ${formatValue(value)}${this.#newline}`);
    this.#insertAt(last.end, lines.join(''));
  }

  /** Inserts a header, before the first subsection, for a section of which only subsections are written. */
  #insertHeader(path: readonly string[], values: readonly [string, ConfigData][]): void {
    const first = this.#statements[0] as Statement;
    const lines = values.map(([key, value]) => `${formatKey(key)} = ${formatValue(value)}${this.#newline}`).join('');
    this.#insertAt(withComment(this.#text, first.start), `[${formatPath(path)}]${this.#newline}${lines}${this.#newline}`);
  }

  #appendTable(path: readonly string[], table: SectionData): void {
    const last = this.#statements.at(-1) as Statement;
    this.#insertAt(last.end, this.#newline + formatTable(path, table, this.#newline));
  }

  /** Inserts whole lines at `at`, after a line end if the file's last line lacks one. */
  #insertAt(at: number, text: string): void {
    const ended = at === 0 || this.#text.charAt(at - 1) === '\n';
    this.#edits.push({ start: at, end: at, text: ended ? text : this.#newline + text });
  }
}

const isSame = (a: Path, b: Path): boolean => a.length === b.length && startsWith(a, b);
const startsWith = (path: Path, start: Path): boolean => start.length <= path.length && start.every((key, i) => path[i] === key);
