import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { MAGIC } from '../base/files/matching-files.ts';
import { discover, isPattern } from '../inputs/file/discovery.ts';

/** A file, a folder or a pattern that may be read, without links on its way. */
export interface GrantedPlace {
  readonly path: string;
  /** All that is read for it is this file, or below this folder. */
  readonly root: string;
}

/** The place that an argument names. Links are followed once: one that leads elsewhere later is another place. @throws errors of the system, for what is not there */
export async function grantedPlace(argument: string): Promise<GrantedPlace> {
  const given = resolve(argument);
  if ((await isThere(given)) || !isPattern(argument)) {
    const path = await realpath(given);
    return { path, root: path };
  }
  const parts = given.split(sep);
  const first = parts.findIndex((part) => MAGIC.test(part));
  const root = await realpath(parts.slice(0, first).join(sep) || sep);
  return { path: join(root, ...parts.slice(first)), root };
}

/** Whether all that is read for a place lies within what was granted: a file of it may have become a link, or have come as one. */
export async function isWithin(location: string, places: readonly GrantedPlace[]): Promise<boolean> {
  const isFound = await isThere(location);
  const files = isFound || !isPattern(location) ? [location] : (await discover([location])).files.map(({ path }) => path);
  const reals = await Promise.all(files.map(realPlace));
  return reals.every((real) => places.some(({ root }) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)));
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The place of a file without links; of one in an archive, or one that is gone, that of what is there of its path. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPlace(above), path.slice(above.length));
  }
}
