#!/usr/bin/env node
// `npm run bench [NAME…]`: measures the engine on this machine and prints a table; `window` and `profile`, only by their names, measure the
// real window, with a log of `--lines N`. Any Node starts it; what is measured runs on the engine's own Node.
import { spawn } from 'node:child_process';
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { inRoot } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain } from './lib/report.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

await runMain(async () => {
  const names = process.argv.slice(2);
  if (!names.includes('window') && !names.includes('profile')) return measure(names, {});
  const { electron } = await prepare();
  const display = needsVirtualDisplay() ? await startVirtualDisplay() : undefined;
  try {
    return await measure(names, { ...electron.env, ...display?.env, SLUICEBOX_ELECTRON: electron.path });
  } finally {
    display?.stop();
  }
});

/**
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
function measure(names, env) {
  const flags = ['--disable-warning=ExperimentalWarning', '--expose-gc'];
  const child = spawn(nodeRuntime().path, [...flags, inRoot('bench', 'main.ts'), ...names], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  return new Promise((done) => child.on('exit', (code, signal) => done(signal === null ? (code ?? 70) : 70)));
}
