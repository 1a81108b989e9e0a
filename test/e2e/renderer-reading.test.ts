import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { pictureOf } from './support/picture.ts';

const BLOCK = 5_000;
const BLOCKS = 120;
const line = (path: string): string =>
  `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /${path} HTTP/1.1" 200 12 "-" "a browser of some length"\n`;

/** A log that takes a while to decode: its first and last lines are like no other. */
function writeLog(path: string): void {
  const block = Array.from({ length: BLOCK }, (_, i) => line(`${i}/${'x'.repeat(60)}`)).join('');
  const file = openSync(path, 'w');
  writeSync(file, line('first'));
  for (let i = 0; i < BLOCKS; i++) writeSync(file, block);
  writeSync(file, line('last'));
  closeSync(file);
}

describe('a large file on the way to its end', () => {
  let app: App;
  let page: Page;
  let folder: string;
  let log: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-reading-'));
    log = join(folder, 'large.log');
    writeLog(log);
    app = await startApp();
    page = app.page;
    await page.getByRole('heading', { name: 'Open a log' }).waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const raw = (): Locator => page.getByRole('region', { name: 'Lines of large.log that are not decoded yet' });
  const records = (): Locator => page.getByRole('grid', { name: 'Records' });
  const stop = (): Locator => page.getByRole('button', { name: 'Stop reading large.log' });
  const goOn = (): Locator => page.getByRole('button', { name: 'Continue reading large.log' });
  const picture = (name: string): Promise<void> => pictureOf(app, name);

  test('its reading is stopped, and what was read is kept', async () => {
    // At once, from the page: the machine may be quick.
    await page.evaluate(() => {
      let asked = false;
      window.sluicebox.on('state', ({ sources }) => {
        const [source] = sources;
        if (source?.state !== 'reading' || source.records === 0 || asked) return;
        asked = true;
        void window.sluicebox.request('source.pause', { id: source.id });
      });
    });
    await app.open(log);
    await goOn().waitFor();
    const { sources } = await app.stateWhere(({ queued, sources: all }) => queued === 0 && all[0]?.state === 'paused');
    expect(sources[0]?.records).toBeGreaterThan(0);
    expect(sources[0]?.records).toBeLessThan(BLOCK * BLOCKS);
    await page.getByText('stopped before its end').waitFor();
    await records().locator('[data-row]').first().waitFor();
    await picture('stopped');
    await expectNoFindings(page);
  });

  test('its end is shown as it stands in the file before it is decoded', async () => {
    await records().focus();
    await page.keyboard.press('End');
    await raw().getByText('GET /last').waitFor();
    await expect.poll(() => raw().evaluate((element) => element === document.activeElement)).toBe(true);
    await picture('end');
    await expectNoFindings(page);
  });

  test('keys and the scroll bar move in the file by lines and by bytes', async () => {
    const first = (): Promise<string> => raw().locator('p').first().innerText();
    const last = (): Promise<string> => raw().locator('p').last().innerText();
    await expect.poll(last).toContain('GET /last');
    await page.keyboard.press('ArrowUp');
    await expect.poll(last).not.toContain('GET /last');
    await page.keyboard.press('ArrowDown');
    await expect.poll(last).toContain('GET /last');
    await page.keyboard.press('Home');
    await expect.poll(first).toContain('GET /first');
    await page.keyboard.press('PageDown');
    await expect.poll(first).not.toContain('GET /first');
    const track = page.getByRole('scrollbar', { name: 'Place in the file' });
    // In the middle.
    await track.click();
    await expect.poll(async () => Number(await track.getAttribute('aria-valuenow'))).toBeGreaterThan(1000);
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'as they stand in it' }).innerText()).toMatch(/at (49|50|51) % of/);
    await picture('middle');
    await page.keyboard.press('Escape');
    await expect.poll(() => raw().count()).toBe(0);
    await expect.poll(() => records().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('its reading goes on, and the records take the place of the lines', async () => {
    await page.keyboard.press('End');
    await raw().getByText('GET /last').waitFor();
    await goOn().click();
    await stop().waitFor();
    await app.stateWhere(({ sources }) => sources[0]?.state === 'following' && sources[0].records === BLOCK * BLOCKS + 2);
    await expect.poll(() => raw().count()).toBe(0);
    await records().getByText('GET /last').first().waitFor();
    await expect.poll(() => goOn().count()).toBe(0);
  });
});
