import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { accessRowsWith, filterBox, recordGrid, shownRecords, totalBecomes } from './support/records.ts';

describe('a session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-session-'));
  const data = join(folder, 'data');
  const [access, syslog] = [join(folder, 'access.log'), join(folder, 'syslog')];
  copyFileSync(SAMPLE('access.log'), access);
  copyFileSync(SAMPLE('syslog.log'), syslog);
  afterAll(() => rmSync(folder, { recursive: true }));

  const firstRow = async (page: Page): Promise<number> => Number(await page.locator('[data-row]').first().getAttribute('data-row'));
  const saved = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('sluicebox.session') ?? '');
  /** Not disposed of: that would take the data along. */
  const start = (...files: readonly string[]): Promise<App> => startApp(files, data);
  const isRead = (app: App, count: number): Promise<unknown> =>
    app.stateWhere(({ sources }) => sources.length === count && sources.every(({ state }) => state === 'following'));

  test('comes back with its files, its filter and its place by one click, and never the filter alone', async () => {
    let left: { rows: number; first: number };
    {
      const app = await start(access, syslog);
      const { page } = app;
      await isRead(app, 2);
      await page.getByRole('button', { name: 'Hide the records of syslog' }).click();
      await filterBox(page).fill('GET');
      const rows = accessRowsWith('GET').length;
      // Not any fewer than all: those are there as well while the source is switched off.
      await totalBecomes(page, rows);
      expect(await shownRecords(page)).toBe(rows);
      await recordGrid(page).focus();
      // In one step: what is saved on the way is of another place.
      await page.keyboard.press(':');
      await page.getByRole('textbox', { name: 'Go to' }).fill('3000');
      await page.keyboard.press('Enter');
      await page.locator('#row-2999').waitFor();
      const place = async (): Promise<number> => (JSON.parse(await saved(page)) as { place: { row: number } | null }).place?.row ?? -1;
      await expect.poll(async () => (await place()) > 2000 && (await place()) === (await firstRow(page))).toBe(true);
      left = { rows, first: await place() };
      await app.electron.close();
    }
    const app = await start();
    const { page } = app;
    const offer = page.getByRole('region', { name: 'Last session' });
    await expect.poll(() => offer.innerText()).toContain('access.log and syslog, with its filter');
    await expectNoFindings(page, 'the start screen with the last session');
    expect((await app.request('engine.state', {})).sources).toEqual([]);
    await offer.getByRole('button', { name: 'Open again' }).click();
    await isRead(app, 2);
    await totalBecomes(page, left.rows);
    await expect.poll(() => firstRow(page)).toBe(left.first);
    await expect.poll(() => filterBox(page).inputValue()).toBe('GET');
    await page.getByRole('button', { name: 'Show the records of syslog' }).waitFor();
    await app.electron.close();
  });

  test('is left behind when another file is opened', async () => {
    const other = join(folder, 'other.log');
    copyFileSync(SAMPLE('access.log'), other);
    const app = await start(other);
    const { page } = app;
    await isRead(app, 1);
    await totalBecomes(page, 10_000);
    await expect.poll(() => filterBox(page).inputValue()).toBe('');
    await expect.poll(async () => (JSON.parse(await saved(page)) as { files: string[] }).files).toEqual([other]);
    await app.electron.close();
  });

  test('ends with its last file', async () => {
    const app = await start();
    const { page } = app;
    await page.getByRole('button', { name: 'Open again' }).click();
    await isRead(app, 1);
    const [source] = (await app.request('engine.state', {})).sources;
    await app.request('source.close', { id: source?.id ?? -1 });
    await expect.poll(async () => (JSON.parse(await saved(page)) as { files: string[] }).files).toEqual([]);
    await app.electron.close();
    const again = await start();
    await again.page.getByRole('heading', { name: 'Open a log' }).waitFor();
    await expect.poll(() => again.page.getByRole('region', { name: 'Last session' }).count()).toBe(0);
    await again.electron.close();
  });

  test('finds the files that were moved since, and says which are gone', async () => {
    const place = (name: string): string[] => ['access.log', 'syslog', 'gone.log'].map((file) => join(folder, name, file));
    const [before, after] = [place('then'), place('now')];
    mkdirSync(join(folder, 'then'));
    for (const [i, path] of before.entries()) copyFileSync(SAMPLE(i === 1 ? 'syslog.log' : 'access.log'), path);
    {
      const app = await start(...before);
      await isRead(app, 3);
      await filterBox(app.page).fill('GET');
      await expect.poll(() => saved(app.page)).toContain('"text":"GET"');
      await app.electron.close();
    }
    renameSync(join(folder, 'then'), join(folder, 'now'));
    rmSync(after[2] as string);
    const app = await startApp([], data, [], 'confirm');
    const { page } = app;
    await page.getByRole('button', { name: 'Open again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Files of the last session' });
    await expect.poll(() => dialog.getByText('is not here').count()).toBe(3);
    await expect.poll(() => dialog.getByRole('button', { name: 'Open without 3 files' }).isDisabled()).toBe(true);
    await expectNoFindings(page, 'the dialog of moved files');
    await app.electron.evaluate(({ dialog: system }, filePath) => {
      system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
    }, after[0] as string);
    await dialog.getByRole('button', { name: 'Find access.log' }).click();
    await expect.poll(() => dialog.getByText('was moved here').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Open without 1 file' }).click();
    await isRead(app, 2);
    await totalBecomes(page, accessRowsWith('GET').length);
    await expect.poll(() => filterBox(page).inputValue()).toBe('GET');
    expect((await app.request('engine.state', {})).sources.map(({ location }) => location)).toEqual(after.slice(0, 2));
    await app.electron.close();
  });
});
