import { join, sep } from 'node:path';
import { BUNDLED_PLUGINS } from '../../base/product/bundled.ts';
import { packageVersion } from '../../base/product/version.ts';
import { MAX_SCRIPT_BYTES, readScriptFile } from './script-files.ts';

/** An import of a file or a module, with its specifier. */
const IMPORT = /\bfrom '([^'\\\n]+)'/g;

let folder: string | null = null;

/** The name of the folder beside a user's script that holds the bundled files which a copied script uses; another version has another one. */
export const copiesFolder = (): string => (folder ??= `bundled-${packageVersion()}`);

/**
 * Whether a file beside a user's script is the copy of a bundled one: only the places of its imports differ.
 * @param path without symbolic links
 */
export function isCopyOfBundled(path: string, text: string): boolean {
  const beside = `${sep}${copiesFolder()}${sep}`;
  const at = path.lastIndexOf(beside);
  if (at < 0) return false;
  try {
    const original = readScriptFile(join(BUNDLED_PLUGINS, path.slice(at + beside.length)), null, MAX_SCRIPT_BYTES).bytes.toString('utf8');
    return withoutPlaces(text) === withoutPlaces(original);
  } catch {
    return false;
  }
}

const withoutPlaces = (text: string): string => text.replaceAll(IMPORT, "from ''");
