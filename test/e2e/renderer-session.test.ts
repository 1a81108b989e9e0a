import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { patienceMs } from '../patience.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const within = { timeout: patienceMs() };

describe('a session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-session-'));
  const data = join(folder, 'data');
  const [access, syslog] = [join(folder, 'access.log'), join(folder, 'syslog')];
  copyFileSync(SAMPLE('access.log'), access);
  copyFileSync(SAMPLE('syslog.log'), syslog);
  afterAll(() => rmSync(folder, { recursive: true }));

  const rowCount = async (page: Page): Promise<number> =>
    Number(await page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')) - 1;
  const firstRow = (page: Page): Promise<string | null> => page.locator('[data-row]').first().getAttribute('data-row');
  const saved = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('sluicebox.session') ?? '');
  /** Not disposed of: that would take the data along. */
  const start = (...files: readonly string[]): Promise<App> => startApp(files, data);
  const isRead = (app: App, count: number): Promise<unknown> =>
    app.stateWhere(({ sources }) => sources.length === count && sources.every(({ state }) => state === 'following'));

  test('comes back with its files, its filter and its place by one click, and never the filter alone', async () => {
    let left: { rows: number; first: string | null };
    {
      const app = await start(access, syslog);
      const { page } = app;
      await isRead(app, 2);
      await page.getByRole('button', { name: 'Hide the records of syslog' }).click();
      await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('GET');
      await expect.poll(() => rowCount(page), within).toBeLessThan(10_000);
      await page.getByRole('grid', { name: 'Records' }).focus();
      await page.keyboard.press('Home');
      for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown');
      await expect.poll(async () => Number(await firstRow(page)), within).toBeGreaterThan(20);
      left = { rows: await rowCount(page), first: await firstRow(page) };
      await expect
        .poll(async () => (JSON.parse(await saved(page)) as { place: { row: number } | null }).place?.row ?? -1, within)
        .toBe(Number(left.first));
      await app.electron.close();
    }
    const app = await start();
    const { page } = app;
    const offer = page.getByRole('region', { name: 'Last session' });
    await expect.poll(() => offer.innerText(), within).toContain('access.log and syslog, with its filter');
    await expectNoFindings(page, 'the start screen with the last session');
    expect((await app.request('engine.state', {})).sources).toEqual([]);
    await offer.getByRole('button', { name: 'Open again' }).click();
    await isRead(app, 2);
    await expect.poll(() => rowCount(page), within).toBe(left.rows);
    await expect.poll(() => firstRow(page), within).toBe(left.first);
    expect(await page.getByRole('combobox', { name: 'Filter by text or field' }).inputValue()).toBe('GET');
    await page.getByRole('button', { name: 'Show the records of syslog' }).waitFor();
    await app.electron.close();
  });

  test('is left behind when another file is opened', async () => {
    const other = join(folder, 'other.log');
    copyFileSync(SAMPLE('access.log'), other);
    const app = await start(other);
    const { page } = app;
    await isRead(app, 1);
    await expect.poll(() => rowCount(page), within).toBe(10_000);
    expect(await page.getByRole('combobox', { name: 'Filter by text or field' }).inputValue()).toBe('');
    await expect.poll(async () => (JSON.parse(await saved(page)) as { files: string[] }).files, within).toEqual([other]);
    await app.electron.close();
  });

  test('ends with its last file', async () => {
    const app = await start();
    const { page } = app;
    await page.getByRole('button', { name: 'Open again' }).click();
    await isRead(app, 1);
    const [source] = (await app.request('engine.state', {})).sources;
    await app.request('source.close', { id: source?.id ?? -1 });
    await expect.poll(async () => (JSON.parse(await saved(page)) as { files: string[] }).files, within).toEqual([]);
    await app.electron.close();
    const again = await start();
    await again.page.getByRole('heading', { name: 'Open a log' }).waitFor();
    expect(await again.page.getByRole('region', { name: 'Last session' }).count()).toBe(0);
    await again.electron.close();
  });
});
