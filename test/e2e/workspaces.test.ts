import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { accessRowsWith, filterBox, shownRecords, totalBecomes } from './support/records.ts';

describe('a named workspace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-named-'));
  const [access, syslog] = [join(folder, 'access.log'), join(folder, 'syslog')];
  const [packed, bare] = [join(folder, 'incident.sluicebox'), join(folder, 'bare.sluicebox')];
  copyFileSync(SAMPLE('access.log'), access);
  copyFileSync(SAMPLE('syslog.log'), syslog);
  afterAll(() => rmSync(folder, { recursive: true }));

  const isRead = (app: App, count: number): Promise<unknown> =>
    app.stateWhere(({ sources }) => sources.length === count && sources.every(({ state }) => state === 'following'));
  const filter = (page: Page): Promise<string> => filterBox(page).inputValue();
  const title = (page: Page): Promise<string> => page.locator('header .name').innerText();
  /** Runs a command of the palette. */
  const run = async (page: Page, command: string): Promise<void> => {
    await page.getByRole('button', { name: 'Run a command' }).click();
    await page.getByRole('combobox', { name: 'Command' }).fill(command);
    await page.getByRole('option', { name: command }).click();
  };
  const pick = (app: App, way: 'showSaveDialog' | 'showOpenDialog', path: string): Promise<void> =>
    app.electron.evaluate(
      ({ dialog }, [name, filePath]) => {
        dialog[name] = () => Promise.resolve({ canceled: false, filePath, filePaths: [filePath] });
      },
      [way, path] as const,
    );
  const left = accessRowsWith('GET').length;

  test('is saved with and without its records', async () => {
    await using app = await startApp([access, syslog]);
    const { page } = app;
    await isRead(app, 2);
    await page.getByRole('button', { name: 'Hide the records of syslog' }).click();
    await filterBox(page).fill('GET');
    await totalBecomes(page, left);
    expect(await shownRecords(page)).toBe(left);
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Home');
    await page.locator('[data-row="0"]').click();
    await page.keyboard.press('m');
    await expect.poll(() => app.request('mark.list', {})).toHaveLength(1);
    for (const [path, which] of [
      [bare, /stay where they are/],
      [packed, /come along/],
    ] as const) {
      await pick(app, 'showSaveDialog', path);
      await page.keyboard.press('ControlOrMeta+Shift+s');
      await page.getByRole('radio', { name: which }).check();
      await expectNoFindings(page, 'the dialog that saves');
      await page.getByRole('button', { name: 'Save as…' }).click();
      await page.getByText(`Saved as ${path}.`).waitFor();
      expect(existsSync(path)).toBe(true);
    }
    await expect.poll(() => title(page)).toBe('incident');
  });

  test('opens on another machine with all that was open, and what was there comes back', async () => {
    renameSync(access, join(folder, 'moved.log'));
    rmSync(syslog);
    await using app = await startApp([packed]);
    const { page } = app;
    const dialog = page.getByRole('dialog', { name: 'Open incident' });
    await dialog.waitFor();
    await expect
      .poll(() => dialog.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/access\.log[^]*comes along/), expect.stringMatching(/syslog[^]*comes along/)]);
    await expectNoFindings(page, 'the dialog that opens');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await isRead(app, 2);
    await totalBecomes(page, left);
    await expect.poll(() => filter(page)).toBe('GET');
    await page.getByRole('button', { name: 'Show the records of syslog' }).waitFor();
    await expect.poll(() => app.request('mark.list', {})).toMatchObject([{ record: expect.any(Number) as number }]);
    await expect.poll(() => title(page)).toBe('incident');
    await run(page, 'Back to what was open before');
    await app.stateWhere(({ sources }) => sources.length === 0);
    await expect.poll(() => title(page)).toBe('Workspace');
  });

  test('names the files that are not there, and opens them from where someone points to', async () => {
    await using app = await startApp();
    const { page } = app;
    await pick(app, 'showOpenDialog', bare);
    await run(page, 'Open a workspace…');
    const dialog = page.getByRole('dialog', { name: 'Open bare' });
    await dialog.getByRole('button', { name: 'Open without 2 files' }).waitFor();
    await pick(app, 'showOpenDialog', join(folder, 'moved.log'));
    await dialog.getByRole('button', { name: 'Find access.log' }).click();
    await dialog.getByRole('button', { name: 'Open without 1 file' }).click();
    await isRead(app, 1);
    await totalBecomes(page, left);
    await expect.poll(() => app.request('mark.list', {})).toMatchObject([{ record: expect.any(Number) as number }]);
    expect((await app.request('engine.state', {})).sources.map(({ location }) => location)).toEqual([join(folder, 'moved.log')]);
    await page.getByText(`Not there, so not opened: ${syslog}`).waitFor();
  });
});
