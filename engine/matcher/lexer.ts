import {
  NUMBER_VARIABLES,
  RELATIONS,
  TEXT_VARIABLES,
  type FieldReference,
  type NumberVariable,
  type Relation,
  type TextCondition,
  type TextVariable,
} from './ast.ts';
import { MatcherError } from './errors.ts';
import { NetworkError, parseNetworks, type Networks } from '../base/text/networks.ts';
import { lookupNamed } from '../lookup/folder.ts';
import { LookupError, type Find, type Lookup } from '../lookup/lookup.ts';

/** `start` and `end` are offsets into the expression; the column of a token is `start + 1`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

export type Token = Place &
  (
    | { readonly kind: 'textVariable'; readonly name: TextVariable }
    | { readonly kind: 'numberVariable'; readonly name: NumberVariable }
    | { readonly kind: 'field'; readonly field: FieldReference }
    /** Each text of a message. */
    | { readonly kind: 'anyText' }
    | { readonly kind: 'keyword'; readonly word: 'TRUE' | 'FALSE' | 'NIL' }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'pattern'; readonly source: string }
    | { readonly kind: 'relation'; readonly relation: Relation }
    | { readonly kind: 'match'; readonly negated: boolean }
    /** `in` or `not in`, and what stands behind it. */
    | { readonly kind: 'in'; readonly condition: TextCondition }
    /** `@NAME.COLUMN` behind a variable. */
    | { readonly kind: 'lookup'; readonly find: Find }
    | { readonly kind: '&&' | '||' | '(' | ')' | 'end' }
  );

