import { describe, expect, it } from 'vitest';
import { SetupError } from '../../../scripts/lib/report.mjs';
import { readTestArguments } from '../../../scripts/lib/test-arguments.mjs';

describe('readTestArguments', () => {
  it.each<[string[], string[], boolean]>([
    [[], ['lint', 'unit', 'producers', 'e2e'], false],
    [['unit'], ['unit'], false],
    [['e2e', 'lint'], ['e2e', 'lint'], false],
    [['--changed'], ['lint', 'unit'], true],
    [['unit', '--changed'], ['unit'], true],
  ])('reads %j', (args, parts, changed) => expect(readTestArguments(args)).toEqual({ parts, changed }));

  it.each([[['all']], [['--change']], [['--changed', 'e2e']]])('refuses %j', (args) =>
    expect(() => readTestArguments(args)).toThrow(SetupError),
  );
});
