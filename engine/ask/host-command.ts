import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepared } from '../prepared.ts';
import type * as Bundles from '../sandbox/module-bundle.ts';
import { commonBundle } from './common-bundle.ts';

const SOURCE_ENTRY = new URL('./host.ts', import.meta.url);
const here = (path: string): URL => new URL(path, import.meta.url);
/** Sources of the prepared code. DuckDB's package belongs to it, too; its version is known by its manifest. */
const SOURCES = ['./', '../sandbox/module-bundle.ts'].map(here);
const require = createRequire(import.meta.url);

/** How the process that asks is started. */
export interface HostCommand {
  readonly entry: string;
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command that starts the process. It may read its own code and DuckDB's, and nothing else; each question adds its files by DuckDB's own rules. */
export function hostCommand(): HostCommand {
  const main = require.resolve('@duckdb/node-api');
  const packages = dirname(dirname(dirname(main)));
  const { entry, library } = preparedHost(main) ?? { entry: fileURLToPath(SOURCE_ENTRY), library: null };
  const manifests = ['../package.json', '../../package.json'].map((path) => fileURLToPath(here(path)));
  const code = library === null ? [`${dirname(entry)}/`] : [entry, library];
  const readable = [...code, ...manifests, `${packages}/`, join(dirname(packages), 'detect-libc/'), '/usr/bin/ldd'];
  return {
    entry,
    execArgv: ['--permission', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${path}`), ...QUIET],
    env: { TZ: 'UTC', ...(library === null ? {} : { SLUICEBOX_DUCKDB: library }) },
  };
}

const QUIET = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning'];

/** The code as two files, one of them DuckDB's; null when nothing is kept for the next start. */
function preparedHost(main: string): { readonly entry: string; readonly library: string } | null {
  const host = prepared('asker.mjs', SOURCES, () => {
    // The parser is loaded only when it is needed: mostly the files were made at an earlier start.
    const { ModuleBundle } = require('../sandbox/module-bundle.ts') as typeof Bundles;
    const bundle = new ModuleBundle();
    bundle.add(here('./host.ts'));
    return `${bundle.packageImports}\n${bundle.code}\n`;
  });
  const librarySources = [pathToFileURL(join(dirname(main), '../package.json')), here('./common-bundle.ts')];
  const library = prepared('duckdb.cjs', librarySources, () => commonBundle(main));
  return host.path === null || library.path === null ? null : { entry: host.path, library: library.path };
}
