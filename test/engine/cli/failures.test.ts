import { describe, expect, it } from 'vitest';
import { FailureReport } from '../../../engine/cli/failures.ts';

describe('FailureReport', () => {
  it('writes one line each', () => {
    const lines: string[] = [];
    const report = new FailureReport((text) => lines.push(text));
    report.add('a.log', 3, 'first\n  second');
    report.add('a.log', 4, '');
    report.add('a\n.log', 5, '\x1b[2Jc\x9b');
    expect(lines).toEqual(['a.log:3: first | second', 'a.log:4: refused without a reason', 'a\\n.log:5: \\u001b[2Jc\\u009b']);
    expect(report.count).toBe(3);
  });
});
