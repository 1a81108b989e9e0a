import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostBundle } from './bundle.ts';
import type { ChildCommand } from './child-supervisor.ts';
import { restraint } from './restraint.ts';

/** Packages that a sandbox host loads. */
const PACKAGES = ['isolated-vm', 'node-gyp-build', 'acorn', 'estree-walker', 'magic-string', '@jridgewell/sourcemap-codec'];

const SOURCE_ENTRY = new URL('./host/main.ts', import.meta.url);

/**
 * Makes the command that starts a sandbox host on the engine's own Node. The host may read its own code and load its addon; other files, the
 * network, processes and workers are denied. Its environment holds only the time zone.
 */
export function hostCommand(): ChildCommand {
  const bundle = hostBundle();
  const entry = bundle ?? fileURLToPath(SOURCE_ENTRY);
  const readable = [
    ...(bundle === null ? [`${dirname(entry)}/`, ...sourceFolders()] : [bundle]),
    ...manifests(),
    ...PACKAGES.flatMap(packageFolder),
    '/etc/alpine-release',
  ];
  const [file = process.execPath, ...before] = restraint();
  return {
    file,
    args: [
      ...before,
      ...(file === process.execPath ? [] : [process.execPath]),
      '--permission',
      '--allow-addons',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      '--no-node-snapshot',
      '--expose-gc',
      // New space grows to many times what a host holds, and the memory guard counts it.
      '--max-semi-space-size=1',
      // Return an isolate's memory to the system when it ends; V8 would keep it for others for seconds, and the memory guard would count it.
      '--no-memory-pool-share-memory-on-teardown',
      '--disable-sigusr1',
      '--enable-experimental-regexp-engine-on-excessive-backtracks',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      entry,
    ],
    env: { TZ: 'UTC', ...allocatorSettings() },
    cwd: dirname(entry),
  };
}

/** Those of glibc's allocator that the engine has itself. */
function allocatorSettings(): Record<string, string> {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('MALLOC_'));
  return Object.fromEntries(settings) as Record<string, string>;
}

/** The folders of the engine's code that a host uses. */
function sourceFolders(): string[] {
  const engine = fileURLToPath(new URL('../', import.meta.url));
  return [`${engine}sandbox/`, `${engine}message/`];
}

/** The manifests that Node looks up on the way to a module. */
function manifests(): string[] {
  return ['../package.json', '../../package.json'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
}

const require = createRequire(import.meta.url);

/** The folder of a package, as a list; empty when the package is not installed. */
function packageFolder(name: string): string[] {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return [dirname(require.resolve(`${folder}/${name}/package.json`))];
    } catch {
      // Not in this folder.
    }
  }
  return [];
}
