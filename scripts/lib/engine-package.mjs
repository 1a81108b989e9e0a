import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleCommand } from './bundle-command.mjs';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { nodeRuntime } from './runtime.mjs';
import { ENGINE_DEPENDENCIES } from './system-libraries.mjs';

/** Folder of the engine below the prefix. */
const HOME = 'usr/lib/sluicebox';

/** @type {import('./archives.mjs').Package} */
export const ENGINE_PACKAGE = {
  name: 'sluicebox-engine',
  section: 'admin',
  // Of passwd is the useradd of postinst, of init-system-helpers its deb-systemd-invoke, of procps the kill of the unit.
  depends: [...ENGINE_DEPENDENCIES, 'passwd', 'init-system-helpers'],
  recommends: ['procps'],
  summary: 'Log pipeline of isolated scripts, without the window',
  scripts: 'resources/deploy/debian',
};

/** The parts of the project that the headless command needs beside its packages. */
const PARTS = ['engine', 'plugins', 'bin/launcher.cjs', 'bin/in-place.cjs', 'bin/package.json', 'package.json', 'LICENSE'];

/** Copies what the headless command needs beside its packages, without a bundle. @param {string} home */
export function copyCommand(home) {
  for (const part of PARTS) cpSync(inRoot(part), join(home, part), { recursive: true });
  for (const file of starterModules()) cpSync(inRoot('scripts/lib', file), join(home, 'scripts/lib', file));
}

/** Files of packages that are not needed at run time, by the package: sources of binaries, and binaries of other systems. */
const LEFT_OUT = {
  'isolated-vm': (/** @type {string} */ path) => !/^(|package\.json|[^/]*\.js|LICENSE|prebuilds(\/.*)?)$/.test(path),
  [runtimeFolder()]: (/** @type {string} */ path) => !/^(|package\.json|LICENSE|bin(\/.*)?)$/.test(path),
};

/** Does what bin/sluicebox does, on the Node of the package, from wherever the prefix lies. */
const COMMAND = `#!/bin/sh
{ true 3>&1; } 2>/dev/null || exec 1</dev/null
home=$(dirname "$(readlink -f "$0")")/../lib/sluicebox
node=$home/node_modules/${runtimeFolder()}/bin/node
if [ "$1" = run ]; then exec "$node" "$home/bin/launcher.cjs" "$@"; fi
exec "$node" --disable-warning=ExperimentalWarning "$home/bin/in-place.cjs" "$@"
`;

/**
 * Lays out the headless engine as it is installed: `usr/bin`, `usr/lib/sluicebox`, the manual page, completions, docs and the systemd unit.
 * @param {string} folder empty; becomes the root
 * @throws {SetupError} when the packages are not installed
 */
export async function stageEngine(folder) {
  const home = join(folder, HOME);
  copyCommand(home);
  for (const path of await productionPackages()) copyPackage(path, join(home, relative(inRoot(), path)));
  await bundleCommand(home, { final: true });
  write(join(folder, 'usr/bin/sluicebox'), COMMAND, 0o755);
  write(join(folder, 'usr/lib/systemd/system/sluicebox@.service'), unit(), 0o644);
  cpSync(inRoot('docs'), join(folder, 'usr/share/doc/sluicebox'), { recursive: true, filter: (path) => basename(path) !== 'images' });
  cpSync(inRoot('resources/deploy/monitoring'), join(folder, 'usr/share/doc/sluicebox/monitoring'), { recursive: true });
  cpSync(inRoot('LICENSE'), join(folder, 'usr/share/doc/sluicebox/copyright'));
  // Debian looks for it below the name of the package.
  cpSync(inRoot('LICENSE'), join(folder, 'usr/share/doc', ENGINE_PACKAGE.name, 'copyright'));
  write(join(folder, 'usr/share/man/man1/sluicebox.1.gz'), gzipSync(await printed(folder, 'manual'), { level: 9 }), 0o644);
  write(join(folder, 'usr/share/bash-completion/completions/sluicebox'), await printed(folder, 'completions', 'bash'), 0o644);
  write(join(folder, 'usr/share/zsh/vendor-completions/_sluicebox'), await printed(folder, 'completions', 'zsh'), 0o644);
  write(join(folder, 'usr/share/fish/vendor_completions.d/sluicebox.fish'), await printed(folder, 'completions', 'fish'), 0o644);
}

/** The folder of the Node package in node_modules. */
function runtimeFolder() {
  return basename(dirname(dirname(nodeRuntime().path)));
}

/** The modules of scripts/lib that the starters in bin import, with what they import. */
function starterModules() {
  const found = new Set();
  const follow = (/** @type {string} */ text) => {
    for (const [, name] of text.matchAll(/["'](?:\.\.\/scripts\/lib|\.)\/([\w-]+\.mjs)["']/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(readFileSync(inRoot('scripts/lib', name ?? ''), 'utf8'));
    }
  };
  for (const part of PARTS) if (part.endsWith('.cjs')) follow(readFileSync(inRoot(part), 'utf8'));
  return [...found];
}

/** The folders of all packages that run with the engine. */
export async function productionPackages() {
  const listed = await run('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: inRoot() });
  const folders = listed.stdout.split('\n').filter((path) => path.includes('node_modules'));
  if (folders.length === 0) throw new SetupError(`the packages could not be listed:\n${tail(listed, 10)}`, { hint: 'Run: npm ci' });
  return folders;
}

/** @param {string} from @param {string} to */
function copyPackage(from, to) {
  const leftOut = LEFT_OUT[relative(inRoot('node_modules'), from)] ?? (() => false);
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => !leftOut(relative(from, path)) });
}

/** The unit, for the command of the package. */
function unit() {
  const text = readFileSync(inRoot('resources/deploy/sluicebox@.service'), 'utf8');
  return text.replaceAll('/opt/sluicebox/bin/', '/usr/bin/').replaceAll('/opt/sluicebox/docs/', '/usr/share/doc/sluicebox/');
}

/** Output of the staged command. @param {string} folder @param {...string} args */
async function printed(folder, ...args) {
  const result = await run(join(folder, 'usr/bin/sluicebox'), args);
  if (result.code !== 0) throw new SetupError(`sluicebox ${args.join(' ')} failed in the package:\n${tail(result, 20)}`);
  return result.stdout;
}

/** @param {string} path @param {string | Uint8Array} content @param {number} mode */
function write(path, content, mode) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}
