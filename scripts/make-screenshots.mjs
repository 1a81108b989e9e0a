// npm run screenshots [-- NAME…]: takes the documentation's pictures of the real window, on the sample logs. Names are those of docs/images, without the ending.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain, say, SetupError } from './lib/report.mjs';
import { SCENES } from './lib/scenes.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./lib/scenes.mjs').Scene} Scene */

const WAIT_MS = 180_000;
/** The window holds still when so many pictures in a row are the same. */
const SAME = 3;
const PAUSE_MS = 300;
const MOST_PICTURES = 100;

await runMain(async () => {
  const names = process.argv.slice(2);
  const scenes = SCENES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (scenes.length === 0) throw new SetupError(`there is no picture of that name: ${SCENES.map(({ name }) => name).join(', ')}`);
  const { electron } = await prepare();
  const { _electron } = await import('playwright-core');
  const display = needsVirtualDisplay() ? await startVirtualDisplay() : undefined;
  const env = /** @type {Record<string, string>} */ ({ ...process.env, ...display?.env, TZ: 'UTC' });
  mkdirSync(inRoot('docs', 'images'), { recursive: true });
  try {
    for (const scene of scenes)
      await take(scene, (args) => _electron.launch({ executablePath: electron.path, args, env, timeout: WAIT_MS }));
  } finally {
    display?.stop();
  }
});

/**
 * Starts the application on the logs of a scene, plays it and takes its picture.
 * @param {Scene} scene
 * @param {(args: string[]) => Promise<import('playwright-core').ElectronApplication>} launch
 */
async function take({ name, logs, size, play }, launch) {
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-screenshots-'));
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const paths = logs.map((log) => inRoot('resources', 'samples', log));
  const app = await launch([root, ...asRoot, '--log-level=3', `--user-data-dir=${data}`, '--', ...paths]);
  try {
    app.context().setDefaultTimeout(WAIT_MS);
    const page = await app.firstWindow();
    await page.setViewportSize(size);
    await hasRead(page, logs.length);
    await play(page);
    await page.mouse.move(0, 0);
    const path = inRoot('docs', 'images', `${name}.png`);
    writeFileSync(path, await steadyPicture(page));
    say(`docs/images/${name}.png: ${Math.round(statSync(path).size / 1024)} KiB`);
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Waits until all files are read to their ends. @param {Page} page @param {number} count */
async function hasRead(page, count) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(PAUSE_MS)) {
    const states = await page.evaluate(async () => {
      const window = /** @type {any} */ (globalThis);
      const reply = await window.sluicebox?.request('engine.state', {});
      return /** @type {string[]} */ ((reply?.value?.sources ?? []).map((/** @type {{ state: string }} */ { state }) => state));
    });
    if (states.length === count && states.every((state) => state === 'following')) return;
  }
  throw new SetupError('the logs were not read in time');
}

/** A picture of the window when it holds still. @param {Page} page */
async function steadyPicture(page) {
  let last = await page.screenshot();
  for (let same = 1, taken = 1; same < SAME && taken < MOST_PICTURES; taken++) {
    await page.waitForTimeout(PAUSE_MS);
    const next = await page.screenshot();
    same = next.equals(last) ? same + 1 : 1;
    last = next;
  }
  return last;
}
