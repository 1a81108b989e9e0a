import type { Variable } from './variable.ts';
import { HEADER_VARIABLES, isHeader, quote } from './expression.ts';
import { Constants } from './constants.ts';
import { Names, type Found, type Lookups } from './names.ts';
import { Scanner, Wrong, type Piece, type TypedProblem } from './scanner.ts';
import {
  constantTest,
  failing,
  networkTest,
  orderTest,
  passing,
  presence,
  wildcardTest,
  type Order,
  type ValueTest,
} from './value-test.ts';
import { anyText, containsTest, failingText, passingText, patternTest, textPresence, unquoted, type TextTest } from './text-test.ts';
import {
  ANY,
  BLANK,
  COLON,
  CONNECTIVE,
  IN,
  LIST,
  LIST_GOES_ON,
  LISTED,
  LOOKUP_TEST,
  NAME,
  NETWORK,
  NOT,
  NOT_TEXT,
  OPERATOR,
  ORDER,
  PATTERN,
  QUOTED,
  SPACED_OPERATOR,
  TEXT_PATTERN,
  TEXT_WORD,
  TRUTH,
  WORD,
} from './tokens.ts';

/** Meaning of a text that was typed as a filter. */
export type Reading =
  | { readonly kind: 'text'; /** The reason for which it is not a comparison, though it looks like one. */ readonly note: string | null }
  /** `short`: it has a short form. */
  | { readonly kind: 'matcher'; readonly expression: string; readonly pieces: readonly Piece[]; readonly short: boolean }
  /** It begins as a comparison. `open`: it only needs to go on. `short`: there is a short form before the mistake. */
  | { readonly kind: 'wrong'; readonly problem: TypedProblem; readonly open: boolean; readonly short: boolean };

/** More of a level is less of a number. */
const TURNED: Readonly<Record<string, Order>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/**
 * Reads what was typed as a filter: as a comparison where it begins with a known name and an operator, else as text. `status >= 500` is written as
 * `Fields[status] >= 500`, `=` as `==`, and a bare word is quoted where the name holds text. `status:5xx`, `-uri:/api/*` and `status in (500, 503)` are
 * comparisons, too; a blank between two comparisons means `&&`.
 * @param variables that are known, by the names of the matcher's language
 * @param lookups names of those that there are
 */
export function readFilter(typed: string, variables: readonly Variable[], lookups: readonly string[] = []): Reading {
  const reader = new Reader(typed, variables, 'known', lookups);
  const note = reader.looksLikeText();
  return note === false ? reading(reader, typed) : { kind: 'text', note };
}

/**
 * Reads an expression that may hold the short forms where no fields are known: a name that is none of a header is that of a field, and words, texts in
 * quotes and regular expressions that stand alone are searched in all texts of the record. A comparison of a header or of `Fields[name]` by an operator is taken as
 * it stands, so that the matcher's language judges it.
 * @param hasLookups there are lookups, which names can have behind them
 */
export function readExpression(typed: string, hasLookups = false): Exclude<Reading, { kind: 'text' }> {
  const reader = (): Reader => new Reader(typed, HEADER_VARIABLES, 'any', hasLookups ? 'any' : []);
  const plain = reader().isPlainText();
  if (plain) return { kind: 'matcher', expression: anyText(containsTest(typed.trim()), true), pieces: [], short: true };
  return reading(reader(), typed);
}

function reading(reader: Reader, typed: string): Exclude<Reading, { kind: 'text' }> {
  try {
    return { kind: 'matcher', ...reader.read(), short: reader.hasShort };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { kind: 'wrong', problem: error.problem, open: error.problem.from >= typed.trimEnd().length, short: reader.hasShort };
  }
}

/** Brackets in each other, as in the matcher's language. */
const DEEPEST = 200;

class Reader {
  readonly #scan: Scanner;
  readonly #names: Names;
  readonly #constants: Constants;
  readonly #fields: 'known' | 'any';
  /** The last term was one of the matcher's language, behind which no text can stand. */
  #wasStrict = false;
  /** A test or a text in a short form was read. */
  hasShort = false;

  constructor(typed: string, variables: readonly Variable[], fields: 'known' | 'any', lookups: Lookups) {
    this.#scan = new Scanner(typed);
    this.#names = new Names(this.#scan, variables, fields, lookups);
    this.#constants = new Constants(this.#scan);
    this.#fields = fields;
  }

