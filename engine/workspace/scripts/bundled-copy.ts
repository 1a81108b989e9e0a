import { dirname, join, relative, resolve, sep } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { BUNDLED_PLUGINS } from '../../base/product/bundled.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import { copiesFolder } from '../../sandbox/code/copied.ts';

const IMPORT = /\bfrom '(\.[^']+)'/g;
const MODULES = resolve(BUNDLED_PLUGINS, 'modules');

/**
 * Copies a bundled script so that it runs from `folder`: it imports modules by name, and the other bundled files that it uses are copied
 * into a subfolder of this version, so that a later version does not change them.
 * @returns the text of the copy
 * @throws errors of the file system
 */
export async function copyBundled(script: string, folder: string): Promise<string> {
  const beside = copiesFolder();
  const copied = new Set<string>();
  /** The text of a file with its imports adapted to the copy; `toCopies` is the relative path from the copy to the folder of copies. */
  const adapted = async (path: string, toCopies: string): Promise<string> => {
    const text = await readText(path, MAX_SCRIPT_BYTES);
    const imported = (specifier: string): string => resolve(dirname(path), specifier);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) if (!isModule(imported(specifier))) await copy(imported(specifier));
    return text.replaceAll(IMPORT, (_, specifier: string) => `from '${place(imported(specifier), toCopies)}'`);
  };
  const copy = async (path: string): Promise<void> => {
    if (copied.has(path)) return;
    copied.add(path);
    const target = join(folder, beside, relative(BUNDLED_PLUGINS, path));
    await makeFolder(dirname(target), 0o700);
    await replaceFile(target, await adapted(path, relative(dirname(target), join(folder, beside)).split(sep).join('/')));
  };
  return adapted(script, `./${beside}`);
}

const isModule = (path: string): boolean => dirname(path) === MODULES;

/** The specifier by which a copy imports a bundled file: the name of a module, or the path of another copy. */
function place(path: string, toCopies: string): string {
  const way = relative(BUNDLED_PLUGINS, path).split(sep);
  return isModule(path) ? (way.at(-1) as string).replace(/\.ts$/, '') : [toCopies, ...way].join('/');
}
