import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countVitest } from '../../../scripts/lib/counts.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  message: '',
  assertionResults: tests.map((result) => ({ status: result, fullName: 'works', failureMessages: [] })),
});

describe('countVitest', () => {
  it.each([
    { what: 'passed tests', report: { testResults: [file('passed', 'passed', 'passed')] }, code: 0, passed: 2, failed: 0, skipped: 0 },
    { what: 'failed tests', report: { testResults: [file('failed', 'passed', 'failed')] }, code: 1, passed: 1, failed: 1, skipped: 0 },
    { what: 'skipped tests', report: { testResults: [file('passed', 'passed', 'pending')] }, code: 0, passed: 1, failed: 0, skipped: 1 },
    { what: 'a file that could not be loaded', report: { testResults: [file('failed')] }, code: 1, passed: 0, failed: 1, skipped: 0 },
    { what: 'a hook that threw', report: { testResults: [file('failed', 'passed')] }, code: 1, passed: 1, failed: 1, skipped: 0 },
    { what: 'a failure outside the tests', report: { testResults: [file('passed', 'passed')] }, code: 1, passed: 1, failed: 1, skipped: 0 },
    { what: 'no test at all', report: { testResults: [] }, code: 0, passed: 0, failed: 1, skipped: 0 },
    { what: 'nothing but skipped tests', report: { testResults: [file('passed', 'skipped')] }, code: 0, passed: 0, failed: 1, skipped: 1 },
    { what: 'no report', report: undefined, code: 0, passed: 0, failed: 1, skipped: 0 },
  ])('counts $what', ({ report, code, passed, failed, skipped }) => {
    const path = join(folder, `${Math.random()}.json`);
    if (report) writeFileSync(path, JSON.stringify(report));
    const counts = countVitest(path, code);
    expect(counts).toMatchObject({ passed, failed, skipped });
    expect(counts.failures).toHaveLength(failed);
  });

  it('names the files in which something failed', () => {
    const path = join(folder, 'files.json');
    const named = { ...file('failed', 'failed', 'passed', 'pending'), name: 'b.test.ts' };
    writeFileSync(path, JSON.stringify({ testResults: [file('passed', 'passed'), named, { ...file('failed'), name: 'c.test.ts' }] }));
    expect(countVitest(path, 1).failedFiles).toEqual([
      { name: 'b.test.ts', passed: 1, skipped: 1 },
      { name: 'c.test.ts', passed: 0, skipped: 0 },
    ]);
  });

  it('takes no test for no failure where nothing had to run, unless the runner failed', () => {
    const path = join(folder, 'empty.json');
    writeFileSync(path, JSON.stringify({ testResults: [] }));
    expect(countVitest(path, 0, { mayBeEmpty: true })).toMatchObject({ passed: 0, failed: 0, failures: [] });
    expect(countVitest(path, 1, { mayBeEmpty: true })).toMatchObject({ passed: 0, failed: 1 });
    expect(countVitest(join(folder, 'none.json'), 0, { mayBeEmpty: true })).toMatchObject({ passed: 0, failed: 1 });
  });

  it('says how a runner ended that wrote no report', () => {
    expect(countVitest(join(folder, 'none.json'), 137).failures).toEqual(['the runner ended with exit code 137 and wrote no report']);
  });

  it('takes a torn report for a failure', () => {
    const path = join(folder, 'torn.json');
    writeFileSync(path, '{"testResults": [');
    expect(countVitest(path, 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
