import { existsSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import { makeFolder } from '../../base/files/folders.ts';

/** The folder in which scripts find the types of the modules; the `paths` of their tsconfig.json lead there. */
export const TYPES_FOLDER = 'types';

/**
 * Copies the bundled modules, and what they import, next to scripts: their types are in their text. What is there already stays.
 * @param modules the folder of the modules
 * @returns the folder that was made, or null when it is there
 */
export async function copyModuleTypes(modules: string, to: string): Promise<string | null> {
  const folder = join(to, TYPES_FOLDER);
  if (existsSync(folder)) return null;
  const names = (await readdir(modules)).filter((name) => name.endsWith('.ts'));
  const wanted = names.map((name) => join(modules, name));
  const seen = new Set(wanted);
  for (const path of wanted) {
    const text = await readText(path, MAX_SCRIPT_BYTES);
    const copy = join(folder, relative(dirname(modules), path));
    await makeFolder(dirname(copy));
    await copyFile(path, copy);
    for (const [, specifier = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const imported = join(dirname(path), specifier);
      if (!seen.has(imported)) wanted.push(imported);
      seen.add(imported);
    }
  }
  return folder;
}