  /** false: it is a comparison; else why it is none, though it looks like one. */
  looksLikeText(): string | null | false {
    while (this.#scan.take(/\s*\(/y) !== null);
    this.#scan.take(BLANK);
    const isNot = this.#scan.take(NOT) !== null;
    const start = this.#scan.at;
    const found = this.#names.take();
    if (found === null) {
      const name = this.#scan.take(NAME);
      this.#scan.take(BLANK);
      const operator = name === null ? null : this.#scan.take(OPERATOR);
      this.#scan.at = 0;
      if (operator === null || operator === '~') return null;
      return `${this.#scan.typed.slice(start, start + (name as string).length)} is not a known field`;
    }
    const operator = this.#short() ?? (isNot ? null : this.#scan.take(OPERATOR));
    const lookup = operator === null ? this.#scan.take(LOOKUP_TEST) : null;
    this.#scan.at = 0;
    if (lookup !== null) return `there is no lookup ${/[\w-]+/.exec(lookup)?.[0]}`;
    return operator === null ? null : false;
  }

  /** Whether it consists of words that test nothing. */
  isPlainText(): boolean {
    if (this.#scan.isAhead(NOT_TEXT)) return false;
    for (this.#scan.take(BLANK); this.#scan.at < this.#scan.typed.length; this.#scan.take(BLANK))
      if (this.#goesOn() || this.#scan.isAhead(TEXT_PATTERN) || this.#textWord() === null) return false;
    return this.#scan.typed.trim() !== '';
  }

  /** A word of a text at this place, which is none that the matcher's language has. */
  #textWord(): string | null {
    const at = this.#scan.at;
    const word = this.#scan.take(TEXT_WORD);
    if (word === null || !(/^(?:TRUE|FALSE|NIL)$/.test(word) || isHeader(word) || word.startsWith('Fields['))) return word;
    this.#scan.at = at;
    return null;
  }

  /** The operator of a test in its short form at this place. */
  #short(): string | null {
    const colon = this.#scan.take(COLON);
    if (colon !== null) return colon;
    this.#scan.take(BLANK);
    return this.#scan.take(LIST) ?? this.#scan.take(IN);
  }

  /** Whether another test begins at this place. @param short in its short form */
  #goesOn(short = false): boolean {
    const at = this.#scan.at;
    const isNot = this.#scan.take(NOT) !== null;
    const found = this.#names.take();
    const goesOn =
      found !== null && (this.#short() ?? (isNot || (short && found.isStrict === true) ? null : this.#scan.take(OPERATOR))) !== null;
    this.#scan.at = at;
    return goesOn;
  }

  /** Whether another term begins at this place, without a connective. */
  #follows(): boolean {
    if (this.#wasStrict || this.#fields === 'known') return this.#goesOn(this.#wasStrict);
    const at = this.#scan.at;
    this.#scan.take(NOT_TEXT);
    const isText = this.#scan.isAhead(QUOTED) || this.#scan.isAhead(TEXT_PATTERN) || this.#textWord() !== null;
    this.#scan.at = at;
    return isText || this.#goesOn();
  }

  read(): { readonly expression: string; readonly pieces: readonly Piece[] } {
    this.#or(0);
    this.#scan.take(BLANK);
    if (this.#scan.at < this.#scan.typed.length) throw this.#unexpected();
    return { expression: this.#scan.written, pieces: this.#scan.pieces };
  }

  /** The problem at a place where a connective should be: a test of a field that is not known, or another text. */
  #unexpected(): Wrong {
    const from = this.#scan.at;
    this.#scan.take(NOT);
    const start = this.#scan.at;
    const name = this.#scan.take(NAME);
    const isTest = name !== null && (this.#scan.take(COLON) ?? this.#scan.take(SPACED_OPERATOR)) !== null;
    this.#scan.at = isTest ? start : from;
    return isTest ? this.#scan.wrong(NAME, `${name} is not a known field`) : this.#scan.wrong(WORD, 'expected && or ||');
  }

  #or(depth: number): void {
    for (;;) {
      this.#primary(depth);
      this.#scan.take(BLANK);
      const start = this.#scan.at;
      const connective = this.#scan.take(CONNECTIVE)?.toLowerCase() ?? (this.#follows() ? 'and' : undefined);
      if (connective === undefined) return;
      this.#scan.take(BLANK);
      this.#scan.write(connective === 'and' || connective === '&&' ? ' && ' : ' || ', start);
    }
  }

  #primary(depth: number): void {
    this.#scan.take(BLANK);
    const start = this.#scan.at;
    if (this.#scan.take(/\(/y) !== null) {
      if (depth >= DEEPEST) throw this.#scan.wrongAt(start, start + 1, `at most ${DEEPEST} brackets may stand in each other`);
      this.#scan.write('(', start);
      this.#or(depth + 1);
      this.#scan.take(BLANK);
      const end = this.#scan.at;
      if (this.#scan.take(/\)/y) === null) throw this.#scan.wrong(WORD, 'a bracket is not closed');
      this.#scan.write(')', end);
      return;
    }
    this.#wasStrict = false;
    if (this.#fields === 'any' && !this.#goesOn() && this.#loneText(start)) return;
    const isNot = this.#scan.take(NOT) !== null;
    const found = this.#names.take();
    if (found === null) throw this.#scan.wrong(NAME, 'expected the name of a field');
    this.hasShort ||= found.isStrict !== true;
    const short = this.#short();
    this.hasShort ||= short !== null;
    if (short !== null) return found.isText === true ? this.#textTest(short, { isNot, start }) : this.#test(found, short, { isNot, start });
    if (isNot) throw this.#scan.wrong(WORD, 'expected a colon and a value, such as -status:200');
    if (found.isText === true) return this.#textComparison(start);
    this.#scan.write(found.written, start);
    if (found.isStrict === true) this.#strictComparison();
    else this.#comparison(found);
  }

  /** A text, a regular expression or a truth value that stands alone. */
  #loneText(start: number): boolean {
    const truth = this.#scan.take(TRUTH);
    if (truth !== null) {
      this.#wasStrict = true;
      this.#scan.write(truth, start);
      return true;
    }
    const isNot = this.#scan.take(NOT_TEXT) !== null;
    const isPattern = this.#scan.isAhead(TEXT_PATTERN);
    const test = this.#quotedOrPattern(TEXT_PATTERN) ?? this.#words();
    this.hasShort ||= isNot || isPattern;
    if (test === null) this.#scan.at = start;
    else this.#scan.write(anyText(test, !isNot), start);
    return test !== null;
  }

  #quotedOrPattern(pattern: RegExp): TextTest | null {
    const quoted = this.#scan.take(QUOTED);
    if (quoted !== null) return containsTest(unquoted(quoted));
    const found = this.#scan.take(pattern);
    return found === null ? null : patternTest(found);
  }

  /** The words up to what tests or connects, as one text. */
  #words(): TextTest | null {
    const start = this.#scan.at;
    let end = start;
    while (this.#textWord() !== null) {
      end = this.#scan.at;
      this.#scan.take(BLANK);
      if (this.#scan.isAhead(CONNECTIVE) || this.#scan.isAhead(TEXT_PATTERN) || this.#goesOn()) break;
    }
    this.#scan.at = end;
    this.hasShort ||= end > start;
    return end === start ? null : containsTest(this.#scan.typed.slice(start, end));
  }

  /** A test of the record's text: by what it contains, or by wildcards or a regular expression. */
  #textTest(operator: string, { isNot, start }: { readonly isNot: boolean; readonly start: number }): void {
    if (this.#scan.take(ANY) !== null) return this.#scan.write(textPresence(!isNot), start);
    const value = (word: RegExp): TextTest => {
      const test = this.#quotedOrPattern(TEXT_PATTERN);
      if (test !== null) return test;
      const text = this.#constants.word({ bare: word });
      return text.includes('*') ? (variable) => wildcardTest(variable, 'string', text) as ValueTest : containsTest(text);
    };
    const tests = operator === ':' && this.#scan.take(/\(/y) === null ? [value(WORD)] : this.#listOf(value);
    this.#scan.write(isNot !== /^not/i.test(operator) ? failingText(tests) : passingText(tests), start);
  }

  /** A comparison of the record's whole text, or by a regular expression. */
  #textComparison(start: number): void {
    this.#scan.take(BLANK);
    const operator = this.#scan.take(OPERATOR) ?? '';
    this.#scan.take(BLANK);
    const at = this.#scan.at;
    const value = operator.endsWith('~')
      ? patternTest(this.#scan.take(PATTERN) ?? `/${this.#constants.word({ pattern: true }).replaceAll('/', '\\/')}/`)
      : this.#wholeText(at);
    this.#scan.write(operator.startsWith('!') ? failingText([value]) : passingText([value]), start);
  }

  #wholeText(at: number): TextTest {
    const text = this.#scan.take(QUOTED) ?? quote(this.#constants.word());
    if (text === null) throw this.#scan.wrongAt(at, this.#scan.at, 'put it in quotes');
    return (variable) => constantTest(variable, 'string', text);
  }

  /** A comparison of the matcher's language, which judges it. */
  #strictComparison(): void {
    this.#wasStrict = true;
    for (const piece of [SPACED_OPERATOR, /\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/(?:[^/\\]|\\.)*\/|[^\s()&|]+)/y]) {
      const at = this.#scan.at;
      const text = this.#scan.take(piece);
      if (text === null) throw this.#scan.wrong(WORD, 'expected a value');
      this.#scan.write(text, at + (text.length - text.trimStart().length));
    }
  }

