import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { inRoot } from './paths.mjs';
import { say, SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { runtimePackage } from './runtime.mjs';

const lockFile = inRoot('package-lock.json');
const marker = inRoot('node_modules', '.sluicebox-lock');

/** Installs the npm packages of the lock file unless node_modules already holds them. Cheap when it does: one hash of one file. */
export async function ensurePackages() {
  const wanted = lockHash();
  if (readIfThere(marker) === wanted) return;
  if (!sameAsLock()) await install();
  writeFileSync(marker, wanted);
}

const lockHash = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex');

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether npm's own record of node_modules names the versions of the lock file (somebody ran `npm ci` or `npm install` by hand). */
function sameAsLock() {
  const record = readIfThere(inRoot('node_modules', '.package-lock.json'));
  const name = runtimePackage();
  if (!record || (name && !existsSync(inRoot('node_modules', name, 'package.json')))) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages).every(
    ([path, entry]) => path === '' || (entry.optional && !installed[path]) || installed[path]?.version === entry.version,
  );
}

async function install() {
  say('installing the npm packages (about a minute the first time)');
  // Windows cannot remove a running binary: there, when node_modules' own Node runs this script, change only what differs.
  const keepRunning = process.platform === 'win32' && process.execPath.includes(`${sep}node_modules${sep}`);
  const result = await npm([keepRunning ? 'install' : 'ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-progress']);
  if (result.code !== 0) {
    throw new SetupError(`npm could not install the packages:\n${tail(result)}`, {
      hint: 'Check the connection to the registry, then run: npm ci',
    });
  }
}

/**
 * Runs npm: the one that started this script when there is one.
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 */
export function npm(args, options = {}) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], options);
  if (process.platform === 'win32') return run('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options);
  return run('npm', args, options);
}
