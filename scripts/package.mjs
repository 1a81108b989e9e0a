// npm run package [-- engine | app]: makes packages in dist/, a Debian one and an archive of each. Without an argument, of all that can be made here.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_PACKAGE, stageApp } from './lib/app-package.mjs';
import { buildDeb, buildTar } from './lib/archives.mjs';
import { ensureBuild } from './lib/build.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { ENGINE_PACKAGE, stageEngine } from './lib/engine-package.mjs';
import { inRoot } from './lib/paths.mjs';
import { runMain, say, SetupError } from './lib/report.mjs';

/** What packages are made of. @type {Readonly<Record<string, (out: string) => Promise<void>>>} */
const KINDS = { engine: packageEngine, app: packageApp };

/** @param {string} out */
async function packageEngine(out) {
  await archives(ENGINE_PACKAGE, out, stageEngine);
}

/** @param {string} out */
async function packageApp(out) {
  const electron = await ensureElectron();
  // Electron that the user points at is the user's choice.
  if (!electron.official && !process.env.ELECTRON_OVERRIDE_DIST_PATH)
    throw new SetupError('packages of the window are made with the official Electron only.', {
      hint: 'Connect to its download host, or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an Electron of your choice.',
    });
  await ensureBuild(electron.env);
  await archives(APP_PACKAGE, out, (folder) => stageApp(folder, electron));
}

/** @param {import('./lib/archives.mjs').Package} what @param {string} out @param {(folder: string) => Promise<void>} stage */
async function archives(what, out, stage) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-package-'));
  try {
    await stage(folder);
    for (const build of [buildTar, buildDeb]) console.log(await build(what, folder, out));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((kind) => !(kind in KINDS));
  if (unknown !== undefined)
    throw new SetupError(`there is no package ${unknown}.`, { hint: `Packages: ${Object.keys(KINDS).join(', ')}.` });
  mkdirSync(inRoot('dist'), { recursive: true });
  for (const [kind, make] of Object.entries(KINDS)) {
    if (wanted.length > 0 && !wanted.includes(kind)) continue;
    try {
      await make(inRoot('dist'));
    } catch (error) {
      if (wanted.length > 0 || !(error instanceof SetupError)) throw error;
      say(`no package of ${kind}: ${error.message}`);
    }
  }
  return 0;
});