  /** A test in its short form: a colon with a value, or a list. */
  #test(found: Found, operator: string, { isNot, start }: { readonly isNot: boolean; readonly start: number }): void {
    const { written, type } = found;
    if (operator === ':' && this.#scan.take(ANY) !== null) return this.#scan.write(presence(written, !isNot), start);
    const opposite = isNot !== /^not/i.test(operator);
    if (!operator.endsWith('(') && operator !== ':') return this.#network(written, opposite, start);
    const tests = operator === ':' && this.#scan.take(/\(/y) === null ? [this.#value(found, WORD)] : this.#list(found);
    this.#scan.write(opposite ? failing(written, type, tests) : passing(tests), start);
  }

  /** A network behind `in`, which the engine checks. */
  #network(variable: string, opposite: boolean, start: number): void {
    const at = this.#scan.at;
    const network = this.#scan.take(WORD) ?? '';
    if (opposite) return this.#scan.write(failing(variable, 'string', [networkTest(variable, network)]), start);
    this.#scan.write(`${variable} in `, start);
    this.#scan.write(network, at);
  }

  /** The values of a list, to its closing bracket. */
  #list(found: Found): ValueTest[] {
    return this.#listOf((word) => this.#value(found, word));
  }

  #listOf<T>(value: (word: RegExp) => T): T[] {
    const tests: T[] = [];
    do {
      this.#scan.take(BLANK);
      tests.push(value(LISTED));
      this.#scan.take(BLANK);
    } while (this.#scan.take(LIST_GOES_ON) !== null);
    if (this.#scan.take(/\)/y) === null) throw this.#scan.wrong(WORD, 'expected a comma or a closing bracket');
    return tests;
  }

  /** One value of a test in its short form. @param word takes one that is not quoted */
  #value(found: Found, word: RegExp): ValueTest {
    const { written, name, type } = found;
    const typed = word === WORD ? this.#scan.take(ORDER) : null;
    const at = this.#scan.at;
    const order = orderOf(found, typed);
    if (order !== null) return orderTest(written, order as Order, this.#constants.take(found, order, at).text);
    // In quotes a star is one.
    const wild = /^['"]/.test(this.#scan.typed.charAt(at)) ? null : wildcardTest(written, type, this.#scan.take(word) ?? '');
    if (wild !== null) return wild;
    this.#scan.at = at;
    const listed = this.#scan.take(word) ?? '';
    if (NETWORK.test(listed)) return networkTest(written, listed);
    this.#scan.at = at;
    const { text } = this.#constants.take(found, '==', at, word);
    if (text === 'NIL') throw this.#scan.wrongAt(at, this.#scan.at, `write -${name}:* for records without it`);
    return constantTest(written, type, text);
  }

  #comparison(found: Found): void {
    this.#scan.take(BLANK);
    const start = this.#scan.at;
    const typed = this.#scan.take(OPERATOR);
    if (typed === null) throw this.#scan.wrong(WORD, 'expected a comparison, such as == or >=');
    const operator = typed === '=' ? '==' : typed === '~' ? '=~' : (orderOf(found, typed) ?? typed);
    this.#scan.take(BLANK);
    if (this.#scan.at >= this.#scan.typed.length) throw this.#scan.wrong(WORD, 'expected a value');
    const at = this.#scan.at;
    if (operator === '=~' || operator === '!~') {
      if (found.type === 'number') throw this.#scan.wrongAt(start, at, `${found.name} is a number; compare it with ==, > or <`);
      this.#scan.write(` ${operator} `, start);
      const pattern = this.#scan.take(PATTERN);
      if (pattern === null) this.#scan.write('/', at);
      this.#scan.write(pattern ?? `${this.#constants.word({ pattern: true }).replaceAll('/', '\\/')}/`, at);
      return;
    }
    const constant = this.#constants.take(found, operator, at);
    this.#scan.write(` ${constant.operator ?? operator} `, start);
    this.#scan.write(constant.text, at);
  }
}

/** The operator of the expression for one that orders; null: it is none. */
const orderOf = ({ isLevel }: Found, typed: string | null): string | null =>
  typed === null || !(typed in TURNED) ? null : isLevel === true ? (TURNED[typed] ?? typed) : typed;
