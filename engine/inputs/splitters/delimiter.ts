import { RE2JS, type Matcher } from 're2js';
import { contains } from '../../matcher/regex/charset.ts';
import { parseRegex } from '../../matcher/regex/parse.ts';
import { compilePattern, type Pattern } from '../../matcher/regex/pattern.ts';
import type { Regex } from '../../matcher/regex/syntax.ts';
import { InputError, errorText } from '../notices.ts';

/** Finds a delimiter in a text. After `find` returned true the four positions tell where; a group that took no part is at -1. */
export interface DelimiterFinder {
  readonly hasGroup: boolean;
  start: number;
  end: number;
  groupStart: number;
  groupEnd: number;
  /** The first match at or after `from`. */
  find(text: string, from: number): boolean;
}

/**
 * Compiles a delimiter in RE2 syntax (https://github.com/google/re2/wiki/Syntax) with at most one capture group. Expressions that cannot
 * backtrack at length, which is nearly every real delimiter, run on the native engine; all others on a linear-time engine, so that
 * no expression and no input can stall the input. An InputError (`split.bad`) says what is wrong with an expression.
 * @param keepsStart only the start of the group matters: a line that begins with the expression is found by the first characters of each line,
 * which is some fifty times faster
 */
export function compileDelimiter(pattern: string, keepsStart = false): DelimiterFinder {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    throw new InputError('split.bad', `"${pattern}" is not a usable regular expression: ${errorText(error)}`, { cause: error });
  }
  const groups = compiled.groupCount();
  if (groups > 1) throw new InputError('split.bad', `"${pattern}" has ${groups} groups. A delimiter has at most one.`);
  if (compiled.matches('')) throw new InputError('split.bad', `"${pattern}" matches the empty text, so it cannot delimit anything.`);
  if (isSimple(pattern)) return new NativeFinder(pattern, groups === 1);
  const beginning = keepsStart ? lineBeginning(pattern) : null;
  return beginning === null ? new LinearFinder(compiled, groups === 1) : new LineFinder(beginning);
}

class NativeFinder implements DelimiterFinder {
  readonly hasGroup: boolean;
  start = 0;
  end = 0;
  groupStart = -1;
  groupEnd = -1;
  readonly #regex: RegExp;

  constructor(pattern: string, hasGroup: boolean) {
    this.hasGroup = hasGroup;
    this.#regex = new RegExp(unicodePattern(pattern), hasGroup ? 'dgu' : 'gu');
  }

  find(text: string, from: number): boolean {
    this.#regex.lastIndex = from;
    const match = this.#regex.exec(text);
    if (match === null) return false;
    this.start = match.index;
    this.end = this.#regex.lastIndex;
    const group = match.indices?.[1];
    this.groupStart = group?.[0] ?? -1;
    this.groupEnd = group?.[1] ?? -1;
    return true;
  }
}

class LinearFinder implements DelimiterFinder {
  readonly hasGroup: boolean;
  start = 0;
  end = 0;
  groupStart = -1;
  groupEnd = -1;
  readonly #regex: RE2JS;
  #text = '';
  #matcher: Matcher | null = null;

  constructor(regex: RE2JS, hasGroup: boolean) {
    this.hasGroup = hasGroup;
    this.#regex = regex;
  }

  find(text: string, from: number): boolean {
    if (this.#matcher === null || this.#text !== text) {
      this.#text = text;
      this.#matcher = this.#regex.matcher(text);
    }
    const matcher = this.#matcher;
    if (from > text.length || !matcher.find(from)) return false;
    this.start = matcher.start();
    this.end = matcher.end();
    this.groupStart = this.hasGroup ? matcher.start(1) : -1;
    this.groupEnd = this.hasGroup ? matcher.end(1) : -1;
    return true;
  }
}

/** Finds line ends before lines that begin with a pattern. The group is that line. */
class LineFinder implements DelimiterFinder {
  readonly hasGroup = true;
  start = 0;
  end = 0;
  groupStart = -1;
  groupEnd = -1;
  readonly #beginning: Pattern;

  constructor(beginning: Pattern) {
    this.#beginning = beginning;
  }

  find(text: string, from: number): boolean {
    for (let at = text.indexOf('\n', from); at >= 0;) {
      const next = text.indexOf('\n', at + 1);
      const end = next < 0 ? text.length : next;
      if (this.#beginning.test(text, at + 1, end)) {
        this.start = at;
        this.groupStart = at + 1;
        this.groupEnd = this.end = end;
        return true;
      }
      at = next;
    }
    return false;
  }
}

/** The beginning of a line in an expression `\n(beginning)`; null for any other expression, and for a beginning that knows of other lines. */
function lineBeginning(pattern: string): Pattern | null {
  const inner = /^\\n\((.*)\)$/s.exec(pattern)?.[1];
  if (inner === undefined || inner.startsWith('?')) return null;
  try {
    const regex = parseRegex(inner);
    return regex !== null && isOfOneLine(regex) ? compilePattern(`^(?:${inner})`) : null;
  } catch {
    return null;
  }
}

const LINE_FEED = 10;

function isOfOneLine(regex: Regex): boolean {
  switch (regex.kind) {
    case 'empty':
      return true;
    case 'set':
      return !contains(regex.set, LINE_FEED);
    case 'assertion':
      return regex.assertion === 'word' || regex.assertion === 'notWord';
    case 'sequence':
    case 'choice':
      return regex.parts.every(isOfOneLine);
    case 'repeat':
      return isOfOneLine(regex.part);
  }
}

/** Literals, simple escapes, classes, one level of groups, alternatives; repeated at most once, but for the very last element. */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[nrtdw]|\\[^A-Za-z0-9]|\[\^?(?:[^\\[\]]|\\[nrtdw]|\\[^A-Za-z0-9])+\])`;
const SEQUENCE = String.raw`(?:${ATOM}\??)*`;
const GROUP = String.raw`\((?:\?:)?${SEQUENCE}(?:\|${SEQUENCE})*\)`;
const SIMPLE = new RegExp(`^(?:${ATOM}\\??|${GROUP}){0,40}(?:${ATOM}[+*])?$`);

/** A simple expression in which classes know whole characters (`u`): there, a backslash stands before few other than letters. */
const unicodePattern = (pattern: string): string =>
  pattern.replaceAll(/\\(.)/gs, (escape, char: string) =>
    /\w/.test(char) ? escape : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** Whether both engines read an expression alike and the native one takes linear time on it. */
function isSimple(pattern: string): boolean {
  return pattern.length <= 80 && SIMPLE.test(pattern);
}
