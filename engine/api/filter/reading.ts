import type { Variable } from './variable.ts';
import { isHeader, quote } from './expression.ts';
import { severityNamed } from '../severities.ts';
import {
  constantTest,
  failing,
  networkTest,
  NUMBER,
  orderTest,
  passing,
  presence,
  wildcardTest,
  type Order,
  type ValueTest,
} from './value-test.ts';

/** A piece of what was typed, and what is wrong with it. */
export interface TypedProblem {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Meaning of a text that was typed as a filter. */
export type Reading =
  | { readonly kind: 'text'; /** The reason for which it is not a comparison, though it looks like one. */ readonly note: string | null }
  | { readonly kind: 'matcher'; readonly expression: string; readonly pieces: readonly Piece[] }
  /** It begins as a comparison. `open`: it only needs to go on. */
  | { readonly kind: 'wrong'; readonly problem: TypedProblem; readonly open: boolean };

/** Place of a piece of the typed text in the expression that was made of it. */
interface Piece {
  readonly typed: number;
  readonly written: number;
}

const OPERATOR = /==|!=|>=|<=|=~|!~|>|<|=|~/y;
const SPACED_OPERATOR = new RegExp(String.raw`\s*(?:${OPERATOR.source})`, 'y');
const CONNECTIVE = /&&|\|\||\band\b|\bor\b/iy;
/** A colon right behind a name, and a value right behind that: `http://` and `error: text` are text. */
const COLON = /:(?=[^\s/]|\/(?!\/)|$)/y;
const ORDER = />=|<=|>|</y;
const LIST = /(?:\bnot\s+)?\bin\s*\(/iy;
/** Of addresses, without brackets: `remote_addr in 10.0.0.0/8`. */
const IN = /(?:\bnot\s+)?\bin\s+(?=[\da-f.:]*[.:][\da-f.:]*(?:\/|[\s()&|]|$))/iy;
const NETWORK = /^[\da-f.:]*[.:][\da-f.:]*\/\d*$/i;
/** In front of a name. */
const NOT = /[-!](?=[\p{L}_])|not\s+(?=[\p{L}_])/iuy;
const BLANK = /\s*/y;
const STRICT_FIELD = /Fields\[[^\]]+\](?:\[\d+\]){0,2}/y;
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y;
const PATTERN = /\/(?:[^/\\]|\\.)*\//y;
const WORD = /[^\s()&|]+/y;
/** Any value. */
const ANY = /\*(?=[\s()&|]|$)/y;
const LISTED = /[^\s(),]+/y;
/** Names that logs have for the severity, in front of the word for one: `level:error`, `level >= warn`, `lvl in (warn, error)`. */
const LEVEL =
  /(?:(?:log|severity)[._]?)?(?:level|lvl)(?=\s*(?:==|!=|>=|<=|[=><]|:(?:>=|<=|[><])?)\s*["']?([a-z]{3,})\b|\s+(?:not\s+)?in\s*\(\s*["']?([a-z]{3,})\b)/iy;
const LIST_GOES_ON = /,|\|\||\bor\b/iy;
/** More of a level is less of a number. */
const TURNED: Readonly<Record<string, Order>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/**
 * Reads what was typed as a filter: as a comparison where it begins with a known name and an operator, else as text. `status >= 500` is written as
 * `Fields[status] >= 500`, `=` as `==`, and a bare word is quoted where the name holds text. `status:5xx`, `-uri:/api/*` and `status in (500, 503)` are
 * comparisons, too; a blank between two comparisons means `&&`.
 * @param variables that are known, by the names of the matcher's language
 * @param fields those of them, or any: a name that is not known is that of a field
 */
export function readFilter(typed: string, variables: readonly Variable[], fields: 'known' | 'any' = 'known'): Reading {
  const reader = new Reader(typed, variables, fields);
  const note = reader.looksLikeText();
  if (note !== false) return { kind: 'text', note };
  try {
    return { kind: 'matcher', ...reader.read() };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { kind: 'wrong', problem: error.problem, open: error.problem.from >= typed.trimEnd().length };
  }
}

/** The place in the typed text of a place in the expression that was made of it. */
export function typedPlace(pieces: readonly Piece[], written: number): number {
  const at = pieces.findLastIndex((piece) => piece.written <= written);
  const piece = pieces[at];
  if (piece === undefined) return written;
  const place = piece.typed + (written - piece.written);
  const next = pieces[at + 1];
  return next === undefined ? place : Math.min(place, next.typed);
}

class Wrong extends Error {
  readonly problem: TypedProblem;

  constructor(problem: TypedProblem) {
    super(problem.text);
    this.problem = problem;
  }
}

interface Found {
  readonly written: string;
  /** As the user names it. */
  readonly name: string;
  readonly type: Variable['type'];
  /** It is the severity by another name, of which more is worse. */
  readonly isLevel?: boolean;
}

class Reader {
  readonly #typed: string;
  readonly #variables: readonly Variable[];
  readonly #pieces: Piece[] = [];
  readonly #fields: 'known' | 'any';
  #at = 0;
  #written = '';

  constructor(typed: string, variables: readonly Variable[], fields: 'known' | 'any') {
    this.#typed = typed;
    this.#variables = variables;
    this.#fields = fields;
  }

  /** false: it is a comparison; else why it is none, though it looks like one. */
  looksLikeText(): string | null | false {
    while (this.#take(/\s*\(/y) !== null);
    this.#take(BLANK);
    const isNot = this.#take(NOT) !== null;
    const start = this.#at;
    const found = this.#variable();
    if (found === null) {
      const name = this.#take(NAME);
      this.#take(BLANK);
      const operator = name === null ? null : this.#take(OPERATOR);
      this.#at = 0;
      if (operator === null || operator === '~') return null;
      return `${this.#typed.slice(start, start + (name as string).length)} is not a known field`;
    }
    const operator = this.#short() ?? (isNot ? null : this.#take(OPERATOR));
    this.#at = 0;
    return operator === null ? null : false;
  }

  /** The operator of a test in its short form at this place. */
  #short(): string | null {
    const colon = this.#take(COLON);
    if (colon !== null) return colon;
    this.#take(BLANK);
    return this.#take(LIST) ?? this.#take(IN);
  }

  /** Whether another test begins at this place. */
  #goesOn(): boolean {
    const at = this.#at;
    const isNot = this.#take(NOT) !== null;
    const goesOn = this.#variable() !== null && (this.#short() ?? (isNot ? null : this.#take(OPERATOR))) !== null;
    this.#at = at;
    return goesOn;
  }

  read(): { readonly expression: string; readonly pieces: readonly Piece[] } {
    this.#or(0);
    this.#take(BLANK);
    if (this.#at < this.#typed.length) throw this.#unexpected();
    return { expression: this.#written, pieces: this.#pieces };
  }

  /** The problem at a place where a connective should be: a test of a field that is not known, or another text. */
  #unexpected(): Wrong {
    const from = this.#at;
    this.#take(NOT);
    const start = this.#at;
    const name = this.#take(NAME);
    const isTest = name !== null && (this.#take(COLON) ?? this.#take(SPACED_OPERATOR)) !== null;
    this.#at = isTest ? start : from;
    return isTest ? this.#wrong(NAME, `${name} is not a known field`) : this.#wrong(WORD, 'expected && or ||');
  }

  #or(depth: number): void {
    for (;;) {
      this.#primary(depth);
      this.#take(BLANK);
      const start = this.#at;
      const connective = this.#take(CONNECTIVE)?.toLowerCase() ?? (this.#goesOn() ? 'and' : undefined);
      if (connective === undefined) return;
      this.#take(BLANK);
      this.#write(connective === 'and' || connective === '&&' ? ' && ' : ' || ', start);
    }
  }

  #primary(depth: number): void {
    this.#take(BLANK);
    const start = this.#at;
    if (this.#take(/\(/y) !== null) {
      this.#write('(', start);
      this.#or(depth + 1);
      this.#take(BLANK);
      const end = this.#at;
      if (this.#take(/\)/y) === null) throw this.#wrong(WORD, 'a bracket is not closed');
      this.#write(')', end);
      return;
    }
    const isNot = this.#take(NOT) !== null;
    const found = this.#variable();
    if (found === null) throw this.#wrong(NAME, 'expected the name of a field');
    const short = this.#short();
    if (short !== null) return this.#test(found, short, { isNot, start });
    if (isNot) throw this.#wrong(WORD, 'expected a colon and a value, such as -status:200');
    this.#write(found.written, start);
    this.#comparison(found);
  }

  /** A test in its short form: a colon with a value, or a list. */
  #test(found: Found, operator: string, { isNot, start }: { readonly isNot: boolean; readonly start: number }): void {
    const { written, type } = found;
    if (operator === ':' && this.#take(ANY) !== null) return this.#write(presence(written, !isNot), start);
    const opposite = isNot !== /^not/i.test(operator);
    if (!operator.endsWith('(') && operator !== ':') return this.#network(written, opposite, start);
    const tests = operator === ':' && this.#take(/\(/y) === null ? [this.#value(found, WORD)] : this.#list(found);
    this.#write(opposite ? failing(written, type, tests) : passing(tests), start);
  }

  /** A network behind `in`, which the engine checks. */
  #network(variable: string, opposite: boolean, start: number): void {
    const at = this.#at;
    const network = this.#take(WORD) ?? '';
    if (opposite) return this.#write(failing(variable, 'string', [networkTest(variable, network)]), start);
    this.#write(`${variable} in `, start);
    this.#write(network, at);
  }

  /** The values of a list, to its closing bracket. */
  #list(found: Found): ValueTest[] {
    const tests: ValueTest[] = [];
    do {
      this.#take(BLANK);
      tests.push(this.#value(found, LISTED));
      this.#take(BLANK);
    } while (this.#take(LIST_GOES_ON) !== null);
    if (this.#take(/\)/y) === null) throw this.#wrong(WORD, 'expected a comma or a closing bracket');
    return tests;
  }

  /** One value of a test in its short form. @param word takes one that is not quoted */
  #value(found: Found, word: RegExp): ValueTest {
    const { written, name, type } = found;
    const typed = word === WORD ? this.#take(ORDER) : null;
    const at = this.#at;
    const order = orderOf(found, typed);
    if (order !== null) return orderTest(written, order as Order, this.#constant(found, order, at).text);
    // In quotes a star is one.
    const wild = /^['"]/.test(this.#typed.charAt(at)) ? null : wildcardTest(written, type, this.#take(word) ?? '');
    if (wild !== null) return wild;
    this.#at = at;
    const listed = this.#take(word) ?? '';
    if (NETWORK.test(listed)) return networkTest(written, listed);
    this.#at = at;
    const { text } = this.#constant(found, '==', at, word);
    if (text === 'NIL') throw this.#wrongAt(at, this.#at, `write -${name}:* for records without it`);
    return constantTest(written, type, text);
  }

  #comparison(found: Found): void {
    this.#take(BLANK);
    const start = this.#at;
    const typed = this.#take(OPERATOR);
    if (typed === null) throw this.#wrong(WORD, 'expected a comparison, such as == or >=');
    const operator = typed === '=' ? '==' : typed === '~' ? '=~' : (orderOf(found, typed) ?? typed);
    this.#take(BLANK);
    if (this.#at >= this.#typed.length) throw this.#wrong(WORD, 'expected a value');
    const at = this.#at;
    if (operator === '=~' || operator === '!~') {
      if (found.type === 'number') throw this.#wrongAt(start, at, `${found.name} is a number; compare it with ==, > or <`);
      this.#write(` ${operator} `, start);
      const pattern = this.#take(PATTERN);
      if (pattern === null) this.#write('/', at);
      this.#write(pattern ?? `${this.#bareWord({ pattern: true }).replaceAll('/', '\\/')}/`, at);
      return;
    }
    const constant = this.#constant(found, operator, at);
    this.#write(` ${constant.operator ?? operator} `, start);
    this.#write(constant.text, at);
  }

  #constant(found: Found, operator: string, at: number, bare = WORD): { readonly text: string; readonly operator?: string } {
    const wrong = (text: string): Wrong => this.#wrongAt(at, this.#at, text);
    const equality = operator === '==' || operator === '!=' || found.isLevel === true;
    const quoted = this.#take(QUOTED);
    if (quoted !== null) {
      if (found.written === 'Severity') return { text: severityNumber(quoted.slice(1, -1), equality, wrong) };
      if (found.type === 'number' || found.type === 'bool')
        throw wrong(`${found.name} is a ${found.type === 'bool' ? 'truth value' : 'number'}`);
      return { text: quoted };
    }
    const word = this.#bareWord({ bare });
    if (/^\/.+\/$/.test(word)) throw wrong('a regular expression is compared with =~ or !~; put a text in quotes');
    if (word === 'NIL' && !isHeader(found.written)) {
      if (!equality) throw wrong('NIL is compared with == or !=');
      return { text: word };
    }
    if (found.type === 'bool') return this.#truth(found, word, operator, wrong);
    if (found.written === 'Severity' && !NUMBER.test(word)) return { text: severityNumber(word, equality, wrong) };
    if (NUMBER.test(word) && found.type !== 'string') return { text: word };
    if (found.type === 'number') throw wrong(word.startsWith('-') ? 'a negative number cannot be compared' : `${found.name} is a number`);
    const text = quote(word);
    if (text === null) throw wrong('put it in quotes');
    return { text };
  }

  #truth(
    { name }: Found,
    word: string,
    operator: string,
    wrong: (text: string) => Wrong,
  ): { readonly text: string; readonly operator: string } {
    const value = /^true$/i.test(word) ? true : /^false$/i.test(word) ? false : null;
    if (value === null || (operator !== '==' && operator !== '!=')) throw wrong(`${name} is a truth value: == true or == false`);
    return { text: value === (operator === '==') ? 'TRUE' : 'FALSE', operator: '==' };
  }

  /** @param pattern it stands for a regular expression, which a slash may open */
  #bareWord({ bare = WORD, pattern = false } = {}): string {
    const at = this.#at;
    const word = this.#take(bare);
    if (word === null) throw this.#wrong(/./suy, 'expected a value');
    const first = word.charAt(0);
    if (first === "'" || first === '"' || (pattern && first === '/'))
      throw this.#wrongAt(at, this.#typed.length, `the closing ${first} is missing`);
    return word;
  }

  /** A header or field at this place: as the language writes it, or by the longest known name of a field. */
  #variable(): Found | null {
    const strict = this.#take(STRICT_FIELD);
    if (strict !== null) {
      const name = /^Fields\[([^\]]+)\]/.exec(strict)?.[1] ?? '';
      const known = this.#variables.find((one) => one.name === `Fields[${name}]`);
      return { written: strict, name, type: known?.type ?? 'mixed' };
    }
    const exact = this.#longest((name) => this.#typed.startsWith(name, this.#at));
    const rest = this.#typed.slice(this.#at).toLowerCase();
    const found = exact ?? this.#longest((name) => rest.startsWith(name.toLowerCase()));
    if (found === null) return this.#level() ?? this.#anyField();
    this.#at += found.bare.length;
    return { written: found.variable.name, name: found.bare, type: found.variable.type };
  }

