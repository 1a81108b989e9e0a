// npm run package [-- engine | npm | app]: makes packages in dist/. Without an argument all of them; that of the window where its Electron can be had.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP_PACKAGE, stageApp } from './lib/app-package.mjs';
import { buildDeb, buildTar } from './lib/archives.mjs';
import { ensureBuild } from './lib/build.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { ENGINE_PACKAGE, stageEngine } from './lib/engine-package.mjs';
import { buildNpm } from './lib/npm-package.mjs';
import { inRoot } from './lib/paths.mjs';
import { runMain, say, SetupError } from './lib/report.mjs';

/** Makers of each kind of package. @type {Readonly<Record<string, (out: string) => Promise<void>>>} */
const KINDS = {
  engine: (out) => archives(ENGINE_PACKAGE, out, stageEngine),
  npm: async (out) => console.log(await buildNpm(out)),
  app: packageApp,
};

/** There is no Electron to make packages with. */
class NoElectronError extends SetupError {
  /** @override */
  name = 'NoElectronError';
}

/** @param {string} out */
async function packageApp(out) {
  const electron = await ensureElectron();
  // One that the user points at is the user's choice.
  if (!electron.official && !process.env.ELECTRON_OVERRIDE_DIST_PATH)
    throw new NoElectronError('packages of the window are made with the official Electron only.', {
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
      if (wanted.length > 0 || !(error instanceof NoElectronError)) throw error;
      say(error.message);
    }
  }
  return 0;
});
