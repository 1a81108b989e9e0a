import { headerNamed } from '../../../../engine/api/headers.ts';
import type { QueryColumn, QueryTable } from '../../../../engine/api/types.ts';
import { activeTerms, type Filter, type FilterTerm } from '../filter/filter.ts';
import { identifier } from './names.ts';

/** A filter as a condition in SQL; null: there is none. `unsaid`: the parts that SQL cannot say of this table. */
export interface SqlCondition {
  readonly where: string | null;
  readonly unsaid: readonly string[];
}

/** The condition for the records that a filter shows. */
export function filterSql(filter: Filter, table: QueryTable): SqlCondition {
  const terms = activeTerms(filter).map((term) => ({ term, sql: term.kind === 'matcher' ? matcherSql(term.text, table) : null }));
  const unsaid = terms.filter(({ sql }) => sql === null).map(({ term }) => labelOf(term));
  const said = terms.flatMap(({ term, sql }) => (sql === null ? [] : [{ out: term.out, sql }]));
  const shown = said.filter(({ out }) => !out).map(({ sql }) => `(${sql})`);
  // Of alternatives one that cannot be said may show any record.
  const isOpen = filter.any && terms.some(({ term, sql }) => sql === null && !term.out);
  const hidden = said.filter(({ out }) => out).map(({ sql }) => `(${sql}) IS NOT TRUE`);
  const first = filter.any && shown.length > 1 ? `(${shown.join(' OR ')})` : shown.join('\n  AND ');
  const time = [...timeSql('>=', filter.from), ...timeSql('<', filter.to)];
  const all = [...(shown.length === 0 || isOpen ? [] : [first]), ...hidden, ...time];
  return { where: all.length === 0 ? null : all.join('\n  AND '), unsaid };
}

const labelOf = ({ label, out }: FilterTerm): string => (out ? `not ${label}` : label).replaceAll(/\s+/g, ' ');

const timeSql = (operator: string, ms: number | null): string[] =>
  ms === null ? [] : [`Timestamp ${operator} TIMESTAMP '${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`];

const TOKEN =
  /\s*(\(|\)|&&|\|\||==|!=|>=|<=|>|<|TRUE\b|FALSE\b|NIL\b|Fields\[[^\]]+\]|[A-Z]\w*|'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|[\d.]+(?:e[+-]?\d+)?)/y;

/** An expression of the matcher in SQL; null: SQL has no such test, or the table no such column. */
export function matcherSql(expression: string, table: QueryTable): string | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const text = expression.trim();
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return null;
    tokens.push(found[1] as string);
  }
  return new Translator(tokens, table).translate();
}

/** Reads the tokens of an expression from left to right. */
class Translator {
  readonly #tokens: readonly string[];
  readonly #table: QueryTable;
  #at = 0;

  constructor(tokens: readonly string[], table: QueryTable) {
    this.#tokens = tokens;
    this.#table = table;
  }

  translate(): string | null {
    const sql = this.#either();
    return this.#at === this.#tokens.length ? sql : null;
  }

  #either(): string | null {
    return this.#joined('||', ' OR ', () => this.#both());
  }

  #both(): string | null {
    return this.#joined('&&', ' AND ', () => this.#part());
  }

  #joined(operator: string, word: string, read: () => string | null): string | null {
    const parts = [read()];
    while (this.#tokens[this.#at] === operator) {
      this.#at++;
      parts.push(read());
    }
    if (parts.includes(null)) return null;
    return parts.length === 1 ? (parts[0] ?? null) : `(${parts.join(word)})`;
  }

  #part(): string | null {
    if (this.#tokens[this.#at] !== '(') return this.#test();
    this.#at++;
    const inner = this.#either();
    return this.#tokens[this.#at++] === ')' ? inner : null;
  }

  #test(): string | null {
    const [name, operator, constant] = this.#tokens.slice(this.#at, this.#at + 3);
    this.#at += 3;
    if (name === undefined || operator === undefined || constant === undefined) return null;
    const column = this.#table.columns.find(({ variable }) => variable?.name === name);
    return column === undefined || !/^[!=<>]/.test(operator) ? null : testSql(column, operator, constant);
  }
}

function testSql({ name, variable }: QueryColumn, operator: string, constant: string): string | null {
  const column = identifier(name);
  if (constant === 'NIL') return `${column} IS ${operator === '!=' ? 'NOT NULL' : 'NULL'}`;
  const sql = operator === '==' ? '=' : operator;
  if (constant === 'TRUE' || constant === 'FALSE') return variable?.type === 'bool' ? `${column} ${sql} ${constant.toLowerCase()}` : null;
  const quoted = /^(['"])([^]*)\1$/.exec(constant);
  if (quoted === null) return variable?.type === 'number' ? `${column} ${sql} ${constant}` : null;
  const text = (quoted[2] as string).replaceAll(`\\${quoted[1]}`, quoted[1] as string);
  // A header that is not set is an empty text to the matcher.
  const isUnset = text === '' && variable !== null && headerNamed(variable.name) !== undefined;
  if (isUnset) return `${column} IS ${operator === '==' ? 'NULL' : 'NOT NULL'}`;
  return variable?.type === 'string' ? `${column} ${sql} '${text.replaceAll("'", "''")}'` : null;
}
