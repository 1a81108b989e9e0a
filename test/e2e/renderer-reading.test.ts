import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { pictureOf } from './support/picture.ts';

const BLOCK = 5_000;
const BLOCKS = 120;
const line = (path: string, day = 20): string =>
  `192.0.2.7 - - [${day}/Nov/2026:10:00:00 +0000] "GET /${path} HTTP/1.1" 200 12 "-" "a browser of some length"\n`;

/** A log that takes a while to decode: its first and last lines are like no other. */
function writeLog(path: string): void {
  const block = Array.from({ length: BLOCK }, (_, i) => line(`${i}/${'x'.repeat(60)}`)).join('');
  const file = openSync(path, 'w');
  writeSync(file, line('first'));
  for (let i = 0; i < BLOCKS; i++) writeSync(file, block);
  writeSync(file, line('last', 21));
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

  const ahead = (): Locator => page.getByRole('grid', { name: 'Records of large.log that are read ahead' });
  const row = (): Locator =>
    ahead()
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') });
  const records = (): Locator => page.getByRole('grid', { name: 'Records' });
  const stop = (): Locator => page.getByRole('button', { name: 'Stop reading large.log' });
  const goOn = (): Locator => page.getByRole('button', { name: 'Continue reading large.log' });
  const picture = (name: string): Promise<void> => pictureOf(app, name);

  /** Stops the next file that is read, from the page: the machine may be quick. */
  const stopAtOnce = (): Promise<void> =>
    page.evaluate(() => {
      let asked = false;
      window.sluicebox.on('state', ({ sources }) => {
        const [source] = sources.changed;
        if (source?.state !== 'reading' || source.records === 0 || asked) return;
        asked = true;
        void window.sluicebox.request('source.pause', { id: source.id });
      });
    });

  test('its reading is stopped, and what was read is kept', async () => {
    await stopAtOnce();
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

  test('its last records are shown before those in front of them are read', async () => {
    await records().focus();
    await page.keyboard.press('End');
    await row().last().getByText('GET /last HTTP/1.1', { exact: true }).waitFor();
    await page.getByText('the last records, not numbered yet').waitFor();
    await expect.poll(() => ahead().evaluate((element) => element === document.activeElement)).toBe(true);
    // Their day is another one than that of all records that were read.
    await expect.poll(() => row().last().innerText()).toContain('11-21');
    await picture('end');
    await expectNoFindings(page);
  });

  test('a filter shows those of the last records that match', async () => {
    await page.keyboard.press('Escape');
    const field = page.getByRole('combobox', { name: 'Filter' });
    await field.fill('/4999/');
    await expect.poll(() => records().getByText('/4999/').count()).toBeGreaterThan(0);
    await records().focus();
    await page.keyboard.press('End');
    await page.getByText(/^\d+ records in the last [\d.]+ MB match the filter, not numbered yet$/).waitFor();
    expect(
      await row()
        .allInnerTexts()
        .then((texts) => texts.every((text) => text.includes('/4999/'))),
    ).toBe(true);
    await field.fill('');
    await expect.poll(() => ahead().count()).toBe(0);
  });

  test('a time that is later than all that was read is found among them', async () => {
    await records().focus();
    await page.keyboard.press(':');
    await page.getByRole('textbox', { name: 'Go to' }).fill('2026-11-21T10:00:00Z');
    await page.keyboard.press('Enter');
    await expect.poll(() => row().last().innerText()).toMatch(/11-21.*GET \/last/s);
    await page.keyboard.press('Escape');
    await expect.poll(() => ahead().count()).toBe(0);
    await records().focus();
    await page.keyboard.press('End');
  });

  test('keys and the scroll bar move in the file by records and by bytes', async () => {
    const first = (): Promise<string> => row().first().innerText();
    const last = (): Promise<string> => row().last().innerText();
    await expect.poll(last).toContain('GET /last');
    // The way to the end may still be under way.
    await expect.poll(() => page.keyboard.press('ArrowUp').then(last)).not.toContain('GET /last');
    await expect.poll(() => page.keyboard.press('ArrowDown').then(last)).toContain('GET /last');
    await page.keyboard.press('Home');
    await expect.poll(first).toContain('GET /first');
    await page.keyboard.press('PageDown');
    await expect.poll(first).not.toContain('GET /first');
    const track = page.getByRole('scrollbar', { name: 'Place in the file' });
    // In the middle.
    await track.click();
    await expect.poll(async () => Number(await track.getAttribute('aria-valuenow'))).toBeGreaterThan(1000);
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'not numbered yet' }).innerText()).toMatch(/at (49|50|51) % of/);
    await picture('middle');
    await page.keyboard.press('Escape');
    await expect.poll(() => ahead().count()).toBe(0);
    await expect.poll(() => records().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('its reading goes on, and the same records have numbers then', async () => {
    await page.keyboard.press('End');
    await row().last().getByText('GET /last').waitFor();
    await page.keyboard.press('PageUp');
    await expect.poll(() => row().last().innerText()).not.toContain('GET /last');
    // The form of the time depends on all records that are shown.
    const texts = (of: Locator): Promise<string[]> => of.allInnerTexts().then((all) => all.map((text) => text.split('\n').at(-1) ?? ''));
    const there = await texts(row());
    await goOn().click();
    await stop().waitFor();
    await app.stateWhere(({ sources }) => sources[0]?.state === 'following' && sources[0].records === BLOCK * BLOCKS + 2);
    await expect.poll(() => ahead().count()).toBe(0);
    const rows = records().locator('[data-row]');
    await expect.poll(() => texts(rows).then((all) => all.slice(0, there.length))).toEqual(there);
    const number = BLOCK * BLOCKS + 2 - 2 * there.length;
    expect(Number(await rows.first().getAttribute('data-row'))).toBe(number);
    await expect.poll(() => goOn().count()).toBe(0);
  });

  test('the end of a packed file is not known, and it says so', async () => {
    const packed = join(folder, 'packed.log.gz');
    writeFileSync(packed, gzipSync(readFileSync(log), { level: 1 }));
    const [known] = (await app.request('engine.state', {})).sources;
    await app.request('source.close', { id: known?.id ?? 0 });
    await stopAtOnce();
    await app.open(packed);
    await page.getByRole('button', { name: 'Continue reading packed.log.gz' }).waitFor();
    await records().focus();
    await page.keyboard.press('End');
    await page.getByText(/^The end of packed\.log\.gz is not known before all is read \(\d+ %\): it is packed\.$/).waitFor();
  });
});
