// npm run package [-- deb | tar]: makes packages of the headless engine in dist/, with its own Node; both without an argument.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDeb, buildTar } from './lib/archives.mjs';
import { stageEngine } from './lib/engine-package.mjs';
import { inRoot } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/report.mjs';

/** What can be made of the staged files. */
const KINDS = { deb: buildDeb, tar: buildTar };

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((kind) => !(kind in KINDS));
  if (unknown !== undefined)
    throw new SetupError(`there is no package ${unknown}.`, { hint: `Packages: ${Object.keys(KINDS).join(', ')}.` });
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-package-'));
  try {
    mkdirSync(inRoot('dist'), { recursive: true });
    await stageEngine(folder);
    for (const [kind, build] of Object.entries(KINDS)) {
      if (wanted.length === 0 || wanted.includes(kind)) console.log(await build(folder, inRoot('dist')));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});
