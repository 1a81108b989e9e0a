import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Counts what a runner found
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures one line for each failure, with its message where there is one
 * @property {{ name: string, passed: number, skipped: number }[]} [failedFiles] the test files in which something failed, and what else was in them
 * @property {string[]} [unsteady] the failures of tests that passed when their file ran again
 * @property {boolean} [unexplained] the runner failed without a failing test
 */

/**
 * Reads what Vitest's JSON reporter wrote. A runner that crashed, wrote nothing, ran nothing, or failed without a failing test counts as
 * one failure: silence is never a pass.
 * @param {string} path the report
 * @param {number} exitCode the runner's
 * @param {{ mayBeEmpty?: boolean }} [options] `mayBeEmpty`: nothing had to run
 * @returns {Counts}
 */
export function countVitest(path, exitCode, { mayBeEmpty = false } = {}) {
  const report = existsSync(path) ? readReport(path) : undefined;
  if (!report) return { passed: 0, failed: 1, skipped: 0, failures: [`the runner ended with exit code ${exitCode} and wrote no report`] };
  /** @type {Counts & { failedFiles: NonNullable<Counts['failedFiles']> }} */
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [], failedFiles: [] };
  for (const file of report.testResults ?? []) countFile(file, counts);
  if (counts.failed === 0 && exitCode !== 0) {
    counts.unexplained = true;
    fail(counts, `the runner ended with exit code ${exitCode}`);
  }
  if (counts.passed + counts.failed === 0 && !(mayBeEmpty && counts.skipped === 0)) fail(counts, 'no test ran');
  return counts;
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult
 * @param {{ name: string, status: string, message?: string, assertionResults?: TestResult[] }} file
 * @param {Counts & { failedFiles: NonNullable<Counts['failedFiles']> }} counts
 */
function countFile(file, counts) {
  const tests = file.assertionResults ?? [];
  for (const test of tests) {
    if (test.status === 'passed') counts.passed += 1;
    else if (test.status === 'failed') fail(counts, `${file.name}: ${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`);
    else counts.skipped += 1;
  }
  if (file.status === 'failed') {
    const having = (/** @type {string} */ status) => tests.filter((test) => test.status === status).length;
    const passed = having('passed');
    counts.failedFiles.push({ name: file.name, passed, skipped: tests.length - passed - having('failed') });
  }
  // A file that could not be loaded, or a hook that threw, has no failing test of its own.
  if (file.status === 'failed' && !tests.some((test) => test.status === 'failed')) fail(counts, `${file.name}: ${file.message ?? ''}`);
}

/** @param {Counts} counts @param {string} failure */
function fail(counts, failure) {
  counts.failed += 1;
  counts.failures.push(failure);
}
