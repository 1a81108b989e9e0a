import { readExpression } from '../api/filter/reading.ts';
import { typedPlace } from '../api/filter/scanner.ts';
import { lookupFolder } from '../lookup/folder.ts';
import { MatcherError } from './errors.ts';
import { compileMatcher, type Matcher } from './matcher.ts';

/**
 * Compiles an expression that a user wrote: of the matcher's language, which has its exact meaning, or with the short forms of the filter bar
 * (docs/matcher.md). Throws `MatcherError` with the place in what was written.
 */
export function compileExpression(expression: string): Matcher {
  try {
    return compileMatcher(expression);
  } catch (error) {
    if (!(error instanceof MatcherError)) throw error;
    return compileShort(expression, error);
  }
}

/** @param strict the mistake that it would be in the matcher's language */
function compileShort(expression: string, strict: MatcherError): Matcher {
  const reading = readExpression(expression, lookupFolder() !== null);
  if (reading.kind === 'wrong') {
    const { from, to, text } = reading.problem;
    // The language says more about what is written in it.
    if (!reading.short || from < strict.column) throw strict;
    const found = to > from ? `'${expression.slice(from, to)}'` : 'the end';
    throw new MatcherError({ expression, column: from + 1, found, expected: text.replace(/^expected /, ''), said: text, cause: strict });
  }
  try {
    return { ...compileMatcher(reading.expression), source: expression };
  } catch (error) {
    if (!(error instanceof MatcherError)) throw error;
    if (!reading.short) throw strict;
    const { found, expected, hint, said } = error;
    const column = typedPlace(reading.pieces, error.column - 1) + 1;
    // A column that it names is not that of what was written.
    const kept = hint?.includes('column') === true ? null : hint;
    throw new MatcherError({ expression, column, found, expected, hint: kept, said, cause: error });
  }
}
