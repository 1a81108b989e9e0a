import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostBundle, SOURCES } from '../code/bundle.ts';
import type { ChildCommand } from './child-supervisor.ts';
import { noNewPrivileges } from './no-new-privileges.ts';

/** Packages that a sandbox host loads. */
const PACKAGES = ['isolated-vm', 'node-gyp-build', 'acorn', 'estree-walker', 'magic-string', '@jridgewell/sourcemap-codec'];

/**
 * Settings of glibc's allocator. By its own rules it puts the buffers of batches, which live for one call, between small objects that stay: what a host
 * holds then grows from batch to batch, until the memory guard takes it for the script's. With 256 KiB and less, system calls and page faults take a
 * fifth of a host's time.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288', MALLOC_TRIM_THRESHOLD_: '1048576' };

const SOURCE_ENTRY = new URL('../host/main.ts', import.meta.url);

/**
 * Makes the command that starts a sandbox host on the engine's own Node. The host may read its own code and load its addon; other files, the
 * network, processes and workers are denied. Its environment holds only the time zone, and settings of the allocator.
 */
export function hostCommand(): ChildCommand {
  const bundle = hostBundle();
  const entry = bundle ?? fileURLToPath(SOURCE_ENTRY);
  const readable = [
    ...(bundle === null ? SOURCES.map((url) => fileURLToPath(url)) : [bundle]),
    ...manifests(),
    ...PACKAGES.flatMap(packageFolder),
    '/etc/alpine-release',
  ];
  const [file = process.execPath, ...before] = noNewPrivileges();
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
    env: { TZ: 'UTC', ...ALLOCATOR },
    cwd: dirname(entry),
  };
}

/** The manifests that Node looks up on the way to a module. */
function manifests(): string[] {
  return ['../../package.json', '../../../package.json'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
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
