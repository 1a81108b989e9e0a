import { expect, it } from 'vitest';
import { usageReport } from '../../../engine/cli/usage-report.ts';
import type { SandboxReport } from '../../../engine/sandbox/contract/types.ts';

const USAGE = { current: 1, maximum: 2, limit: 3 };

it('shows the beginning of a long line of the script alone', () => {
  const text = `const a = 1;\n${'x'.repeat(100_000)}`;
  const report: SandboxReport = {
    ...{ state: 'running', lastError: null },
    ...{ memory: USAGE, instructions: USAGE, output: USAGE, processed: 1, failures: 0, injected: 0, averageNs: 1000 },
    profile: [
      { file: 's.js', line: 2, steps: 3 },
      { file: 's.js', line: 1, steps: 1 },
    ],
  };
  const lines = usageReport(report, { path: '/scripts/s.js', text }).split('\n');
  expect(lines.find((line) => line.includes('s.js:1'))).toMatch(/25\.0 % {2}s\.js:1 {2}const a = 1;$/);
  expect(lines.find((line) => line.includes('s.js:2'))).toMatch(/75\.0 % {2}s\.js:2 {2}x{100,119}…$/);
});
