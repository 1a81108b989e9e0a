// npm test [-- unit | producers | e2e | lint] [--changed] [--strict]: installs what is missing, runs the checks, and ends with the line `N passed, N failed`.
import { findChanges } from './lib/changes.mjs';
import { allChecks, checksOf } from './lib/checks.mjs';
import { testsOf } from './lib/covering.mjs';
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { prepare } from './lib/prepare.mjs';
import { unpackProducers } from './lib/producers.mjs';
import { runMain } from './lib/report.mjs';
import { runStep, runSteps, vitest } from './lib/steps.mjs';
import { readTestArguments } from './lib/test-arguments.mjs';

/** @typedef {import('./lib/steps.mjs').Step} Step */

/** Windows that are tested side by side where each gets a display of its own: two on one would take the keyboard from each other. */
const WINDOWS = 2;

await runMain(async () => {
  const { parts, changed, strict } = readTestArguments(process.argv.slice(2));
  const installed = await runStep({ name: 'packages', part: 'packages', run: installPackages });
  const steps =
    installed.failed > 0 ? [] : (changed ? await changedSteps(strict) : allSteps(strict)).filter(({ part }) => parts.includes(part));
  const counts = [installed, ...(await runSteps(steps))];
  const passed = counts.reduce((sum, one) => sum + one.passed, 0);
  const failed = counts.reduce((sum, one) => sum + one.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** @param {boolean} strict @returns {Step[]} */
function allSteps(strict) {
  return [
    ...allChecks(),
    { name: 'unit tests', part: 'unit', run: () => vitest('unit', { strict }) },
    { name: 'logs of real servers', part: 'producers', run: () => producers(strict) },
    { name: 'end-to-end tests', part: 'e2e', run: () => endToEnd(strict) },
  ];
}

/** Tests that `--changed` leaves out: they start the window, or real servers. */
const SLOW_TEST = /^test\/(?:e2e|producers)\//;

/** @param {boolean} strict @returns {Promise<Step[]>} */
async function changedSteps(strict) {
  const { base, files } = await findChanges();
  console.log(`        ${files.length} changed files since ${base.slice(0, 10)}`);
  const covering = testsOf(files);
  const slow = covering.filter((file) => SLOW_TEST.test(file));
  if (slow.length > 0) console.log(`        left out, as they take long: ${slow.join(', ')}`);
  const unit = () => vitest('unit', { related: [...new Set([...files, ...covering])], strict });
  return [...checksOf(files), { name: 'unit tests that a change touches', part: 'unit', run: unit }];
}

async function installPackages() {
  await ensurePackages();
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Runs the tests with real servers; skips them, with the reason, when the servers cannot be had. @param {boolean} strict */
async function producers(strict) {
  const found = await unpackProducers();
  if ('reason' in found) {
    console.log(`        left out: ${found.reason.replaceAll('\n', '\n        ')}`);
    return { passed: 0, failed: 0, skipped: 1, failures: [] };
  }
  try {
    return await vitest('producers', { env: { SLUICEBOX_PRODUCERS: found.folder }, strict });
  } finally {
    found.remove();
  }
}

/** @param {boolean} strict */
async function endToEnd(strict) {
  const { electron } = await prepare();
  const displays = needsVirtualDisplay() ? await Promise.all(Array.from({ length: WINDOWS }, () => startVirtualDisplay())) : [];
  try {
    console.log(`        Electron ${electron.version}${electron.official ? '' : ' (unofficial build)'}`);
    const places = displays.length === 0 ? {} : { SLUICEBOX_DISPLAYS: JSON.stringify(displays.map(({ env }) => env)) };
    return await vitest('e2e', { env: { ...electron.env, ...places, SLUICEBOX_ELECTRON: electron.path }, strict });
  } finally {
    for (const display of displays) display.stop();
  }
}
