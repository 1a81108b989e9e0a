import { describe, expect, it } from 'vitest';
import { SetupError } from '../../../scripts/lib/report.mjs';
import { readTestArguments } from '../../../scripts/lib/test-arguments.mjs';

describe('readTestArguments', () => {
  it.each<[string[], string[], boolean, boolean]>([
    [[], ['lint', 'unit', 'producers', 'e2e'], false, false],
    [['unit'], ['unit'], false, false],
    [['e2e', 'lint'], ['e2e', 'lint'], false, false],
    [['--changed'], ['lint', 'unit'], true, false],
    [['unit', '--changed'], ['unit'], true, false],
    [['--strict'], ['lint', 'unit', 'producers', 'e2e'], false, true],
    [['e2e', '--strict'], ['e2e'], false, true],
  ])('reads %j', (args, parts, changed, strict) => expect(readTestArguments(args)).toEqual({ parts, changed, strict }));

  it.each([[['all']], [['--change']], [['--changed', 'e2e']]])('refuses %j', (args) =>
    expect(() => readTestArguments(args)).toThrow(SetupError),
  );
});
