import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { prepared } from '../prepared.ts';

/**
 * Makes one script of modules. Each module becomes a function scope that returns its exports, in the order of the imports. The modules use named
 * imports and exports of functions, classes and constants only, and default imports of packages.
 */

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*'([^']+)';?/gm;
const DEFAULT_IMPORT = /^import\s+(\w+)\s+from\s*'([^']+)';?/gm;
const EXPORT = /^export (?=(?:function|const|class|let) )/gm;
const EXPORTED = /^export (?:function|const|class) (?:\{([^}]*)\}|(\w+))/gm;

/** Globals that the modules name, as they were before the script could put others in their place. */
const GLOBALS = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'DataView', 'Date', 'Error', 'EvalError', 'Float16Array'],
  ...['Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'JSON', 'Map', 'Math', 'Number', 'Object'],
  ...['RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint16Array', 'Uint32Array', 'Uint8Array'],
  ...['Uint8ClampedArray'],
];

const here = (path: string): URL => new URL(path, import.meta.url);

/** Where the modules of the prelude and of hosts lie. */
const SOURCES = [
  './',
  './host/',
  './prelude/',
  '../message/',
  '../../plugins/base/',
  '../../plugins/lib/',
  '../../plugins/modules/',
].map(here);

/** The code that goes into each isolate before the script: the script's value is what the prelude's entry module exports. */
export function preludeCode(): string {
  return prepared('prelude.js', SOURCES, () => {
    const bundle = new Bundle();
    const entry = bundle.add(here('./prelude/index.ts'));
    return `(function () { 'use strict';const {${GLOBALS.join()}}=globalThis;\n${bundle.code}\nreturn ${entry};\n})()`;
  }).text;
}

/** The file that holds all own code of a host; null when nothing is kept: then a host runs from its sources. */
export function hostBundle(): string | null {
  return prepared('host.mjs', SOURCES, () => {
    const bundle = new Bundle();
    bundle.add(here('./host/main.ts'));
    return `${bundle.packageImports}\n${bundle.code}\n`;
  }).path;
}

class Bundle {
  readonly #modules = new Map<string, { readonly name: string; readonly code: string }>();
  readonly #packages = new Map<string, string>();

  get code(): string {
    return [...this.#modules.values()].map(({ code }) => code).join('\n');
  }

  /** Statements that import what is no module of this project, from where it is now. */
  get packageImports(): string {
    return [...this.#packages].map(([from, name]) => `import * as ${name} from ${JSON.stringify(from)};`).join('\n');
  }

  /** Adds a module and those that it imports, and returns the name that its exports have. */
  add(url: URL): string {
    const known = this.#modules.get(url.href);
    if (known !== undefined) return known.name;
    const text = textOf(url);
    const named = [...text.matchAll(IMPORT)].map(
      ([, names = '', from = '']) => `const {${names.replaceAll(/\bas\b/g, ':')}} = ${this.#imported(from, url)};`,
    );
    const defaults = [...text.matchAll(DEFAULT_IMPORT)].map(
      ([, name = '', from = '']) => `const { default: ${name} } = ${this.#imported(from, url)};`,
    );
    const exported = [...text.matchAll(EXPORTED)].flatMap(([, list, name]) => (list === undefined ? [name as string] : namesOf(list)));
    const body = text.replace(IMPORT, '').replace(DEFAULT_IMPORT, '').replace(EXPORT, '').replaceAll('import.meta.url', `'${url.href}'`);
    const name = `m${this.#modules.size}`;
    const code = `const ${name} = (function () { ${[...named, ...defaults].join('')}${body}\nreturn { ${exported.join(', ')} };\n})();`;
    this.#modules.set(url.href, { name, code });
    return name;
  }

  #imported(specifier: string, from: URL): string {
    if (specifier.startsWith('.')) return this.add(new URL(specifier, from));
    const place = import.meta.resolve(specifier);
    const name = this.#packages.get(place) ?? `p${this.#packages.size}`;
    this.#packages.set(place, name);
    return name;
  }
}

function textOf(url: URL): string {
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return url.pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/** The names that a destructuring pattern binds. */
function namesOf(pattern: string): string[] {
  const parts = pattern.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => part.replace(/^.*:\s*/, ''));
}
