import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepared } from '../../prepared.ts';
import { ModuleBundle } from '../module-bundle.ts';

/** Folders of the files that bundled scripts import, and of what puts them together. */
const SOURCES = ['../../../plugins/base/', '../../../plugins/lib/', '../../../plugins/modules/', '../'].map(
  (path) => new URL(path, import.meta.url),
);

/**
 * A bundled script and all that it imports as one script, whose value is what it exports. It is made once for all starts.
 * @throws {BundleError}
 */
export function scriptCode(path: string): string {
  const script = pathToFileURL(path);
  return prepared(`direct_${basename(dirname(path))}_${basename(path, '.ts')}.js`, [...SOURCES, script], () => {
    const bundle = new ModuleBundle();
    const entry = bundle.add(script);
    return `(function () { 'use strict';\n${bundle.code}\nreturn ${entry};\n})()`;
  }).text;
}
