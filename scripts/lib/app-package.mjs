import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { nodeRuntime } from './runtime.mjs';
import { DEBIAN_DEPENDENCIES, ENGINE_DEPENDENCIES } from './system-libraries.mjs';

/** Folder of the application below the prefix. */
const HOME = 'usr/lib/sluicebox-desktop';

/** Files that desktops read, by their places below the prefix. */
const DESKTOP = {
  'usr/share/applications/sluicebox.desktop': 'resources/deploy/desktop/sluicebox.desktop',
  'usr/share/mime/packages/sluicebox-desktop.xml': 'resources/deploy/desktop/sluicebox-desktop.xml',
  'usr/share/metainfo/app.sluicebox.desktop.metainfo.xml': 'resources/deploy/desktop/app.sluicebox.desktop.metainfo.xml',
  'usr/share/icons/hicolor/512x512/apps/sluicebox.png': 'resources/icons/icon.png',
  'usr/share/icons/hicolor/scalable/apps/sluicebox.svg': 'resources/icons/icon.svg',
  'usr/share/doc/sluicebox-desktop/copyright': 'LICENSE',
};

/** @type {import('./archives.mjs').Package} */
export const APP_PACKAGE = {
  name: 'sluicebox-desktop',
  section: 'devel',
  depends: [...ENGINE_DEPENDENCIES, ...DEBIAN_DEPENDENCIES],
  recommends: ['xdg-utils', 'shared-mime-info'],
  summary: 'Log workbench of isolated scripts',
};

/**
 * Lays out the desktop application as it is installed: the unpacked application of electron-builder, its command, and what desktops read. The shell and
 * the window have to be built.
 * @param {string} folder becomes the root; on the file system of the temporary folder
 * @param {{ path: string, version: string }} electron the binary to pack
 * @throws {SetupError}
 */
export async function stageApp(folder, { path, version }) {
  const out = mkdtempSync(join(tmpdir(), 'sluicebox-unpacked-'));
  try {
    const options = { 'directories.output': out, electronDist: dirname(path), electronVersion: version };
    const args = Object.entries(options).map(([name, value]) => `-c.${name}=${value}`);
    const result = await run(nodeRuntime().path, [inRoot('node_modules/electron-builder/cli.js'), '--linux', 'dir', ...args]);
    if (result.code !== 0) throw new SetupError(`the application could not be packed:\n${tail(result, 20)}`);
    mkdirSync(join(folder, dirname(HOME)), { recursive: true });
    renameSync(join(out, `linux-${process.arch === 'x64' ? '' : `${process.arch}-`}unpacked`), join(folder, HOME));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  // Chromium's sandbox needs it where ordinary users may not make namespaces; it takes effect when the package is installed by root.
  chmodSync(join(folder, HOME, 'chrome-sandbox'), 0o4755);
  mkdirSync(join(folder, 'usr/bin'));
  symlinkSync('../lib/sluicebox-desktop/sluicebox', join(folder, 'usr/bin/sluicebox-desktop'));
  for (const [place, source] of Object.entries(DESKTOP)) cpSync(inRoot(source), join(folder, place), { recursive: true });
}
