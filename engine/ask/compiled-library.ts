import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

/** A library of one CommonJS file that was loaded. */
export interface LoadedLibrary {
  readonly exports: unknown;
  readonly script: Script;
}

type Load = (exports: object, require: NodeJS.Require, module: { exports: object }) => void;

/**
 * Loads a library of one CommonJS file.
 * @param compiled a file whose first line is V8's code cache of it, in Base64; V8 compiles the library anew when the cache is of another version
 */
export function loadLibrary(file: string, compiled?: string): LoadedLibrary {
  const code = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
  const [cached = ''] = compiled === undefined ? [] : readFileSync(compiled, 'latin1').split('\n');
  const script = new Script(code, { filename: file, ...(cached === '' ? {} : { cachedData: Buffer.from(cached, 'base64') }) });
  const module = { exports: {} };
  (script.runInThisContext() as Load)(module.exports, createRequire(file), module);
  return { exports: module.exports, script };
}