  /** The severity by another name, where records have severities and no field of that name. */
  #level(): Found | null {
    if (!this.#variables.some(({ name, isLevel }) => name === 'Severity' && isLevel === true)) return null;
    LEVEL.lastIndex = this.#at;
    const [name, one, listed] = LEVEL.exec(this.#typed) ?? [];
    if (name === undefined || severityNamed(one ?? listed ?? '') === null) return null;
    this.#at += name.length;
    return { written: 'Severity', name, type: 'number', isLevel: true };
  }

  /** The name at this place as that of a field, where it may be any. */
  #anyField(): Found | null {
    const name = this.#fields === 'any' ? this.#take(NAME) : null;
    return name === null ? null : { written: `Fields[${name}]`, name, type: 'mixed' };
  }

  #longest(fits: (name: string) => boolean): { readonly variable: Variable; readonly bare: string } | null {
    let best: { readonly variable: Variable; readonly bare: string } | null = null;
    for (const variable of this.#variables) {
      const bare = bareName(variable.name);
      const shorter = bare.length - (best?.bare.length ?? 0);
      // In the language itself a header has its name for itself.
      if (shorter < 0 || (shorter === 0 && !isHeader(variable.name)) || !fits(bare)) continue;
      if (!/[\p{L}\p{N}_.[-]/u.test(this.#typed.charAt(this.#at + bare.length))) best = { variable, bare };
    }
    return best;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#typed);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }

  #write(text: string, typed: number): void {
    this.#pieces.push({ typed, written: this.#written.length + (text.length - text.trimStart().length) });
    this.#written += text;
  }

  /** Error for the piece at this place that a pattern takes. */
  #wrong(piece: RegExp, text: string): Wrong {
    const from = this.#at;
    this.#take(piece);
    return this.#wrongAt(from, this.#at, text);
  }

  #wrongAt(from: number, to: number, text: string): Wrong {
    return new Wrong({ from, to, text });
  }
}

function severityNumber(word: string, isClear: boolean, wrong: (text: string) => Wrong): string {
  const number = severityNamed(word);
  if (number === null) throw wrong('Severity is a number from 0, the worst, to 7');
  // Lower is worse: what "at least a warning" means is not clear.
  if (!isClear) throw wrong(`write the number, ${number}; lower is worse`);
  return String(number);
}

/** The operator of the expression for one that orders; null: it is none. */
const orderOf = ({ isLevel }: Found, typed: string | null): string | null =>
  typed === null || !(typed in TURNED) ? null : isLevel === true ? (TURNED[typed] ?? typed) : typed;

/** `status` of `Fields[status]`; the name of a header as it is. */
function bareName(variable: string): string {
  return /^Fields\[([^\]]+)\]$/.exec(variable)?.[1] ?? variable;
}

/** The variables by the names that can be typed alone, for completion. */
export function bareVariables(variables: readonly Variable[]): Variable[] {
  const names = new Set(variables.map(({ name }) => name));
  return variables.map((variable) => {
    const bare = bareName(variable.name);
    const typeable = /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(bare) && (bare === variable.name || !names.has(bare));
    return typeable ? { ...variable, name: bare } : variable;
  });
}
