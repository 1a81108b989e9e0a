// npm run screenshots: takes the documentation's pictures of the real window, on the sample logs.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain, say } from './lib/report.mjs';

const SIZE = { width: 1440, height: 860 };
const READ_MS = 4000;
const PAINT_MS = 1000;

await runMain(async () => {
  const { electron } = await prepare();
  const { _electron } = await import('playwright-core');
  const display = needsVirtualDisplay() ? await startVirtualDisplay() : undefined;
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-screenshots-'));
  const app = await _electron.launch({
    executablePath: electron.path,
    args: [root, '--log-level=3', `--user-data-dir=${data}`, '--', inRoot('resources', 'samples', 'access.log')],
    env: /** @type {Record<string, string>} */ ({ ...process.env, ...display?.env, TZ: 'UTC' }),
  });
  try {
    await takePictures(await app.firstWindow());
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true });
    display?.stop();
  }
});

/** @param {import('playwright-core').Page} page */
async function takePictures(page) {
  await page.setViewportSize(SIZE);
  await page.waitForTimeout(READ_MS);
  // The middle of a burst of failures.
  await page.getByRole('slider', { name: /^Time\./ }).click({ position: { x: 502, y: 30 } });
  await page.waitForTimeout(PAINT_MS);
  await page.mouse.move(0, 0);
  await picture(page, 'window.png');
  await page.getByRole('button', { name: 'Graphs', exact: true }).click();
  await page.setViewportSize({ ...SIZE, height: 440 });
  await picture(page, 'graphs.png');
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function picture(page, name) {
  await page.waitForTimeout(PAINT_MS);
  mkdirSync(inRoot('docs', 'images'), { recursive: true });
  await page.screenshot({ path: inRoot('docs', 'images', name) });
  say(`docs/images/${name}`);
}
