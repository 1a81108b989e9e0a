import type { Find } from '../lookup/lookup.ts';
import type { Condition, LookupCondition, NumberCondition, Node, PatternCondition, TextCondition } from './ast.ts';
import { MatcherError } from './errors.ts';
import { tokenize, type Token } from './lexer.ts';
import { compilePattern, PatternError } from './regex/pattern.ts';

/** Longest expression, in UTF-16 code units. */
const MAX_EXPRESSION = 65_536;
/** Deepest nesting of parentheses. */
const MAX_DEPTH = 200;

/**
 * Parses a matcher expression:
 *
 *     or-expr  = and-expr { "||" and-expr }
 *     and-expr = primary { "&&" primary }
 *     primary  = "(" or-expr ")" | "TRUE" | "FALSE" | variable [ lookup ] operator constant | variable [ lookup ] [ "not" ] "in" networks
 *             | "*" ( "=~" | "!~" ) pattern
 *     networks = network | "(" network { "," network } ")" | "@" name
 *     lookup   = "@" name "." column
 *
 * Throws `MatcherError` for anything else, and for a constant that the variable or the operator cannot take.
 */
export function parse(expression: string): Node {
  if (expression.length > MAX_EXPRESSION) {
    const column = MAX_EXPRESSION + 1;
    throw new MatcherError({ expression, column, found: 'more', expected: `at most ${MAX_EXPRESSION} characters` });
  }
  return new Parser(expression).parse();
}

