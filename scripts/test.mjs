// npm test [-- unit | producers | e2e | lint]: installs what is missing, runs every check in turn, and ends with the line `N passed, N failed`.
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { prepare } from './lib/prepare.mjs';
import { unpackProducers } from './lib/producers.mjs';
import { runMain, SetupError } from './lib/report.mjs';
import { runStep, tool, vitest } from './lib/steps.mjs';

const PARTS = ['lint', 'unit', 'producers', 'e2e'];
const TSC = 'typescript/bin/tsc';

/** @type {import('./lib/steps.mjs').Step[]} */
const STEPS = [
  tool('format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  tool('lint', 'eslint/bin/eslint.js', '.'),
  tool('unused files and packages', 'knip/bin/knip.js', '--no-progress', '--include', 'files,dependencies,unlisted,unresolved'),
  tool('types: engine', TSC, '-p', 'tsconfig.json'),
  tool('types: tests', TSC, '-p', 'test'),
  tool('types: scripts', TSC, '-p', 'scripts'),
  tool('types: plugins', TSC, '-p', 'plugins'),
  tool('types: shell', TSC, '-p', 'electron'),
  tool('types: shell on Electron 42', TSC, '-p', 'tsconfig.electron-42.json'),
  tool('types: window', 'svelte-check/bin/svelte-check', '--workspace', 'renderer', '--tsconfig', './tsconfig.json', '--output', 'human'),
  { name: 'unit tests', part: 'unit', run: () => vitest('unit') },
  { name: 'logs of real servers', part: 'producers', run: producers },
  { name: 'end-to-end tests', part: 'e2e', run: endToEnd },
];

await runMain(async () => {
  const parts = process.argv.slice(2);
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown)
    throw new SetupError(`there is no part "${unknown}" of the tests.`, { hint: `Parts: ${PARTS.join(', ')}. Without one, all run.` });
  /** @type {import('./lib/steps.mjs').Step} */
  const packages = { name: 'packages', part: 'packages', run: installPackages };
  const installed = await runStep(packages);
  const steps = installed.failed > 0 ? [] : STEPS.filter(({ part }) => parts.length === 0 || parts.includes(part));
  let { passed, failed } = installed;
  for (const step of steps) {
    const counts = await runStep(step);
    passed += counts.passed;
    failed += counts.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

async function installPackages() {
  await ensurePackages();
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Where the servers are not to be had, the step is left out, and says why. */
async function producers() {
  const found = await unpackProducers();
  if ('reason' in found) {
    console.log(`        left out: ${found.reason.replaceAll('\n', '\n        ')}`);
    return { passed: 0, failed: 0, skipped: 1, failures: [] };
  }
  try {
    return await vitest('producers', { SLUICEBOX_PRODUCERS: found.folder });
  } finally {
    found.remove();
  }
}

async function endToEnd() {
  const { electron } = await prepare();
  const display = needsVirtualDisplay() ? await startVirtualDisplay() : undefined;
  try {
    console.log(`        Electron ${electron.version}${electron.official ? '' : ' (unofficial build)'}`);
    return await vitest('e2e', { ...electron.env, ...display?.env, SLUICEBOX_ELECTRON: electron.path });
  } finally {
    display?.stop();
  }
}
