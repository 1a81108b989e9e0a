import type { TextQuery } from '../api/types.ts';
import { EngineError } from '../errors.ts';
import { compilePattern, PatternError, type Pattern } from '../matcher/regex/pattern.ts';
import { plainSearch, wordSearch, type TextSearch } from './text-search.ts';

/**
 * Compiles what someone typed to be found; null: nothing was typed.
 * @throws {EngineError} `query.regex`: the expression is wrong; the text speaks of it as it was typed
 */
export function compileSearch(query: TextQuery): TextSearch | null {
  const { text = '', regex = false, caseSensitive = false, word = false } = query;
  if (text === '') return null;
  if (!regex) return word ? wordSearch(text, caseSensitive) : plainSearch(text, caseSensitive);
  // Judged alone: an error must not speak of what is put around it.
  let pattern = compile(text, text);
  if (word || !caseSensitive) pattern = compile(`${caseSensitive ? '' : '(?i)'}${word ? `\\b(?:${text})\\b` : text}`, text);
  return { test: pattern.test, needle: null, caseSensitive };
}

function compile(source: string, typed: string): Pattern {
  try {
    return compilePattern(source);
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause;
    const why = source === typed ? cause.message : `it cannot be found as a whole word or in any case: ${typed}`;
    throw new EngineError('query.regex', `Regular expression: ${why}`, { cause });
  }
}
