import { lstatSync } from 'node:fs';
import { makeFolderSync } from '../../engine/base/files/folders.ts';

/**
 * Tells why a folder of the user's data cannot be trusted, with what to do about it; null: it can. Whoever may write into it decides which commands
 * start with the window. Makes the folder where it is missing.
 */
export function whyUntrusted(folder: string, user: number | undefined = process.getuid?.()): string | null {
  // Windows has neither: there the folder inherits the rights of the user's profile.
  if (user === undefined) return null;
  makeFolderSync(folder, 0o700);
  const { uid, mode } = lstatSync(`${folder}/.`);
  if (uid !== user)
    return `The folder ${folder} belongs to another user (number ${uid}), who could make Sluicebox run commands as you. Start it as that user, or with another folder (--user-data-dir=FOLDER).`;
  if ((mode & 0o022) !== 0)
    return `Others may write into the folder ${folder}, and could make Sluicebox run commands as you. Look at the workspace.toml in it, then run: chmod go-w '${folder}'`;
  return null;
}
