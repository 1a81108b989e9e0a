import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the project. @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts);

/** The folder for what can be fetched or computed again: `$XDG_CACHE_HOME/sluicebox` or the system's usual place. */
export function cacheFolder() {
  if (process.env.SLUICEBOX_CACHE) return process.env.SLUICEBOX_CACHE;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluicebox', 'Cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluicebox');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluicebox');
}
