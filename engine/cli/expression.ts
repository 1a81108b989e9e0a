import { MatcherError } from '../matcher/errors.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { Matcher } from '../matcher/matcher.ts';
import { UsageError } from './command.ts';

/** Compiles an expression of the command line. @throws {UsageError} with the place of the mistake */
export function parseExpression(option: string, expression: string): Matcher {
  try {
    return compileExpression(expression);
  } catch (error) {
    if (error instanceof MatcherError) throw new UsageError(`${option}: ${error.message}`, { details: error.caret().split('\n') });
    throw error;
  }
}
