import { preparedBy, type Made, type PreparedText } from '../../base/product/prepared.ts';
import { compactCode } from './compact.ts';
import { ModuleBundle } from './module-bundle.ts';

/** Globals that the modules name, as they were before the script could put others in their place. */
const GLOBALS = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'DataView', 'Date', 'Error', 'EvalError', 'Float16Array'],
  ...['Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'JSON', 'Map', 'Math', 'Number', 'Object'],
  ...['RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint16Array', 'Uint32Array', 'Uint8Array'],
  ...['Uint8ClampedArray', 'WeakMap', 'WeakSet'],
];

const here = (path: string): URL => new URL(path, import.meta.url);

/** The modules of the prelude and of hosts: files, and folders of files. */
export const SOURCES = [
  './',
  '../contract/',
  '../host/',
  '../prelude/',
  '../wire/',
  '../../api/headers.ts',
  '../../message/',
  '../../base/text/',
  '../../base/errors.ts',
  '../../../plugins/base/',
].map(here);

/** The folder of the code that puts them together. */
const BUNDLER = [here('./')];

let prelude: PreparedText | null = null;

/** The code that goes into each isolate before the script: the script's value is what the prelude's entry module exports. */
export const preludeCode = (): PreparedText => (prelude ??= preparedBy('prelude.js', BUNDLER, madePrelude));

function madePrelude(): Made {
  const bundle = new ModuleBundle();
  const entry = bundle.add(here('../prelude/index.ts'));
  const text = compactCode(`(function () { 'use strict';const {${GLOBALS.join()}}=globalThis;\n${bundle.code}\nreturn ${entry};\n})()`);
  return { text, files: bundle.texts.keys() };
}

/** The file that holds all own code of a host; null when nothing is kept: then a host runs from its sources. */
export function hostBundle(): string | null {
  return preparedBy('host.mjs', BUNDLER, () => {
    const bundle = new ModuleBundle();
    bundle.add(here('../host/main.ts'));
    return { text: `${bundle.packageImports}\n${bundle.code}\n`, files: bundle.texts.keys() };
  }).path;
}
