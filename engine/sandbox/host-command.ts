import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildCommand } from './child-supervisor.ts';

/** Packages that a host loads. */
const PACKAGES = ['isolated-vm', 'node-gyp-build', 'acorn', 'estree-walker', 'magic-string', '@jridgewell/sourcemap-codec'];

/** In development the host runs from its sources, in a package from one file beside this one. */
const fromSources = import.meta.url.endsWith('.ts');

/** Where the host's entry lies. */
const HOST_ENTRY = new URL(fromSources ? './host/main.ts' : './sandbox-host.js', import.meta.url);

/**
 * How a sandbox host is started: on the Node that the engine runs on, with the right to read its own code and load its addon, and no other: no
 * files, network, processes or workers. Its environment holds the time zone and nothing else.
 */
export function hostCommand(): ChildCommand {
  const entry = fileURLToPath(HOST_ENTRY);
  const readable = [...ownFolders(entry), ...PACKAGES.flatMap(packageFolder), '/etc/alpine-release'];
  return {
    file: process.execPath,
    args: [
      '--permission',
      '--allow-addons',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      '--no-node-snapshot',
      '--expose-gc',
      '--enable-experimental-regexp-engine-on-excessive-backtracks',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      entry,
    ],
    env: { TZ: 'UTC' },
    cwd: dirname(entry),
  };
}

/** The folders of the engine's code that a host uses, and the manifests that Node looks up on the way. */
function ownFolders(entry: string): string[] {
  if (!fromSources) return [dirname(entry)];
  const engine = fileURLToPath(new URL('../', import.meta.url));
  const manifests = [new URL('../package.json', import.meta.url), new URL('../../package.json', import.meta.url)];
  return [`${engine}sandbox/`, `${engine}message/`, ...manifests.map((url) => fileURLToPath(url))];
}

const require = createRequire(import.meta.url);

/** The folder of a package; none when a bundle has taken it in. */
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
