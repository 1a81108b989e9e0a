import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './lib/paths.mjs';

/**
 * The last touch on a package, called by electron-builder: the engine beside the archive reads its version from the manifest, and
 * Electron's own demo application goes.
 * @param {{ appOutDir: string, packager: { getResourcesDir: (folder: string) => string } }} context
 */
export function afterPack({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  copyFileSync(inRoot('package.json'), join(resources, 'package.json'));
  rmSync(join(resources, 'default_app.asar'), { force: true });
}
