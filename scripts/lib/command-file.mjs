import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inRoot, root } from './paths.mjs';

const require = createRequire(import.meta.url);
/** An import would load all that this module can lead to. @type {typeof import('node:fs')} */
const { accessSync, constants, existsSync, readFileSync, statSync } = require('node:fs');

/** The module that the headless command begins with. */
export const COMMAND = 'engine/cli/main.ts';
/** Folder of the bundles of the command, each in a folder of its own: a command that is running still loads parts of the one that it was started from. */
export const BUNDLES = 'out/command';
/** The file that tells which of them is the last one. */
export const RECORD = 'current.json';

/**
 * @typedef {readonly [path: string, size: number, changed: number]} Source
 * @typedef {object} Bundle
 * @property {string} folder its name
 * @property {readonly Source[]} sources what it was made of; none in a package, where nothing changes
 */

/**
 * The file to start the headless command with: its bundle, which is made anew when the sources have changed. Where that is not possible, the command runs
 * from its sources.
 */
export function commandFile() {
  return bundled() ?? (bundleInProcess() ? bundled() : null) ?? inRoot(COMMAND);
}

/** The bundle of the sources as they are, by their sizes and times; null when there is none. */
function bundled() {
  const last = lastBundle();
  if (last === null || !last.sources.every(isUnchanged)) return null;
  const file = inRoot(BUNDLES, last.folder, 'main.mjs');
  return existsSync(file) ? file : null;
}

/** @returns {Bundle | null} */
function lastBundle() {
  try {
    return JSON.parse(readFileSync(inRoot(BUNDLES, RECORD), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Source} source */
function isUnchanged([path, size, changed]) {
  // Hundreds of paths are looked at: that they are put together at once takes a third less time.
  const found = statSync(`${root}/${path}`, { throwIfNoEntry: false });
  return found !== undefined && found.size === size && found.mtimeMs === changed;
}

/** Makes a bundle in a process of its own, which takes its memory with it. Returns whether it could. */
function bundleInProcess() {
  const script = fileURLToPath(new URL('bundle-command.mjs', import.meta.url));
  if (!existsSync(inRoot('node_modules/rolldown')) || !existsSync(script) || !isWritable(inRoot())) return false;
  /** Loaded for this alone. @type {typeof import('node:child_process')} */
  const { spawnSync } = require('node:child_process');
  return spawnSync(process.execPath, [script], { stdio: 'ignore' }).status === 0;
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
