import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { preparedFile } from '../base/product/prepared.ts';
import type * as Bundles from '../sandbox/code/module-bundle.ts';
import { commonBundle } from './common-bundle.ts';

const SOURCE_ENTRY = new URL('./host.ts', import.meta.url);
const COMPILE_ENTRY = new URL('./compile-library.ts', import.meta.url);
const here = (path: string): URL => new URL(path, import.meta.url);
const LIBRARY_SOURCES = ['./common-bundle.ts', './compiled-library.ts', './host-command.ts'].map(here);
/** Modules that the process runs: files, and folders of files. DuckDB's package belongs to them, too; its version is known by its manifest. */
export const MODULES = [
  './',
  '../api/headers.ts',
  '../base/errors.ts',
  '../base/files/regular-file.ts',
  '../base/text/',
  '../lookup/',
  '../message/',
  '../parquet/column-names.ts',
].map(here);
/** Sources of the prepared code. */
const SOURCES = [...MODULES, here('../sandbox/code/module-bundle.ts')];
const require = createRequire(import.meta.url);

/** The command line and the environment of the process that runs the query. */
export interface HostCommand {
  readonly entry: string;
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command that starts the process. It may read its own code and DuckDB's, and the lookups; each question adds its files by DuckDB's own rules.
 * @param lookups their folder; null: there is none
 */
export function hostCommand(lookups: string | null): HostCommand {
  const main = require.resolve('@duckdb/node-api');
  const packages = dirname(dirname(dirname(main)));
  const { entry, library } = preparedHost(main) ?? { entry: fileURLToPath(SOURCE_ENTRY), library: [] };
  const code = library.length === 0 ? MODULES.map((url) => fileURLToPath(url)) : [entry, ...library];
  const manifests = ['../package.json', '../../package.json'].map((path) => fileURLToPath(here(path)));
  const readable = [
    ...code,
    ...manifests,
    `${packages}/`,
    join(dirname(packages), 'detect-libc/'),
    '/usr/bin/ldd',
    ...(lookups === null ? [] : [`${lookups}/`]),
  ];
  return {
    entry,
    execArgv: ['--permission', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${path}`), ...QUIET],
    env: { TZ: 'UTC', ...(library.length === 0 ? {} : { SLUICEBOX_DUCKDB: library.join(delimiter) }) },
  };
}

const QUIET = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning'];

/** The code as two files, one of them DuckDB's, and V8's code cache of the latter; null when nothing is kept for the next start. */
function preparedHost(main: string): { readonly entry: string; readonly library: readonly string[] } | null {
  const entry = preparedFile('asker.cjs', SOURCES, () => {
    // The parser is loaded only when it is needed: mostly the files were made at an earlier start.
    const { ModuleBundle } = require('../sandbox/code/module-bundle.ts') as typeof Bundles;
    const bundle = new ModuleBundle();
    bundle.add(here('./host.ts'));
    return `'use strict';\n${bundle.packageRequires}\n${bundle.code}\n`;
  });
  const librarySources = [pathToFileURL(join(dirname(main), '../package.json')), ...LIBRARY_SOURCES];
  const library = preparedFile('duckdb.cjs', librarySources, () => commonBundle(main, nativeShortcut(main)));
  if (entry === null || library === null) return null;
  const compiled = preparedFile('duckdb.v8', librarySources, () => compiledLibrary(library));
  return { entry, library: compiled === null ? [library] : [library, compiled] };
}

/** The native file of DuckDB for systems with glibc, by the name of the package that would choose it. The package looks up the system's C library first, which takes longer than to try this file. */
function nativeShortcut(main: string): ReadonlyMap<string, string> {
  if (process.platform !== 'linux') return new Map();
  try {
    const { resolve } = createRequire(main);
    const native = createRequire(resolve('@duckdb/node-bindings')).resolve(`@duckdb/node-bindings-linux-${process.arch}/duckdb.node`);
    return new Map([['@duckdb/node-bindings', native]]);
  } catch {
    return new Map();
  }
}

/** V8's code cache of the library, in Base64; empty when the library cannot be loaded. A process of its own loads it. */
function compiledLibrary(library: string): string {
  const { status, stdout } = spawnSync(process.execPath, [...QUIET, fileURLToPath(COMPILE_ENTRY), library], {
    env: { TZ: 'UTC' },
    encoding: 'latin1',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : '';
}
