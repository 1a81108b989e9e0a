import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';

const line = (i: number, address = '192.0.2.7'): string =>
  `${address} - - [03/Nov/2026:10:00:${String(i % 60).padStart(2, '0')} +0000] "GET /page/${i} HTTP/1.1" ${i % 7 === 0 ? 503 : 200} ${i} "-" "curl/8.4.0"\n`;

describe('columns that always say the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-folded-'));
  const file = join(folder, 'access.log');
  let app: App;
  let page: Page;

  beforeAll(async () => {
    writeFileSync(file, Array.from({ length: 300 }, (_, i) => line(i)).join(''));
    app = await startApp([file]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ records, state }) => records === 300 && state === 'following'));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const headers = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
  const openMenu = (): Promise<void> => page.getByRole('button', { name: 'Columns', exact: true }).click();
  const item = (): Locator => page.getByRole('menuitemcheckbox', { name: /^remote_addr/ });

  test('fold away, with a note of what they say', async () => {
    await expect.poll(headers).toEqual([expect.stringMatching(/^Time/), 'status', 'request', 'body_bytes_sent']);
    const note = page.getByRole('button', { name: /^Show \d folded columns/ });
    await expect.poll(() => note.getAttribute('title')).toContain('remote_addr: always 192.0.2.7');
    await openMenu();
    await expect.poll(() => item().getAttribute('aria-checked')).toBe('false');
    await expect.poll(() => item().innerText()).toContain('always 192.0.2.7');
  });

  test('are shown to who wants them, until the usual ones are', async () => {
    await item().click();
    await expect.poll(headers).toContain('remote_addr');
    await expect.poll(() => item().getAttribute('aria-checked')).toBe('true');
    await page.getByRole('menuitem', { name: 'The usual columns' }).click();
    await expect.poll(headers).not.toContain('remote_addr');
  });

  test('come back in their place as soon as a record says something else', async () => {
    appendFileSync(file, line(300, '198.51.100.1'));
    await expect.poll(async () => (await headers()).slice(1, 4)).toEqual(['status', 'request', 'remote_addr']);
  });

  test('give way to summaries while records of several forms are shown, and come back with a filter, with the field that it names', async () => {
    const entry = (i: number): string =>
      `{"time":"2026-11-03T10:00:${String(i % 60).padStart(2, '0')}Z","level":"error","method":"POST","path":"/api","status":504,"shop":"s${i % 2}","msg":"timeout acquiring a connection"}\n`;
    const other = join(folder, 'app.json');
    writeFileSync(other, Array.from({ length: 60 }, (_, i) => entry(i)).join(''));
    await app.open(other);
    await expect.poll(headers).toEqual([expect.stringMatching(/^Time/), 'Severity', 'Source', 'Summary']);
    const cells = (): Promise<string[]> => page.locator('[data-column="summary"]').allInnerTexts();
    await expect.poll(async () => new Set((await cells()).map((text) => text.replace(/\d+ 200$/, 'n 200')))).toContain('GET /page/n 200');
    await expect.poll(cells).toContain('POST /api 504 · timeout acquiring a connection');
    await expect.poll(() => page.locator('.value-path').first().innerText()).toMatch(/^\//);
    const box = page.getByRole('combobox', { name: /filter/i }).first();
    await box.fill('shop = s1');
    await box.press('Enter');
    await expect.poll(headers).toContain('shop');
    await expect.poll(headers).not.toContain('Summary');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(headers).toEqual([expect.stringMatching(/^Time/), 'Severity', 'Source', 'Summary']);
  });

  test('tell the time since the record before to who wants it', async () => {
    await openMenu();
    await page.getByRole('menuitemcheckbox', { name: 'Since the record before' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(headers).toContain('Since');
    const times = (): Promise<string[]> => page.locator('[data-column="since"]').allInnerTexts();
    await expect.poll(async () => new Set(await times())).toContain('1 s');
  });

  test('repeated records fold to one row that says how many they are, until they are unfolded', async () => {
    await openMenu();
    await page.getByRole('menuitemcheckbox', { name: 'Fold repeated records' }).click();
    const order = page.getByRole('status', { name: 'Order of the records' });
    await expect.poll(() => order.innerText()).toContain('Repeated records are folded');
    await expect.poll(() => page.locator('.times').allInnerTexts()).toContain('× 60');
    await order.getByRole('button', { name: 'Unfold' }).click();
    await expect.poll(() => page.locator('.times').count()).toBe(0);
  });
});
