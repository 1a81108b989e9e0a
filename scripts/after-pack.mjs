import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleEngine } from './lib/bundle-command.mjs';
import { inRoot } from './lib/paths.mjs';

/**
 * The last touch on a package, called by electron-builder: the engine beside the archive reads its version from the manifest and is
 * bundled, and Electron's own demo application goes.
 * @param {{ appOutDir: string, packager: { getResourcesDir: (folder: string) => string } }} context
 */
export async function afterPack({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  copyFileSync(inRoot('package.json'), join(resources, 'package.json'));
  rmSync(join(resources, 'default_app.asar'), { force: true });
  await bundleEngine(resources, { final: true });
}