class Parser {
  readonly #expression: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(expression: string) {
    this.#expression = expression;
    this.#tokens = tokenize(expression);
  }

  parse(): Node {
    const node = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected('&&, || or the end');
    return node;
  }

  #or(): Node {
    const terms = [this.#and()];
    while (this.#peek().kind === '||') {
      this.#at++;
      terms.push(this.#and());
    }
    return terms.length === 1 ? (terms[0] as Node) : { kind: 'or', terms };
  }

  #and(): Node {
    const terms = [this.#primary()];
    while (this.#peek().kind === '&&') {
      this.#at++;
      terms.push(this.#primary());
    }
    return terms.length === 1 ? (terms[0] as Node) : { kind: 'and', terms };
  }

  #primary(): Node {
    const token = this.#peek();
    switch (token.kind) {
      case '(':
        return this.#parentheses();
      case 'keyword':
        if (token.word === 'NIL') throw this.#unexpected("a variable, TRUE, FALSE or '('");
        this.#at++;
        return { kind: 'constant', value: token.word === 'TRUE' };
      case 'textVariable':
        this.#at++;
        return { kind: 'textHeader', variable: token.name, condition: this.#textCondition(token.name) };
      case 'numberVariable':
        this.#at++;
        return { kind: 'numberHeader', variable: token.name, condition: this.#numberCondition(token.name) };
      case 'field':
        this.#at++;
        return { kind: 'field', field: token.field, condition: this.#fieldCondition() };
      case 'anyText':
        this.#at++;
        return { kind: 'anyText', condition: this.#anyTextCondition() };
      case 'text':
      case 'number':
      case 'pattern':
        throw this.#unexpected("a variable, TRUE, FALSE or '('", 'the variable stands on the left, the value on the right');
      default:
        throw this.#unexpected("a variable, TRUE, FALSE or '('");
    }
  }

  #parentheses(): Node {
    if (++this.#depth > MAX_DEPTH) throw this.#unexpected(`at most ${MAX_DEPTH} nested parentheses`);
    const open = this.#peek();
    this.#at++;
    const node = this.#or();
    if (this.#peek().kind !== ')') throw this.#unexpected("&&, || or ')'", `the '(' in column ${open.start + 1} is not closed`);
    this.#at++;
    this.#depth--;
    return node;
  }

  #anyTextCondition(): PatternCondition {
    const operator = this.#peek();
    if (operator.kind !== 'match') throw this.#unexpected('=~ or !~');
    this.#at++;
    return this.#pattern(operator.negated);
  }

  #textCondition(variable: string): TextCondition {
    const operator = this.#peek();
    this.#at++;
    if (operator.kind === 'lookup') return this.#lookupCondition(operator.find);
    if (operator.kind === 'match') return this.#pattern(operator.negated);
    if (operator.kind === 'in') return operator.condition;
    if (operator.kind !== 'relation') throw this.#unexpectedAt(operator, 'a comparison, =~, !~ or in');
    const token = this.#peek();
    if (token.kind === 'text') {
      this.#at++;
      return { kind: 'text', relation: operator.relation, value: token.value };
    }
    throw this.#unexpected('a text in quotes', this.#constantHint(token, `${variable} is a text`));
  }

  #numberCondition(variable: string): NumberCondition {
    const operator = this.#peek();
    this.#at++;
    if (operator.kind === 'match' || operator.kind === 'in') throw this.#unexpectedAt(operator, 'a comparison', `${variable} is a number`);
    if (operator.kind !== 'relation') throw this.#unexpectedAt(operator, 'a comparison');
    const token = this.#peek();
    if (token.kind !== 'number') throw this.#unexpected('a number', this.#constantHint(token, `${variable} is a number`));
    this.#at++;
    return { kind: 'number', relation: operator.relation, value: token.value };
  }

  #fieldCondition(): Condition {
    const operator = this.#peek();
    this.#at++;
    if (operator.kind === 'lookup') return this.#lookupCondition(operator.find);
    if (operator.kind === 'match') return this.#pattern(operator.negated);
    if (operator.kind === 'in') return operator.condition;
    if (operator.kind !== 'relation') throw this.#unexpectedAt(operator, 'a comparison, =~, !~ or in');
    const { relation } = operator;
    const token = this.#peek();
    switch (token.kind) {
      case 'number':
        this.#at++;
        return { kind: 'number', relation, value: token.value };
      case 'text':
        this.#at++;
        return { kind: 'text', relation, value: token.value };
      case 'keyword':
        return this.#keyword(relation, token.word);
      default:
        throw this.#unexpected('a text in quotes, a number, TRUE, FALSE or NIL', this.#constantHint(token, null));
    }
  }

  /** The condition on what a lookup has; of that no other lookup is asked. */
  #lookupCondition(find: Find): LookupCondition {
    if (this.#peek().kind === 'lookup') throw this.#unexpected('a comparison, =~, !~ or in');
    return { kind: 'lookup', find, condition: this.#fieldCondition() };
  }

  #keyword(relation: string, word: 'TRUE' | 'FALSE' | 'NIL'): Condition {
    if (word === 'NIL') {
      if (relation !== '==' && relation !== '!=') throw this.#unexpected('a text or a number', 'NIL is compared with == or !=');
      this.#at++;
      return { kind: 'exists', expected: relation === '!=' };
    }
    if (relation !== '==') throw this.#unexpected('a text, a number or NIL', 'TRUE and FALSE are compared with == only');
    this.#at++;
    return { kind: 'boolean', value: word === 'TRUE' };
  }

  #pattern(negated: boolean): PatternCondition {
    const token = this.#peek();
    if (token.kind !== 'pattern') throw this.#unexpected('a regular expression between slashes');
    this.#at++;
    try {
      return { kind: 'pattern', negated, pattern: compilePattern(token.source) };
    } catch (cause) {
      if (!(cause instanceof PatternError)) throw cause;
      const expected = 'a valid regular expression';
      const found = `/${token.source}/`;
      throw new MatcherError({ expression: this.#expression, column: token.start + 1, found, expected, hint: cause.message, cause });
    }
  }

  #constantHint(token: Token, otherwise: string | null): string | null {
    if (token.kind === 'pattern') return 'a regular expression is compared with =~ or !~';
    if (token.kind === 'keyword' && otherwise !== null) return `only a field is compared with ${token.word}`;
    return token.kind === 'text' || token.kind === 'number' ? otherwise : null;
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token;
  }

  #unexpected(expected: string, hint?: string | null): MatcherError {
    return this.#unexpectedAt(this.#peek(), expected, hint);
  }

  #unexpectedAt(token: Token, expected: string, hint?: string | null): MatcherError {
    const column = token.start + 1;
    return new MatcherError({ expression: this.#expression, column, found: this.#describe(token), expected, hint: hint ?? null });
  }

  #describe(token: Token): string {
    if (token.kind === 'end') return 'the end';
    const text = this.#expression.slice(token.start, token.end);
    return token.kind === 'text' || token.kind === 'pattern' ? text : `'${text}'`;
  }
}
