import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf } from '../../base/errors.ts';
import { BundleError, ModuleBundle } from './module-bundle.ts';
import { OutsideError, readScriptFile, rootsOf } from './script-files.ts';

const ENDINGS = ['', '.ts', '.js'];

/**
 * Returns a script and the files that it imports as one file of JavaScript. Modules that are imported by name stay imports, for they are where the
 * script will run.
 * @throws {BundleError} when an import is missing or outside of the script's folder, or something cannot stand in one file
 */
export function bundledScript(path: string): string {
  const folder = dirname(resolve(path));
  const roots = rootsOf(resolve(path));
  const read = (file: string): string => {
    try {
      return readScriptFile(file, file === resolve(path) ? null : roots).bytes.toString('utf8');
    } catch (error) {
      throw new BundleError(error instanceof OutsideError ? error.message : `${file} cannot be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  const bundle = new ModuleBundle((specifier, from) => {
    if (!/^\.{1,2}\//.test(specifier)) return null;
    const base = resolve(dirname(fileURLToPath(from)), specifier);
    const shown = `${fileURLToPath(from)}: the import of ${specifier}`;
    if (relative(folder, base).startsWith('..'))
      throw new BundleError(
        `${shown} is outside of the script's folder: copy it there, or make it a module of the service (module_directory)`,
      );
    const found = ENDINGS.map((ending) => base + ending).find((file) => existsSync(file));
    if (found === undefined) throw new BundleError(`${shown} finds no file`);
    return pathToFileURL(found);
  }, read);
  return bundle.entry(pathToFileURL(resolve(path)));
}
