import { HEADER_VARIABLES } from '../api/filter/expression.ts';
import { readFilter } from '../api/filter/reading.ts';
import { MatcherError } from '../matcher/errors.ts';
import { compileMatcher, type Matcher } from '../matcher/matcher.ts';
import { UsageError } from './command.ts';

/**
 * Compiles an expression of the command line: one of the matcher's language, or one as the filter bar takes it, such as `level:error` and `status:(500 or 503)`.
 * @throws {UsageError} with the place of the mistake
 */
export function compileExpression(option: string, expression: string): Matcher {
  try {
    return compileShort(expression) ?? compileMatcher(expression);
  } catch (error) {
    if (error instanceof MatcherError) throw new UsageError(`${option}: ${error.message}`, { details: error.caret().split('\n') });
    throw error;
  }
}

/** null: it is of the matcher's language, or of neither. */
function compileShort(expression: string): Matcher | null {
  const short = readFilter(expression, HEADER_VARIABLES, 'any');
  if (short.kind !== 'matcher' || isMatcher(expression)) return null;
  return isMatcher(short.expression) ? compileMatcher(short.expression) : null;
}

function isMatcher(expression: string): boolean {
  try {
    compileMatcher(expression);
    return true;
  } catch (error) {
    if (error instanceof MatcherError) return false;
    throw error;
  }
}
