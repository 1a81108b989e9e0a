import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { say, SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { nodeRuntime } from './runtime.mjs';

// Hosts, threads and the bundled scripts run from their sources; the shell and the window are built, and take what they share from engine/.
const INPUTS = [
  'electron',
  'renderer',
  'engine',
  'plugins',
  'resources/icons',
  'electron.vite.config.ts',
  'scripts/lib/bundle-command.mjs',
  'svelte.config.js',
  'package-lock.json',
];
const OUTPUTS = ['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html', 'out/engine/current.json'];
const stamp = inRoot('out', '.built-from');

/** Whether the built files are there and were made from the sources as they are now, by their names, sizes and times. */
const isBuilt = () =>
  OUTPUTS.every((path) => existsSync(inRoot(path))) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

/**
 * Builds the shell and the window unless the build is current.
 * @param {NodeJS.ProcessEnv} electronEnv where Electron is
 * @throws {SetupError} with the compiler's words
 */
export async function ensureBuild(electronEnv) {
  if (isBuilt()) return;
  say('building');
  const before = fingerprint();
  rmSync(stamp, { force: true });
  const cli = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const result = await run(nodeRuntime().path, [cli, 'build', '--logLevel', 'warn'], { env: { ...process.env, ...electronEnv } });
  if (result.code !== 0) throw new SetupError(`the build failed:\n${tail(result, 40)}`);
  const lost = OUTPUTS.find((path) => !existsSync(inRoot(path)));
  if (lost) throw new SetupError(`the build made no ${lost}.`);
  writeFileSync(stamp, before);
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const input of INPUTS) addTo(hash, inRoot(input));
  return hash.digest('hex');
}

/** @param {import('node:crypto').Hash} hash @param {string} path */
function addTo(hash, path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, join(path, name));
  } else {
    hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
  }
}
