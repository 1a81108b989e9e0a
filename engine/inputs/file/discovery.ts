import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { isLossy } from '../notices.ts';
import { MAGIC, matchingFiles } from '../../base/files/matching-files.ts';

/** A file to be read. `explicit`: named as such, not found by a pattern. */
export interface FoundFile {
  readonly path: string;
  readonly explicit: boolean;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  /** Folders in which new files can appear. */
  readonly directories: ReadonlySet<string>;
  /** Patterns that match no file now. */
  readonly unmatched: readonly string[];
  /** Folders that could not be looked through, and files whose names are not UTF-8, with the reasons. */
  readonly unreadable: ReadonlyMap<string, unknown>;
}

/** Whether a path is a pattern (`*`, `**`, `?`, `[…]`, `{…}`); the name of a file that exists, and one in an archive, is none, whatever is in it. */
export function isPattern(path: string): boolean {
  return MAGIC.test(path) && !existsSync(path) && !isInFile(path);
}

/** Whether a part of a path is a file: an archive, in which the rest is a name. */
function isInFile(path: string): boolean {
  let part = dirname(path);
  while (!existsSync(part) && part !== dirname(part)) part = dirname(part);
  return statSync(part, { throwIfNoEntry: false })?.isFile() === true;
}

/** Finds the files of paths and patterns: paths in the given order, whether they exist or not; the matches of a pattern from the oldest to the newest. */
export async function discover(paths: readonly string[]): Promise<Discovery> {
  const files = new Map<string, FoundFile>();
  const directories = new Set<string>();
  const unmatched: string[] = [];
  const unreadable = new Map<string, unknown>();
  for (const given of paths) {
    const path = resolve(given);
    if (!isPattern(path)) {
      files.set(path, { path, explicit: true });
      directories.add(dirname(path));
      continue;
    }
    directories.add(fixedPart(path));
    const before = unreadable.size;
    const found = await expand(path, unreadable);
    if (found.length === 0 && unreadable.size === before) unmatched.push(path);
    for (const file of found) {
      if (!files.has(file)) files.set(file, { path: file, explicit: false });
      directories.add(dirname(file));
    }
  }
  return { files: [...files.values()], directories, unmatched, unreadable };
}

/** The folder of a pattern above its first part with a wildcard. */
function fixedPart(pattern: string): string {
  const parts = pattern.split(sep);
  const first = parts.findIndex((part) => MAGIC.test(part));
  return parts.slice(0, first).join(sep) || sep;
}

async function expand(pattern: string, unreadable: Map<string, unknown>): Promise<string[]> {
  const found: { readonly path: string; readonly modified: number }[] = [];
  for await (const path of matchingFiles(pattern, (folder, error) => unreadable.set(folder, error))) {
    const info = await stat(path).catch((error: unknown) => {
      // A file that is gone by now is not told. One whose name is not UTF-8 is there, but `stat` cannot find it by its text.
      if (isLossy(path)) unreadable.set(path, error);
      return null;
    });
    if (info?.isFile()) found.push({ path, modified: info.mtimeMs });
  }
  found.sort((a, b) => a.modified - b.modified || (a.path < b.path ? -1 : 1));
  return found.map(({ path }) => path);
}
