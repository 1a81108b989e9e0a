import { createRequire } from 'node:module';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './report.mjs';

/** The command begins here: an import would load all that this module can lead to. @type {typeof import('node:fs')} */
const { mkdirSync, statSync } = createRequire(import.meta.url)('node:fs');

/** The project's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the project. @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts);

/** The folder for what can be fetched or computed again: `$XDG_CACHE_HOME/sluicebox` or the system's usual place. */
export function cacheFolder() {
  if (process.env.SLUICEBOX_CACHE) return process.env.SLUICEBOX_CACHE;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluicebox', 'Cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluicebox');
  const { XDG_CACHE_HOME: given = '' } = process.env;
  // Relative paths are invalid there, and mean nothing in a HOME either.
  return join(isAbsolute(given) ? given : join(homeFolder(), '.cache'), 'sluicebox');
}

/** The folder of Node's compile cache. Undefined where nothing can be kept: then each start takes longer. */
export function compileCache() {
  const { NODE_COMPILE_CACHE: given } = process.env;
  if (given !== undefined) return given;
  const compiled = join(cacheFolder(), 'compiled');
  return makeFolder(compiled) ? compiled : undefined;
}

/** The home folder that the environment names, or else the one of the user database. */
function homeFolder() {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}

/**
 * Makes a folder and those above it. Node's own `recursive` turns for ever in folders such as `/proc`.
 * @param {string} path
 * @returns {boolean} whether it is there
 */
export function makeFolder(path) {
  if (isFolder(path)) return true;
  if (dirname(path) !== path && !makeFolder(dirname(path))) return false;
  try {
    mkdirSync(path);
    return true;
  } catch {
    return isFolder(path);
  }
}

/**
 * Makes a folder that something cannot do without, and those above it.
 * @param {string} path
 * @throws {SetupError} when it cannot be made
 */
export function needFolder(path) {
  if (makeFolder(path)) return;
  const hint = 'Set HOME, XDG_CACHE_HOME or SLUICEBOX_CACHE to a folder that this user may write to.';
  throw new SetupError(`the folder ${path} cannot be made.`, { hint });
}

/** @param {string} path */
function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
