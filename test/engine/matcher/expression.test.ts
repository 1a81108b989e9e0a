import { describe, expect, it } from 'vitest';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { compileExpression } from '../../../engine/matcher/expression.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { CASES, MESSAGES, MISTAKES } from '../expression-cases.ts';

describe('compileExpression', () => {
  it.each(CASES)('%s', (expression, rows) => {
    const matcher = compileExpression(expression);
    expect([...(matcher.select(batchOf(MESSAGES)) ?? MESSAGES.keys())]).toEqual(rows);
    expect([...MESSAGES.keys()].filter((row) => matcher.matches(MESSAGES[row] as (typeof MESSAGES)[number]))).toEqual(rows);
    expect(matcher.source).toBe(expression);
  });

  it.each(MISTAKES)('refuses %s with the place', (expression, said) => {
    expect(() => compileExpression(expression)).toThrow(MatcherError);
    expect(() => compileExpression(expression)).toThrow(said);
  });
});
