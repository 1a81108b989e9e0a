import { MatcherError } from '../matcher/errors.ts';
import { compileMatcher, type Matcher } from '../matcher/matcher.ts';
import { UsageError } from './command.ts';

/**
 * Compiles a matcher expression of the command line.
 * @throws {UsageError} with the place of the mistake
 */
export function compileExpression(option: string, expression: string): Matcher {
  try {
    return compileMatcher(expression);
  } catch (error) {
    if (error instanceof MatcherError) throw new UsageError(`${option}: ${error.message}`, { details: error.caret().split('\n') });
    throw error;
  }
}
