import { glob, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileLook, FilePlace } from '../../api/workspace-types.ts';

/** Folders of a path, from its end, that are looked for beside the workspace. */
const MOST_FOLDERS = 8;

/** Time for looking for a file that fits a pattern, in milliseconds: a workspace of a stranger may name any pattern. */
const PATTERN_MS = 500;

/**
 * Tells where files are: in their places, where the user has pointed to, or where they were moved to.
 * @param chosen files that the user has pointed to
 * @param beside a folder below which moved files may lie; null: none
 * @param isThere whether there is a log in a place
 */
export async function lookForFiles(
  paths: readonly string[],
  chosen: readonly FilePlace[],
  beside: string | null,
  isThere: (place: string) => Promise<boolean> = isFileThere,
): Promise<FileLook[]> {
  const pointed = new Map(chosen.map(({ path, place }) => [path, resolve(place)]));
  const isHere = async (path: string): Promise<boolean> => pointed.has(path) || (!isOnNetwork(path) && (await isThere(path)));
  const there = await Promise.all(paths.map(isHere));
  const known = paths.flatMap((path, i) => (there[i] === true ? [{ path, place: pointed.get(path) ?? path }] : []));
  const missing = paths.filter((_, i) => there[i] !== true);
  const moved = await findMoved(missing, known, beside, isThere);
  const places = new Map([...known.map(({ path, place }) => [path, place] as const), ...moved]);
  return paths.map((path) => {
    const place = places.get(path) ?? null;
    return { path, state: place === null ? 'missing' : 'here', place };
  });
}

/**
 * Finds files that are not where they were: where others of them were found, as folders are moved as a whole, then below a folder.
 * A file is the new place of one only.
 * @param known files that were found, where they were and where they are
 * @param beside the folder of the workspace; null: none
 * @param isThere whether there is a file in a place
 */
export async function findMoved(
  missing: readonly string[],
  known: readonly FilePlace[],
  beside: string | null,
  isThere: (place: string) => Promise<boolean> = isFileThere,
): Promise<Map<string, string>> {
  const taken = new Set(known.map(({ place }) => resolve(place)));
  const found = new Map<string, string>();
  const moved = known.filter(({ path, place }) => path !== place);
  for (const path of missing) {
    for (const candidate of candidatesOf(path, moved, beside)) {
      if (taken.has(candidate) || !(await isThere(candidate))) continue;
      taken.add(candidate);
      found.set(path, candidate);
      break;
    }
  }
  return found;
}

/** Places where a file may be now, the likeliest first. */
function candidatesOf(path: string, moved: readonly FilePlace[], beside: string | null): string[] {
  const parts = partsOf(path);
  // A pattern in the names of folders could be looked for without end.
  if (parts.includes('..') || parts.slice(0, -1).some(isPattern)) return [];
  const places = moved.flatMap((one) => movedAlike(parts, one) ?? []);
  for (const { place } of moved) places.push(join(dirname(resolve(place)), parts.at(-1) ?? ''));
  if (beside !== null)
    for (let count = Math.min(MOST_FOLDERS, parts.length - 1); count > 0; count--) places.push(join(beside, ...parts.slice(-count)));
  return [...new Set(places)];
}

/** The place of a file if it was moved with another one; null: they had no folder in common that was moved. */
function movedAlike(parts: readonly string[], { path, place }: FilePlace): string | null {
  const from = partsOf(path);
  const to = partsOf(resolve(place));
  let same = 0;
  while (same < Math.min(from.length, to.length) - 1 && from.at(-1 - same) === to.at(-1 - same)) same++;
  // A file that was renamed tells about its folder.
  const depth = Math.max(1, same);
  const folder = from.slice(0, -depth);
  if (!folder.every((part, i) => parts[i] === part)) return null;
  return join(resolve(place, ...Array<string>(depth).fill('..')), ...parts.slice(folder.length));
}

/** A workspace may come from another system. */
const partsOf = (path: string): string[] => path.split(/[/\\]/);

const isPattern = (path: string): boolean => /[*?[{]/.test(path);

/** Whether even to look there would greet a server of a stranger's choice with the user's name (Windows, `\\server\share`). */
export const isOnNetwork = (place: string): boolean => process.platform === 'win32' && /^[\\/]{2}/.test(place);

/** Whether there is a file, or one that fits a pattern. */
export async function isFileThere(place: string): Promise<boolean> {
  const there = await stat(place).then(
    () => true,
    () => false,
  );
  if (there) return true;
  if (!isPattern(place)) return false;
  const end = performance.now() + PATTERN_MS;
  for await (const _path of glob(place, { exclude: () => performance.now() > end })) return true;
  return false;
}
