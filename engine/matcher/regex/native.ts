import type { CharSet } from './charset.ts';
import { onlyMember } from './charset.ts';
import { matchesEmpty, type Assertion, type Regex } from './syntax.ts';

/** Most steps that a backtracking engine may need at one position of the text. */
const MAX_WORK = 1000;
/** Text lengths for which a native expression is considered, the longest first. */
const LENGTHS = [Infinity, 256, 128, 64, 32];

/** A native expression, and the longest text for which its time is bounded well enough. */
export interface Native {
  readonly regExp: RegExp;
  readonly maxLength: number;
}

/**
 * The expression as a native `RegExp`, for texts in which backtracking cannot take more than a fixed number of steps for each character:
 * of any length when the expression has no unbounded repetition, of limited length when it has one or two. null: for no useful length.
 * Flags are resolved in the sets, so the only flag is `u`, which makes characters whole code points as they are in RE2.
 */
export function nativeRegExp(regex: Regex): Native | null {
  // V8 also looks for empty matches, as of (?m)$^ or \B, between the halves of a surrogate pair.
  if (matchesEmpty(regex)) return null;
  const maxLength = LENGTHS.find((length) => work(regex, length).steps <= MAX_WORK);
  if (maxLength === undefined) return null;
  // V8 14 looks for matches of `X$` one code unit before the end even where X takes two: /[^a]$/u fails on an emoji.
  const end = takesPairs(regex) ? '(?![^])' : '$';
  return { regExp: new RegExp(emit(regex, end), 'u'), maxLength };
}

/** Upper bounds: ways to leave the expression, and steps to try all of them. */
interface Work {
  readonly ways: number;
  readonly steps: number;
}

/** The work in a text of at most `length` characters, which also bounds every repetition. */
function work(regex: Regex, length: number): Work {
  switch (regex.kind) {
    case 'empty':
      return { ways: 1, steps: 0 };
    case 'set':
    case 'assertion':
      return { ways: 1, steps: 1 };
    case 'sequence':
      return regex.parts.map((part) => work(part, length)).reduce(after, { ways: 1, steps: 0 });
    case 'choice':
      return regex.parts
        .map((part) => work(part, length))
        .reduce((a, b) => ({ ways: a.ways + b.ways, steps: a.steps + b.steps + 1 }), { ways: 0, steps: 0 });
    case 'repeat': {
      const max = regex.max < 0 ? length : regex.max;
      if (max > MAX_WORK) return { ways: Infinity, steps: Infinity };
      const one = work(regex.part, length);
      let ways = regex.min === 0 ? 1 : 0;
      let round: Work = { ways: 1, steps: 0 };
      for (let count = 1; count <= max && round.steps <= MAX_WORK; count++) {
        round = after(round, one);
        if (count >= regex.min) ways += round.ways;
      }
      return { ways, steps: round.steps + max };
    }
  }
}

function after(first: Work, second: Work): Work {
  return { ways: first.ways * second.ways, steps: first.steps + first.ways * second.steps };
}

const ASSERTIONS: Readonly<Record<Exclude<Assertion, 'textEnd'>, string>> = {
  textStart: '^',
  lineStart: '(?<![^\\n])',
  lineEnd: '(?![^\\n])',
  word: '\\b',
  notWord: '\\B',
};

function takesPairs(regex: Regex): boolean {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return false;
    case 'set':
      return (regex.set.at(-1) ?? 0) > 0xffff;
    case 'sequence':
    case 'choice':
      return regex.parts.some(takesPairs);
    case 'repeat':
      return takesPairs(regex.part);
  }
}

function emit(regex: Regex, end: string): string {
  switch (regex.kind) {
    case 'empty':
      return '(?:)';
    case 'set':
      return emitSet(regex.set);
    case 'assertion':
      return regex.assertion === 'textEnd' ? end : ASSERTIONS[regex.assertion];
    case 'sequence':
      return regex.parts.map((part) => emit(part, end)).join('');
    case 'choice':
      return `(?:${regex.parts.map((part) => emit(part, end)).join('|')})`;
    case 'repeat': {
      const { min, max } = regex;
      return `(?:${emit(regex.part, end)}){${min},${max < 0 ? '' : max}}`;
    }
  }
}

function emitSet(set: CharSet): string {
  const only = onlyMember(set);
  if (only >= 0) return emitCode(only);
  let body = '';
  for (let i = 0; i < set.length; i += 2) {
    const low = set[i] as number;
    const high = set[i + 1] as number;
    body += high === low ? emitCode(low) : `${emitCode(low)}-${emitCode(high)}`;
  }
  return `[${body}]`;
}

function emitCode(code: number): string {
  const char = String.fromCodePoint(code);
  return /[A-Za-z0-9 ]/.test(char) ? char : `\\u{${code.toString(16)}}`;
}
