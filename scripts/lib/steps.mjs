import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countVitest } from './counts.mjs';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { nodeRuntime } from './runtime.mjs';
import { tryAgain } from './second-try.mjs';

/** All checks together have this long, so that a hang of one is told like any other failure. A busy machine may be given more. */
const ALL_MS = Number(process.env.SLUICEBOX_CHECK_MINUTES ?? 55) * 60_000;
const end = performance.now() + ALL_MS;
const timeLeft = () => Math.max(1000, end - performance.now());

/** @typedef {import('./counts.mjs').Counts} Counts */
/** @typedef {{ name: string, part: string, run: () => Promise<Counts> }} Step one line of the test run */

/**
 * Runs a step and prints its line, and its failures. Whatever a step throws is one failure.
 * @param {Step} step
 * @returns {Promise<Counts>}
 */
export async function runStep({ name, run: runIt }) {
  const start = Date.now();
  const counts = await runIt().catch((error) => oneFailure(describe(error)));
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const unsteady = counts.unsteady ?? [];
  const extra = [
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(unsteady.length > 0 ? [`${unsteady.length} unsteady`] : []),
  ];
  const verdict = counts.failed === 0 ? 'ok    ' : 'FAILED';
  console.log(`${verdict}  ${name}: ${[`${counts.passed} passed`, `${counts.failed} failed`, ...extra].join(', ')} (${seconds} s)`);
  for (const failure of counts.failures) console.log(indented(failure));
  for (const failure of unsteady) console.log(indented(`failed, and passed when its file ran again: ${failure}`));
  return counts;
}

/** @param {string} text */
const indented = (text) => text.replace(/^/gm, '        ');

/** Lanes of parts that run beside each other: the checks take one core, real servers wait for most of their time, and the unit tests begin at once. */
const LANES = [['lint', 'producers'], ['unit']];

/**
 * Runs steps: checks of the sources and the tests with real servers one after the other, beside them the unit tests; then what wants the machine for itself.
 * @param {readonly Step[]} steps
 * @param {(step: Step) => Promise<Counts>} [runOne]
 */
export async function runSteps(steps, runOne = runStep) {
  const lanes = LANES.map((parts) =>
    inTurn(
      steps.filter(({ part }) => parts.includes(part)),
      runOne,
    ),
  );
  const together = await Promise.all(lanes);
  return [
    ...together.flat(),
    ...(await inTurn(
      steps.filter(({ part }) => !LANES.flat().includes(part)),
      runOne,
    )),
  ];
}

/** @param {readonly Step[]} steps @param {(step: Step) => Promise<Counts>} runOne */
async function inTurn(steps, runOne) {
  const counts = [];
  for (const step of steps) counts.push(await runOne(step));
  return counts;
}

const OUT_OF_TIME = `the checks did not end within ${ALL_MS / 60_000} minutes`;

/** This process's environment, with the wish for output without colours: it is read in logs. */
const plain = () => ({ ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined });

/** @param {unknown} error */
function describe(error) {
  if (error instanceof SetupError) return [error.message, error.hint].filter(Boolean).join('\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * @param {string} failure
 * @returns {Counts}
 */
const oneFailure = (failure) => ({ passed: 0, failed: 1, skipped: 0, failures: [failure] });

/**
 * A check by a tool of node_modules, run on the engine's Node: it passes when the tool ends with 0.
 * @param {string} name
 * @param {string} script the tool's main file, below node_modules
 * @param {...string} args
 * @returns {Step}
 */
export function tool(name, script, ...args) {
  const check = async () => {
    const result = await run(nodeRuntime().path, [inRoot('node_modules', script), ...args], { env: plain(), timeoutMs: timeLeft() });
    if (result.timedOut) return oneFailure(`${OUT_OF_TIME}\n${tail(result, 40)}`);
    if (result.code !== 0) return oneFailure(tail(result, 60) || `exit code ${result.code}`);
    return { passed: 1, failed: 0, skipped: 0, failures: [] };
  };
  return { name, part: 'lint', run: check };
}

/**
 * Runs a project of vitest.config.ts and counts its tests.
 * @param {string} project
 * @param {{ env?: NodeJS.ProcessEnv, related?: readonly string[], strict?: boolean }} [options] `env`: beside this process's own; `related`: only
 *   those of these files that are tests, and the tests that import one of them, and there may be none; `strict`: what failed once has failed
 * @returns {Promise<Counts>}
 */
export async function vitest(project, { env = {}, related, strict = false } = {}) {
  if (related?.length === 0) return { passed: 0, failed: 0, skipped: 0, failures: [] };
  const only = related === undefined ? ['run'] : relatedArguments(related);
  const counts = await runVitest(project, only, env, { mayBeEmpty: related !== undefined });
  return strict ? counts : tryAgain(counts, (files) => runVitest(project, ['run', ...files], env));
}

/** @param {readonly string[]} files */
const relatedArguments = (files) => ['related', '--run', '--passWithNoTests', ...files.map((file) => inRoot(file))];

/**
 * @param {string} project
 * @param {readonly string[]} only Vitest's command, and arguments that choose among the tests
 * @param {NodeJS.ProcessEnv} env
 * @param {{ mayBeEmpty?: boolean }} [options]
 * @returns {Promise<Counts>}
 */
async function runVitest(project, only, env, options) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-test-'));
  const report = join(folder, 'report.json');
  // The second reporter says what belongs to no test.
  const reporters = ['--reporter=json', `--outputFile.json=${report}`, '--reporter=dot'];
  const args = [inRoot('node_modules/vitest/vitest.mjs'), ...only, '--project', project, ...reporters];
  try {
    const result = await run(nodeRuntime().path, args, { env: { ...plain(), ...env }, timeoutMs: timeLeft() });
    const counts = countVitest(report, result.code, options);
    if (result.timedOut) counts.failures.push(OUT_OF_TIME);
    if (!existsSync(report) || counts.unexplained) counts.failures.push(tail(result, 40));
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
