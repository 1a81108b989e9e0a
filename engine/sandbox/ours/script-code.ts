import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preparedBy, type PreparedText } from '../../base/product/prepared.ts';
import { isShipped, SHIPPED_LIST } from '../../base/product/shipped.ts';
import { Recent } from '../../base/time/recent.ts';
import { compactCode } from '../code/compact.ts';
import { ModuleBundle } from '../code/module-bundle.ts';

/** A bundled script, or a file that it imports, is not as it came with the product: it is code as any user's, which runs in sandboxes alone. */
class EditedScriptError extends Error {
  override readonly name = 'EditedScriptError';
}

/** Folder of what puts scripts together. */
const BUNDLER = new URL('../code/', import.meta.url);

/** Milliseconds for which a script is taken to be as it was: all of its files are looked at, which is much to do for each of hundreds of sources. */
const LOOKED_AT_MS = 1000;
const recent = new Recent<PreparedText>(LOOKED_AT_MS);

/**
 * The code of a bundled script that is as it was shipped, byte for byte, as are all files that it imports.
 * @throws {EditedScriptError | BundleError}
 */
export const shippedCode = (path: string): PreparedText => recent.get(path, () => scriptCode(path, isShipped));

/**
 * A script and all that it imports as one script, whose value is what it exports. It is made once for all starts.
 * @param isTrusted whether a file with this text may run outside of a sandbox
 * @throws {EditedScriptError | BundleError}
 */
export function scriptCode(path: string, isTrusted: typeof isShipped): PreparedText {
  const script = pathToFileURL(path);
  return preparedBy(`direct_${basename(dirname(path))}_${basename(path, '.ts')}.js`, [BUNDLER, SHIPPED_LIST, script], () => {
    const bundle = new ModuleBundle();
    const entry = bundle.add(script);
    for (const [file, text] of bundle.texts) if (!isTrusted(file, text)) throw new EditedScriptError(file);
    const text = compactCode(`(function () { 'use strict';\n${bundle.code}\nreturn ${entry};\n})()`);
    return { text, files: bundle.texts.keys() };
  });
}
