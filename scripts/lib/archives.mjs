import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run, tail } from './run.mjs';

/** Debian's names of processors. */
const DEBIAN = { x64: 'amd64', arm64: 'arm64' };

/**
 * Metadata of a package.
 * @typedef {object} Package
 * @property {string} name
 * @property {string} section of Debian
 * @property {readonly string[]} depends Debian's names
 * @property {readonly string[]} recommends
 * @property {string} summary
 * @property {string} [scripts] the folder of the scripts that dpkg runs, from the project's folder
 */

/** @returns {{ version: string, description: string }} */
const manifest = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/**
 * Makes a Debian package of a staged tree.
 * @param {Package} what
 * @param {string} folder the tree; its `DEBIAN` is made here
 * @param {string} out the folder for the package
 * @param {{ compression?: 'xz' | 'none' }} [options]
 * @returns {Promise<string>} the package's path
 * @throws {SetupError} where Debian's tools are missing
 */
export async function buildDeb({ name, section, depends, recommends, summary, scripts }, folder, out, { compression = 'xz' } = {}) {
  const { version, description } = manifest();
  const processor = DEBIAN[/** @type {keyof typeof DEBIAN} */ (process.arch)];
  const path = join(out, `${name}_${version}_${processor}.deb`);
  const kilobytes = (await done('du', '-sk', '--apparent-size', folder)).split('\t')[0];
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  try {
    writeFileSync(
      join(control, 'control'),
      `Package: ${name}
Version: ${version}
Architecture: ${processor}
Installed-Size: ${kilobytes}
Maintainer: The Sluicebox authors
Section: ${section}
Priority: optional
Depends: ${depends.join(', ')}
Recommends: ${recommends.join(', ')}
Description: ${summary}
 ${description}
`,
    );
    if (scripts !== undefined) cpSync(inRoot(scripts), control, { recursive: true });
    await readableByAll(folder);
    await done('dpkg-deb', '--root-owner-group', `-Z${compression}`, '--build', folder, path);
  } finally {
    rmSync(control, { recursive: true });
  }
  return path;
}

/**
 * Makes an archive of a staged tree that can be unpacked anywhere: `bin`, `lib` and `share` below one folder.
 * @param {Package} what
 * @param {string} folder the tree
 * @param {string} out the folder for the archive
 * @returns {Promise<string>} the archive's path
 */
export async function buildTar({ name }, folder, out) {
  const top = `${name}-${manifest().version}-${process.platform}-${process.arch}`;
  const path = join(out, `${top}.tar.gz`);
  renameSync(join(folder, 'usr'), join(folder, top));
  try {
    await readableByAll(folder);
    await done('tar', '--owner=0', '--group=0', '--numeric-owner', '-czf', path, '-C', folder, top);
  } finally {
    renameSync(join(folder, top), join(folder, 'usr'));
  }
  return path;
}

/** Gives a tree the modes of a package, whoever made it with whatever umask: the temporary folder that it grew in is its maker's alone. @param {string} folder */
const readableByAll = (folder) => done('chmod', '-R', 'u+rwX,go+rX,go-w', folder);

/** Returns what it prints. @param {string} command @param {...string} args */
async function done(command, ...args) {
  const result = await run(command, args);
  if (result.code === 127) throw new SetupError(`${command} is missing.`, { hint: 'It comes with Debian and Ubuntu.' });
  if (result.code !== 0) throw new SetupError(`${command} failed:\n${tail(result, 20)}`);
  return result.stdout;
}
