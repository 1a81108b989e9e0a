import type { TextQuery } from '../api/types.ts';
import { EngineError } from '../errors.ts';
import { latinLines } from '../matcher/regex/latin-lines.ts';
import { parseRegex } from '../matcher/regex/parse.ts';
import { compilePattern, PatternError, type Pattern } from '../matcher/regex/pattern.ts';
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
  if (word || !caseSensitive) pattern = compile(`${caseSensitive ? '' : '(?i)'}${word ? `\\b(?:${text})\\b` : text}`, text, filter);
  const parsed = parseRegex(pattern.source);
  return { test: pattern.test, needle: null, caseSensitive, latin: parsed === null ? null : latinLines(parsed) };
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