const LETTER = /[A-Za-z]/;
const DIGIT = /[0-9]/;
/** Decimal numbers as Go's and C's parsers take them: at least one digit, an optional fraction, an optional exponent. */
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;
const LOOKUP = /^@([\w-]+)/;
const LOOKUP_COLUMN = /^@([\w-]+)\.([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)/u;
const KEYWORDS = ['TRUE', 'FALSE', 'NIL'] as const;
const OPERATORS = ['==', '!=', '>=', '<=', '=~', '!~', '&&', '||', '>', '<', '(', ')'] as const;

/** Cuts an expression into tokens; the last one has kind `end`. Throws `MatcherError` at the first text that is no token. */
export function tokenize(expression: string): Token[] {
  const lexer = new Lexer(expression);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    const text = this.#text;
    while (' \t\r\n'.includes(text.charAt(this.#at)) && this.#at < text.length) this.#at++;
    const start = this.#at;
    if (start >= text.length) return { kind: 'end', start, end: start };
    const first = text.charAt(start);
    if (LETTER.test(first)) return this.#word(start);
    if (DIGIT.test(first) || first === '.') return this.#number(start);
    if (first === "'" || first === '"') return { kind: 'text', value: this.#quoted(first, 'the closing quote'), start, end: this.#at };
    if (first === '/') return { kind: 'pattern', source: this.#quoted('/', 'the closing /'), start, end: this.#at };
    if (first === '*') return { kind: 'anyText', start, end: ++this.#at };
    if (first === '@') return this.#lookup(start);
    return this.#operator(start);
  }

  #word(start: number): Token {
    const text = this.#text;
    while (LETTER.test(text.charAt(this.#at))) this.#at++;
    const word = text.slice(start, this.#at);
    if (word === 'Fields') return this.#field(start);
    if (word === 'in' || word === 'not') return this.#in(start, word === 'not');
    const place = { start, end: this.#at };
    const keyword = KEYWORDS.find((known) => known === word);
    if (keyword) return { kind: 'keyword', word: keyword, ...place };
    const textName = TEXT_VARIABLES.find((known) => known === word);
    if (textName) return { kind: 'textVariable', name: textName, ...place };
    const numberName = NUMBER_VARIABLES.find((known) => known === word);
    if (numberName) return { kind: 'numberVariable', name: numberName, ...place };
    const known = [...TEXT_VARIABLES, ...NUMBER_VARIABLES, 'Fields', ...KEYWORDS];
    const alike = known.find((name) => name.toLowerCase() === word.toLowerCase());
    const hint = alike ? `write ${alike}` : `a field is written Fields[${word}]`;
    throw this.#error(start, word, 'a variable', hint);
  }

  /** `@NAME.COLUMN`: what a lookup has for the value. */
  #lookup(start: number): Token {
    const [written = '', name = '', column = ''] = LOOKUP_COLUMN.exec(this.#text.slice(start)) ?? [];
    if (written === '') throw this.#error(start + 1, this.#text.charAt(start + 1), 'a lookup and its column, such as geo.country');
    this.#at = start + written.length;
    return { kind: 'lookup', find: this.#ofLookup(name, start + 1, (lookup) => lookup.column(column)), start, end: this.#at };
  }

  /** Takes something of a lookup. @param at the place of its name */
  #ofLookup<T>(name: string, at: number, take: (lookup: Lookup) => T): T {
    try {
      return take(lookupNamed(name));
    } catch (cause) {
      if (!(cause instanceof LookupError)) throw cause;
      const found = `'${name}'`;
      throw new MatcherError({ expression: this.#text, column: at + 1, found, expected: 'a lookup', said: cause.message, cause });
    }
  }

  /** `in` or `not in` with a network, with several in parentheses, or with `@` and the name of a lookup. */
  #in(start: number, negated: boolean): Token {
    const text = this.#text;
    if (negated) {
      const [rest = ''] = /^\s+in\b/.exec(text.slice(this.#at)) ?? [];
      if (rest === '') throw this.#error(start, 'not', 'an operator', 'not stands in front of in only');
      this.#at += rest.length;
    }
    this.#at += (/^\s*/.exec(text.slice(this.#at)) ?? [''])[0].length;
    const [lookup = '', name = ''] = LOOKUP.exec(text.slice(this.#at)) ?? [];
    if (lookup !== '') {
      const at = this.#at + 1;
      const has = this.#ofLookup(name, at, (one) => (key: string) => one.has(key));
      this.#at += lookup.length;
      return {
        kind: 'in',
        condition: { kind: 'lookup', find: has, condition: { kind: 'boolean', value: !negated } },
        start,
        end: this.#at,
      };
    }
    const isList = text.charAt(this.#at) === '(';
    const from = isList ? this.#at + 1 : this.#at;
    const [written = ''] = (isList ? /^[^()]*/ : /^[^\s()&|,]*/).exec(text.slice(from)) ?? [];
    const end = from + written.length;
    if (isList && text.charAt(end) !== ')') throw this.#error(end, text.charAt(end), "')'", `the '(' in column ${from} is not closed`);
    this.#at = isList ? end + 1 : end;
    return { kind: 'in', condition: { kind: 'networks', negated, networks: this.#networks(written, from) }, start, end: this.#at };
  }

  #networks(written: string, from: number): Networks {
    try {
      return parseNetworks(written);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      throw this.#error(from + error.at, error.part, 'a network, such as 10.0.0.0/8, or an address', error.message);
    }
  }

  /** `Fields[name]`, `Fields[name][instance]` or `Fields[name][instance][element]`, without blanks between the parts. */
  #field(start: number): Token {
    const name = this.#index('[', null);
    const instance = this.#text.charAt(this.#at) === '[' ? Number(this.#index('[', 'instance')) : 0;
    const element = this.#text.charAt(this.#at) === '[' ? Number(this.#index('[', 'element')) : 0;
    if (this.#text.charAt(this.#at) === '[') throw this.#error(this.#at, '[', 'an operator', 'a field has two indexes at most');
    return { kind: 'field', field: { name, instance, element }, start, end: this.#at };
  }

  #index(open: '[', number: string | null): string {
    const text = this.#text;
    if (text.charAt(this.#at) !== open) throw this.#error(this.#at, text.charAt(this.#at), "'[' and the name of a field");
    const from = ++this.#at;
    const end = text.indexOf(']', from);
    if (end < 0) throw this.#error(text.length, '', "']'", `the '[' in column ${from} is not closed`);
    const part = text.slice(from, end);
    this.#at = end + 1;
    if (number === null && part === '') throw this.#error(from, ']', 'the name of a field');
    if (number !== null && !/^[0-9]+$/.test(part)) throw this.#error(from, part || ']', `the number of the ${number}, in digits`);
    return part;
  }

  #number(start: number): Token {
    const text = this.#text;
    while (/[0-9.e+-]/.test(text.charAt(this.#at))) this.#at++;
    const part = text.slice(start, this.#at);
    const value = Number(part);
    if (!DECIMAL.test(part)) throw this.#error(start, part, 'a decimal number');
    if (!Number.isFinite(value)) throw this.#error(start, part, 'a number that a double can hold');
    return { kind: 'number', value, start, end: this.#at };
  }

  /** Text up to an unescaped `quote`; a backslash hides only the quote, any other pair stays as it is written. */
  #quoted(quote: string, expected: string): string {
    const text = this.#text;
    const start = this.#at++;
    let value = '';
    let from = this.#at;
    for (; this.#at < text.length; this.#at++) {
      const char = text.charAt(this.#at);
      if (char === quote) return value + text.slice(from, this.#at++);
      if (char !== '\\') continue;
      if (text.charAt(this.#at + 1) === quote) {
        value += text.slice(from, this.#at);
        from = this.#at + 1;
      }
      this.#at++;
    }
    throw this.#error(text.length, '', expected, `what opens in column ${start + 1} is not closed`);
  }

  #operator(start: number): Token {
    const text = this.#text;
    const operator = OPERATORS.find((known) => text.startsWith(known, start));
    if (operator === undefined) {
      const first = text.charAt(start);
      const hint = { '=': 'equality is ==', '&': 'and is &&', '|': 'or is ||', '-': 'a negative number cannot be written' }[first];
      throw this.#error(start, String.fromCodePoint(text.codePointAt(start) as number), 'an operator, a variable or a value', hint);
    }
    this.#at = start + operator.length;
    const place = { start, end: this.#at };
    if (operator === '=~' || operator === '!~') return { kind: 'match', negated: operator === '!~', ...place };
    const relation = RELATIONS.find((known) => known === operator);
    if (relation) return { kind: 'relation', relation, ...place };
    return { kind: operator as '&&' | '||' | '(' | ')', ...place };
  }

  #error(at: number, found: string, expected: string, hint?: string): MatcherError {
    return new MatcherError({
      expression: this.#text,
      column: at + 1,
      found: found === '' ? 'the end' : `'${found}'`,
      expected,
      hint: hint ?? null,
    });
  }
}
