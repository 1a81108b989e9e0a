import type { TextQuery } from '../../api/types.ts';
import { wholeWordRegex, wordsIn } from '../../api/words.ts';
import { EngineError } from '../../base/errors.ts';
import { latinLines } from '../../matcher/regex/latin-lines.ts';
import { parseRegex } from '../../matcher/regex/parse.ts';
import { compilePattern, PatternError, type Pattern } from '../../matcher/regex/pattern.ts';
import { plainSearch, wordSearch, type TextSearch } from './text-search.ts';

/**
 * Compiles what someone typed to be found; null: nothing was typed.
 * @param filter the number of the filter that it is, in a stack
 * @throws {EngineError} `query.regex`: the expression is wrong; the text speaks of it as it was typed
 */
export function compileSearch(query: TextQuery, filter?: number): TextSearch | null {
  const { text = '', regex = false, caseSensitive = false, word = false } = query;
  if (text === '') return null;
  if (!regex) return word ? wordSearch(text, caseSensitive) : plainSearch(text, caseSensitive);
  // Judged alone: an error must not speak of what is put around it.
  let pattern = compile(text, text, filter);
  const flags = caseSensitive ? '' : '(?i)';
  if (!caseSensitive) pattern = compile(flags + text, text, filter);
  const test = word ? wordTest(pattern, (words) => compile(flags + wholeWordRegex(text, words), text, filter)) : pattern.test;
  const parsed = parseRegex(pattern.source);
  return { test, needle: null, required: pattern.required, caseSensitive, latin: parsed === null ? null : latinLines(parsed) };
}

/** Most texts have no hit at all, and most of the others are ASCII, so the slow engine for Unicode classes has little to do. */
function wordTest(pattern: Pattern, compileWord: (words: ReturnType<typeof wordsIn>) => Pattern): TextSearch['test'] {
  const whole = { ascii: compileWord('ascii'), unicode: compileWord('unicode') };
  return (text, start, end) => {
    if (!pattern.test(text, start, end)) return false;
    const piece = text.slice(start, end);
    return whole[wordsIn(piece)].test(piece, 0, piece.length);
  };
}

function compile(source: string, typed: string, filter: number | undefined): Pattern {
  try {
    return compilePattern(source);
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause;
    const why = source === typed ? cause.message : `it cannot be found as a whole word or in any case: ${typed}`;
    const place = filter === undefined ? undefined : { filter, ...pieceOf(typed, cause) };
    throw new EngineError('query.regex', `Regular expression: ${why}`, { cause, place });
  }
}

/** The piece of an expression that is wrong; all of it when that is not known. */
function pieceOf(typed: string, { piece }: PatternError): { readonly from: number; readonly to: number } {
  const from = piece === null ? -1 : typed.indexOf(piece);
  return piece === null || from === -1 ? { from: 0, to: typed.length } : { from, to: from + piece.length };
}
