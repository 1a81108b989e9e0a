import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRunning } from '../process/is-running.ts';

/**
 * Makes a folder and those above it, unless they are there. Node's own `recursive` turns for ever where a folder takes no new ones and
 * says `ENOENT` of them, as `/proc` does.
 * @throws the system's error
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Others may have made it at the same time.
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Does the same at once. @throws the system's error */
export function makeFolderSync(path: string, mode = 0o777): void {
  if (isFolderSync(path)) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolderSync(path)) throw error;
  }
}

function isFolderSync(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Removes what processes that are gone have left in a folder. @param name of such a file or folder; its first group is the number of the process */
export function removeLeftovers(folder: string, name: RegExp): void {
  for (const found of readdirSync(folder)) {
    const pid = Number(name.exec(found)?.[1] ?? NaN);
    if (!Number.isNaN(pid) && pid !== process.pid && !isRunning(pid)) rmSync(join(folder, found), { recursive: true, force: true });
  }
}
