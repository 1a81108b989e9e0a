import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Makes one script of the prelude's modules. Each module becomes a function scope that returns its exports, in the order of the imports; the script's
 * value is what the entry module exports. The modules use named imports and exports of functions, classes and constants only.
 */

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*'([^']+)';?/gm;
const EXPORT = /^export (?=(?:function|const|class|let) )/gm;
const EXPORTED = /^export (?:function|const|class) (?:\{([^}]*)\}|(\w+))/gm;

/** Globals that the modules name, as they were before the script could put others in their place. */
const GLOBALS = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'DataView', 'Date', 'Error', 'EvalError', 'Float32Array'],
  ...[
    'Float64Array',
    'Function',
    'Int16Array',
    'Int32Array',
    'Int8Array',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'RangeError',
    'Reflect',
  ],
  ...['RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray'],
];

interface Module {
  readonly number: number;
  readonly code: string;
}

/** The prelude's modules; in a package one file beside this one, made by `bundleModules`. */
const SOURCES = new URL('./prelude/index.ts', import.meta.url);
const BUNDLED = new URL('./sandbox-prelude.js', import.meta.url);

/** The code that goes into each isolate before the script. */
export function preludeCode(): string {
  return existsSync(SOURCES) ? bundleModules(SOURCES) : readFileSync(BUNDLED, 'utf8');
}

/** The script of the module at `entry` and all that it imports. */
function bundleModules(entry: URL): string {
  const modules = new Map<string, Module>();
  const last = addModule(entry, modules);
  const code = [...modules.values()].map((module) => module.code).join('\n');
  return `(function () { 'use strict';const {${GLOBALS.join()}}=globalThis;\n${code}\nreturn m${last.number};\n})()`;
}

function addModule(url: URL, modules: Map<string, Module>): Module {
  const known = modules.get(url.href);
  if (known !== undefined) return known;
  const text = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
  const imports = [...text.matchAll(IMPORT)].map(([, names = '', from = '']) => {
    const module = addModule(new URL(from, url), modules);
    return `const {${names.replaceAll(/\bas\b/g, ':')}} = m${module.number};`;
  });
  const exported = [...text.matchAll(EXPORTED)].flatMap(([, list, name]) => (list === undefined ? [name as string] : namesOf(list)));
  const body = text.replace(IMPORT, '').replace(EXPORT, '');
  const number = modules.size;
  const module = {
    number,
    code: `const m${number} = (function () { ${imports.join('')}${body}\nreturn { ${exported.join(', ')} };\n})();`,
  };
  modules.set(url.href, module);
  return module;
}

/** The names that a destructuring pattern binds. */
function namesOf(pattern: string): string[] {
  const parts = pattern.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => part.replace(/^.*:\s*/, ''));
}
