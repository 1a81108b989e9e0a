import { lstatSync, renameSync } from 'node:fs';

/**
 * Moves a file or folder that cannot be used out of the way, to a name that is free: `PATH.damaged`, `PATH.damaged-2` and so on. Returns that name.
 * @throws errors of the file system
 */
export function putAside(path: string): string {
  let aside = `${path}.damaged`;
  for (let number = 2; isThere(aside); number++) aside = `${path}.damaged-${number}`;
  renameSync(path, aside);
  return aside;
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
