import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectNoFindings } from './support/axe.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

const YEARS = [2015, 2018, 2021, 2025];
const CRON = Array.from({ length: 9 }, (_, i) => `Mar  5 13:07:5${i} box1 cron[17]: job ${i}\n`).join('');

describe('in any view of the window', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-rules-'));
  const complaints: string[] = [];
  const go = async (view: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor({ state: 'attached' });
  };
  const picture = (name: string): Promise<void> => pictureOf(app, name);

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log'), SAMPLE('syslog.log')]);
    page = app.page;
    page.on('pageerror', (error) => complaints.push(String(error)));
    await app.answer('confirm');
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ state }) => state === 'following'));
    await page.locator('[role="grid"] [data-row]').first().waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([1, 1.5])('what matters is seen without scrolling sideways in the least size, zoom %d', async (zoom) => {
    await app.resize(900, 600, zoom);
    const fits = (part: Locator): Promise<boolean> => part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1);
    const heads = async (): Promise<string> => (await page.getByRole('columnheader').filter({ visible: true }).allInnerTexts()).join(' ');
    await go('Logs');
    const sources = page.getByRole('region', { name: 'Sources' });
    const alone = sources.locator('.pick[aria-pressed="true"]');
    for (const [source, matters] of [
      ['access.log', /^Time.* status.* request/s],
      ['syslog.log', /^Time.* Text/s],
    ] as const) {
      await sources.locator('.pick', { hasText: source }).click();
      await expect.poll(() => alone.allInnerTexts()).toEqual([expect.stringContaining(source)]);
      await expect.poll(heads).toMatch(matters);
      await expect.poll(() => fits(page.getByRole('grid', { name: 'Records' }))).toBe(true);
    }
    await alone.click();
    await expect.poll(() => alone.count()).toBe(0);
    await page.keyboard.press('Control+9');
    const operations = page.getByRole('region', { name: 'Operations' });
    await operations.locator('tbody tr').first().waitFor();
    await expect.poll(heads).toMatch(/Duration.*Errors/s);
    await expect.poll(() => fits(operations)).toBe(true);
    await go('Scripts');
    const pipeline = page.getByRole('group', { name: 'Pipeline' });
    await pipeline.getByRole('button', { name: /^http_status/ }).waitFor();
    await expect.poll(() => fits(pipeline.locator('..'))).toBe(true);
    await expect.poll(() => fits(page.getByRole('region', { name: 'Scripts' }))).toBe(true);
  });

  test('plugins are found by a text', async () => {
    await app.resize(1440, 900);
    await go('Scripts');
    const search = page.getByRole('searchbox', { name: 'Scripts with this text' });
    const names = (): Promise<string[]> => page.getByRole('region', { name: 'Scripts' }).locator('tbody th button').allInnerTexts();
    await search.fill('FILTER http');
    await expect.poll(names).toEqual(['http_status']);
    await search.fill('no such');
    await page.getByText('No script has this text.').waitFor();
    await search.fill('');
    await expect.poll(names).toContain('http_status');
  });

  test('axe-core finds nothing in the Overview, Timeline, and what opens over them', async () => {
    await go('Settings');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.keyboard.press('Control+9');
    await page.getByRole('region', { name: 'Operations' }).locator('tbody tr').first().waitFor();
    await expectNoFindings(page, 'Timeline');
    await page.keyboard.press('Control+8');
    const rows = page.getByRole('region', { name: 'Patterns' }).locator('tbody tr');
    await rows.first().waitFor();
    await expect.poll(() => page.getByRole('progressbar', { name: 'Finding patterns' }).count()).toBe(0);
    await expectNoFindings(page, 'Patterns');
    await rows.first().hover();
    await rows
      .first()
      .getByRole('button', { name: /^Actions for the pattern/ })
      .click();
    await page.getByRole('menuitem', { name: 'Graph of these records…' }).waitFor();
    await expectNoFindings(page, 'the menu of a pattern');
    await page.getByRole('menuitem', { name: 'Graph of these records…' }).click();
    await page.getByRole('form', { name: 'Question' }).waitFor();
    await expectNoFindings(page, 'the builder');
    await page.getByRole('button', { name: 'Close the builder' }).click();
  });

  test('a command shows its first records before it runs, and a decoder is found by its name', async () => {
    writeFileSync(join(folder, 'cron.log'), CRON);
    await page.keyboard.press('Control+Shift+O');
    const form = page.getByRole('form', { name: 'Output of a command' });
    await form.getByLabel('Command line').fill(`cat ${join(folder, 'cron.log')}; sleep 600`);
    await form.getByRole('button', { name: 'Preview' }).click();
    const sample = form.getByRole('region', { name: 'The first records of the command' });
    await expect.poll(() => sample.innerText()).toMatch(/job 0[^]*job 2/);
    await expectNoFindings(page, 'the preview of a command');
    await picture('command-preview');
    await form.getByRole('button', { name: 'Run' }).click();
    await form.waitFor({ state: 'detached' });
    const { sources } = await app.stateWhere((state) => state.sources.some(({ kind, records }) => kind === 'command' && records === 9));
    const label = sources.find(({ kind }) => kind === 'command')?.label ?? '';
    await page.getByRole('region', { name: 'Sources' }).locator('.pick', { hasText: label }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Choose decoder…' }).click();
    const dialog = page.getByRole('dialog', { name: `Decoder of ${label}` });
    const search = dialog.getByRole('searchbox', { name: 'Search: Decoder' });
    await search.fill('no such thing');
    await dialog.getByText('None has this in its name or description.').waitFor();
    await search.fill('NGINX acc');
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(1);
    await expectNoFindings(page, 'a search for a decoder');
    await picture('decoder-search');
    await search.press('Enter');
    await expect.poll(() => dialog.getByRole('radio').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a file of another machine is not read for a preview before that was confirmed', async () => {
    await app.answer('cancel');
    await page.keyboard.press('Control+Alt+O');
    const dialog = page.getByRole('dialog', { name: 'Open' });
    await dialog.getByRole('combobox').fill('web1:/var/log/syslog');
    await dialog.getByRole('combobox').press('Enter');
    const look = dialog.getByRole('region', { name: 'What it opens' });
    await expect.poll(() => look.innerText()).toMatch(/-- web1 'exec tail|ssh was not found/);
    if (!(await look.innerText()).includes('ssh was not found')) {
      await dialog.getByRole('button', { name: 'Show its first records' }).click();
      await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('was not confirmed');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('files of several years that are opened at once leave the page whole', async () => {
    await go('Logs');
    // The command is shown alone.
    await page.getByRole('button', { name: 'Clear all' }).click();
    const paths = YEARS.map((year) => join(folder, `app-${year}.log`));
    const line = (year: number, i: number): string =>
      `<30>1 ${year}-11-20T10:${10 + (i % 50)}:${10 + (i % 47)}Z host app 1 - - message ${i} of ${year}\n`;
    for (const [at, path] of paths.entries()) writeFileSync(path, Array.from({ length: 3000 }, (_, i) => line(YEARS[at] ?? 0, i)).join(''));
    await app.open(...paths);
    const { records } = await app.stateWhere(({ sources }) => {
      const opened = sources.filter(({ label }) => label.startsWith('app-'));
      return opened.length === 4 && opened.every(({ records: read, state }) => read === 3000 && state === 'following');
    });
    await expect.poll(() => page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')).toBe(String(records + 1));
    await page.locator(`[role="grid"] [data-row="${records - 1}"]`).waitFor();
    expect(complaints).toEqual([]);
  });
});
