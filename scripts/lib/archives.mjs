import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run, tail } from './run.mjs';

/** Debian's names of processors. */
const DEBIAN = { x64: 'amd64', arm64: 'arm64' };

/** @returns {{ version: string, description: string }} */
const manifest = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/**
 * Makes a Debian package of a staged tree.
 * @param {string} folder the tree; its `DEBIAN` is made here
 * @param {string} out the folder for the package
 * @param {{ compression?: 'xz' | 'none' }} [options]
 * @returns {Promise<string>} the package's path
 * @throws {SetupError} where Debian's tools are missing
 */
export async function buildDeb(folder, out, { compression = 'xz' } = {}) {
  const { version, description } = manifest();
  const processor = DEBIAN[/** @type {keyof typeof DEBIAN} */ (process.arch)];
  const path = join(out, `sluicebox-engine_${version}_${processor}.deb`);
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  try {
    writeFileSync(
      join(control, 'control'),
      `Package: sluicebox-engine
Version: ${version}
Architecture: ${processor}
Maintainer: The Sluicebox authors
Section: admin
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6 (>= 8)
Recommends: adduser
Description: Log pipeline of isolated scripts, without the window
 ${description}
`,
    );
    cpSync(inRoot('resources/deploy/debian/postinst'), join(control, 'postinst'));
    await done('dpkg-deb', '--root-owner-group', `-Z${compression}`, '--build', folder, path);
  } finally {
    rmSync(control, { recursive: true });
  }
  return path;
}

/**
 * Makes an archive of a staged tree that can be unpacked anywhere: `bin`, `lib` and `share` below one folder.
 * @param {string} folder the tree
 * @param {string} out the folder for the archive
 * @returns {Promise<string>} the archive's path
 */
export async function buildTar(folder, out) {
  const name = `sluicebox-engine-${manifest().version}-${process.platform}-${process.arch}`;
  const path = join(out, `${name}.tar.gz`);
  renameSync(join(folder, 'usr'), join(folder, name));
  try {
    await done('tar', '--owner=0', '--group=0', '--numeric-owner', '-czf', path, '-C', folder, name);
  } finally {
    renameSync(join(folder, name), join(folder, 'usr'));
  }
  return path;
}

/** @param {string} command @param {...string} args */
async function done(command, ...args) {
  const result = await run(command, args);
  if (result.code === 127) throw new SetupError(`${command} is missing.`, { hint: 'It comes with Debian and Ubuntu.' });
  if (result.code !== 0) throw new SetupError(`${command} failed:\n${tail(result, 20)}`);
}
