import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCommand } from './bundle-command.mjs';
import { copyCommand } from './engine-package.mjs';
import { npm } from './packages.mjs';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { tail } from './run.mjs';

/** Starts the command for the Node that npm has on the machine. */
const COMMAND = "#!/usr/bin/env node\n'use strict';\nrequire('./launcher.cjs');\n";
const BIN = 'bin/sluicebox.cjs';

/**
 * Makes a package of the headless command that npm and npx install. Its code is JavaScript, as Node strips no types of installed packages; sources come
 * along for the isolates, which get them as text.
 * @param {string} out the folder for the package
 * @returns {Promise<string>} the package's path
 * @throws {SetupError}
 */
export async function buildNpm(out) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-npm-'));
  try {
    const staged = join(folder, 'package');
    copyCommand(staged);
    await bundleCommand(staged, { final: true, whole: true });
    writeFileSync(join(staged, BIN), COMMAND, { mode: 0o755 });
    cpSync(inRoot('resources/deploy/npm/README.md'), join(staged, 'README.md'));
    const manifest = npmManifest();
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const packed = await npm(['pack', '--pack-destination', folder, '--loglevel=error', '--silent'], { cwd: staged });
    if (packed.code !== 0) throw new SetupError(`npm pack failed:\n${tail(packed, 20)}`);
    mkdirSync(out, { recursive: true });
    const name = `sluicebox-${manifest.version}.tgz`;
    renameSync(join(folder, name), join(out, name));
    return join(out, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifest of the package. */
function npmManifest() {
  const { name, version, description, license, author, type, engines, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(inRoot('package.json'), 'utf8'),
  );
  const files = ['bin', 'engine', 'out', 'plugins', 'scripts'];
  return { name, version, description, license, author, type, bin: { sluicebox: BIN }, files, engines, dependencies, optionalDependencies };
}
