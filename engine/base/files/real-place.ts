import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Tells whether a path lies below a folder, by the names alone. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Tells whether a path, which need not exist, lies below a folder after all symbolic links are resolved. */
export function isReallyBelow(path: string, folder: string): boolean {
  try {
    return isBelow(resolve(path), resolve(folder)) && isBelow(realPlace(path), realPlace(folder));
  } catch {
    // A link that leads around in a circle, or a folder that may not be read, is no place.
    return false;
  }
}

/** The path without symbolic links, as far as it exists. A link that leads nowhere is a place of its own. */
function realPlace(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch (error) {
    const parent = dirname(whole);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === whole) throw error;
    return join(realPlace(parent), basename(whole));
  }
}
