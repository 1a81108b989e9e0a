import { realpathSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { readRegularFileSync, type RegularFile } from '../../base/files/regular-file.ts';
import { BUNDLED_PLUGINS } from '../../base/product/bundled.ts';

/** Endings of scripts, in the order in which an import without one tries them. */
export const SCRIPT_EXTENSIONS: readonly string[] = ['.js', '.mjs', '.ts', '.mts'];
/** Largest script that is read, in bytes. */
export const MAX_SCRIPT_BYTES = 8 << 20;

/** A script may not read a file, which is outside of its folders. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
}

/** Tells an import of a file from one of a module. */
export const isRelative = (specifier: string): boolean => specifier.startsWith('./') || specifier.startsWith('../');

/** The file that a relative import of the file `from` names; undefined: there is none. A folder is none. */
export function importedPath(specifier: string, from: string): string | undefined {
  const base = resolve(dirname(from), specifier);
  return [base, ...SCRIPT_EXTENSIONS.map((extension) => base + extension)].find(isThere);
}

/** Whether a path leads to anything but a folder. */
export function isThere(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The folders whose files a script may import: its own, and those of modules, without symbolic links. */
export const rootsOf = (script: string, modules: readonly string[] = []): string[] => [dirname(script), ...modules].flatMap(realPath);

/** The folders for the imports of a file, which are more for a bundled one. */
export const rootsFrom = (from: string, roots: readonly string[]): readonly string[] =>
  isInside(from, BUNDLED_PLUGINS) ? [...roots, BUNDLED_PLUGINS] : roots;

/**
 * Reads a file of a script.
 * @param roots folders in which the file must be after symbolic links are resolved; null: it may be anywhere
 * @throws {OutsideError}
 * @throws errors of `readRegularFileSync`
 */
export function readScriptFile(path: string, roots: readonly string[] | null, maxBytes = MAX_SCRIPT_BYTES): RegularFile {
  return readRegularFileSync(path, maxBytes, (place) => {
    if (roots !== null && !roots.some((root) => isInside(place, root))) throw new OutsideError(`${path} is outside of the script's folder`);
  });
}

/** Whether a path is below a folder, by the names alone. */
export function isInside(path: string, root: string): boolean {
  const start = root.endsWith(sep) ? root : root + sep;
  if (path.length > start.length && path.startsWith(start) && !path.includes('..')) return true;
  const rest = relative(root, path);
  return rest !== '' && !isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`);
}

/** A path without symbolic links; empty: it does not exist. */
export function realPath(path: string): string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

/** Whether a file is named as a script is. */
export const isScriptName = (path: string): boolean => SCRIPT_EXTENSIONS.includes(extname(path));
