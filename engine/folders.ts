import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
