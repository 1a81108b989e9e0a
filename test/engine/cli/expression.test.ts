import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../engine/cli/expression.ts';
import { UsageError } from '../../../engine/cli/command.ts';
import { messageOf } from '../../../engine/message/json/json-parse.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';

const message = (severity: number, fields: Record<string, unknown>): unknown => ({
  Uuid: '0f6a1c2e-1111-4222-8333-944455556666',
  Timestamp: 0,
  Type: 'nginx.access',
  Severity: severity,
  Payload: 'GET / took 12 ms',
  Fields: Object.entries(fields).map(([name, value]) => ({ name, value: [value] })),
});
const BATCH = batchOf(
  [
    message(3, { status: 500, uri: '/api/a', level: 'x' }),
    message(4, { status: 503, uri: '/', user: 'ann' }),
    message(6, { status: 200, uri: '/api/b' }),
    message(7, { status: '500' }),
  ].map(messageOf),
);

function found(expression: string): number[] {
  const rows = compileExpression('--where', expression).select(BATCH);
  return rows === null ? Array.from({ length: BATCH.length }, (_, row) => row) : [...rows];
}

describe('an expression of the command line', () => {
  it.each([
    // Of the matcher's language: exactly what it says.
    ['Severity == 3', [0]],
    ['Fields[status] == 500', [0]],
    ["Fields[status] == '500'", [3]],
    ['TRUE', [0, 1, 2, 3]],
    // As the filter bar takes it.
    ['level:error', [0]],
    ['level>=warn', [0, 1]],
    ['lvl in (warn, error)', [0, 1]],
    ['status == 500', [0]],
    ['status:5xx', [0, 1]],
    ['status:(500 or 503)', [0, 1, 3]],
    ['-status:200 uri:*', [0, 1]],
    ['uri:/api/*', [0, 2]],
    ['user:*', [1]],
    ['Payload:*12*', [0, 1, 2, 3]],
    ['level:x', [0]],
    ['status:5xx && Severity < 4', [0]],
  ])('%s', (expression, rows) => {
    expect(found(expression)).toEqual(rows);
  });

  it.each([
    ['Type = ', /column 6/],
    ["Severity == '6'", /column 13: .*Severity is a number/],
    ['timeout', /column 1/],
    ['status:(500', /column/],
    ['Payload ~ /(/', /column/],
  ])('that is wrong names the place: %s', (expression, reason) => {
    expect(() => found(expression)).toThrow(UsageError);
    expect(() => found(expression)).toThrow(reason);
  });
});
