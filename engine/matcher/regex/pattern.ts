import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { Dfa } from './dfa.ts';
import { literalForm, requiredInLatin, requiredLiteral, type LiteralForm, type RequiredLiteral } from './literal.ts';
import { nativeRegExp } from './native.ts';
import { parseRegex } from './parse.ts';
import { trimForSearch } from './simplify.ts';
import { sizeOf, type Regex } from './syntax.ts';

/** Most instructions of an expression, counted repetitions written out. */
const MAX_SIZE = 200_000;
/** Texts shorter than this are searched faster than prefiltered. */
const PREFILTER_FROM = 24;

/** A regular expression that cannot be compiled; the message says why. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  /** The piece of the expression that is wrong; null: not known. */
  readonly piece: string | null;

  constructor(message: string, options?: ErrorOptions & { readonly piece?: string | null }) {
    super(message, options);
    this.piece = options?.piece ?? null;
  }
}

/** A compiled regular expression of RE2 syntax, matched unanchored and in time linear in the text. */
export interface Pattern {
  readonly source: string;
  /** The engine that runs it; see `compilePattern`. */
  readonly engine: 'literal' | 'native' | 'automaton' | 're2js';
  /** Set when the expression is only text. */
  readonly literal: LiteralForm | null;
  /** A text in lower case that every match in a text of Latin-1 has in some case; null: not known. */
  readonly required: string | null;
  /** Whether it matches somewhere in `text.slice(start, end)`. */
  readonly test: (text: string, start: number, end: number) => boolean;
}

/**
 * Compiles a regular expression of RE2 syntax (https://github.com/google/re2/wiki/Syntax), which has neither backreferences nor
 * look-around. RE2JS judges what is valid. The expression runs by the fastest of:
 *
 * 1. string operations, for expressions that are only text, perhaps anchored;
 * 2. a native `RegExp`, where backtracking is bounded by a constant for each character, be it only in short texts;
 * 3. a lazily built automaton, for all other texts;
 * 4. RE2JS, for Unicode classes, for case folding outside ASCII, and for thousands of different sets of characters.
 *
 * Throws `PatternError`.
 */
export function compilePattern(source: string): Pattern {
  const regex = parseRegex(source);
  if (regex !== null && sizeOf(regex) > MAX_SIZE) throw new PatternError('it is too large, with its repetitions written out');
  const reference = compileReference(source);
  const fallback: Engine = { engine: 're2js', literal: null, test: (text, start, end) => reference.test(text.slice(start, end)) };
  if (regex === null) return { source, required: null, ...fallback };
  const trimmed = trimForSearch(regex);
  return { source, required: requiredInLatin(trimmed), ...(chooseEngine(trimmed) ?? fallback) };
}

function compileReference(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    const piece = cause instanceof RE2JSSyntaxException && cause.input ? cause.input : null;
    const where = piece === null ? '' : ` at ${piece}`;
    const why = notSupported(piece ?? '') ?? (cause instanceof RE2JSSyntaxException ? cause.error : cause.message);
    throw new PatternError(`${why}${where}`, { cause, piece });
  }
}

/** Syntax of other engines that no expression of linear time can have, by its beginning. */
const NOT_SUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'look-ahead and look-behind are not supported'],
  [/^\\(?:[1-9]|k)/, 'back-references are not supported'],
  [/^\(\?>/, 'atomic groups are not supported'],
];

const notSupported = (piece: string): string | undefined => NOT_SUPPORTED.find(([start]) => start.test(piece))?.[1];

type Engine = Omit<Pattern, 'source' | 'required'>;

function chooseEngine(regex: Regex): Engine | null {
  const literal = literalForm(regex);
  if (literal !== null) return { engine: 'literal', literal, test: testLiteral(literal) };
  const native = nativeRegExp(regex);
  if (native?.maxLength === Infinity)
    return { engine: 'native', literal, test: (text, start, end) => native.regExp.test(text.slice(start, end)) };
  const automaton = Dfa.of(regex);
  if (automaton === null) return null;
  const long = testAutomaton(automaton, requiredLiteral(regex));
  if (native === null) return { engine: 'automaton', literal, test: long };
  const { regExp, maxLength } = native;
  return {
    engine: 'automaton',
    literal,
    test: (text, start, end) => (end - start <= maxLength ? regExp.test(text.slice(start, end)) : long(text, start, end)),
  };
}

function testLiteral({ kind, text: wanted }: LiteralForm): Pattern['test'] {
  const { length } = wanted;
  switch (kind) {
    case 'always':
      return () => true;
    case 'contains':
      return (text, start, end) => text.slice(start, end).includes(wanted);
    case 'startsWith':
      return (text, start, end) => end - start >= length && text.startsWith(wanted, start);
    case 'endsWith':
      return (text, start, end) => end - start >= length && text.startsWith(wanted, end - length);
    case 'equals':
      return (text, start, end) => end - start === length && text.startsWith(wanted, start);
  }
}

function testAutomaton(automaton: Dfa, required: RequiredLiteral | null): Pattern['test'] {
  if (required === null) return (text, start, end) => automaton.test(text, start, end, start);
  const { text: wanted, before } = required;
  return (text, start, end) => {
    if (end - start < PREFILTER_FROM) return automaton.test(text, start, end, start);
    const found = text.slice(start, end).indexOf(wanted);
    if (found < 0) return false;
    return automaton.test(text, start, end, before > found ? start : wholeCharacter(text, start, start + found - before));
  };
}

/** `at`, or one less when it is in the middle of a character. */
function wholeCharacter(text: string, start: number, at: number): number {
  const unit = text.charCodeAt(at);
  return at > start && unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
