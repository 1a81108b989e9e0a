import { describe, expect, it } from 'vitest';
import { FailureReport } from '../../../engine/cli/failures.ts';

describe('FailureReport', () => {
  it('writes one line each', () => {
    const lines: string[] = [];
    const report = new FailureReport((text) => lines.push(text));
    report.add('a.log', 3, 'first\n  second');
    report.add('a.log', 4, '');
    expect(lines).toEqual(['a.log:3: first | second\n', 'a.log:4: refused without a reason\n']);
    expect(report.count).toBe(2);
  });
});
