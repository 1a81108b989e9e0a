import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { incidentHtml } from '../../engine/incident/html.ts';
import { fullIncident } from '../engine/incident/fixtures.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const selected = (page: Page): Locator => page.locator('[role="row"][aria-selected="true"]');
const cursor = async (page: Page): Promise<number> => Number(await selected(page).first().getAttribute('data-row'));
const marks = (page: Page): Locator => page.getByRole('region', { name: 'List of marks' });

/** Starts on a file, with its rows there and the first one selected. */
async function startOn(file: string, data?: string): Promise<App> {
  const app = await startApp([file], data);
  await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
  await expect.poll(() => app.page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')).toBe('10001');
  await goTo(app.page, 0);
  return app;
}

/** Puts the cursor on a row near the beginning. */
async function goTo(page: Page, row: number): Promise<void> {
  await page.getByRole('grid', { name: 'Records' }).focus();
  await page.keyboard.press('Home');
  for (let at = 0; at < row; at++) await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBe(`row-${row}`);
  await page.locator(`#row-${row}`).waitFor();
}

describe('marks', () => {
  test('are set, noted, gone through, and there again after a restart and in a changed file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-marks-'));
    const file = join(folder, 'access.log');
    copyFileSync(SAMPLE('access.log'), file);
    const data = join(folder, 'data');
    {
      // Not disposed of: that would take the data along.
      const app = await startOn(file, data);
      const { page } = app;
      await goTo(page, 3);
      await page.keyboard.press('m');
      await selected(page).getByLabel('Marked').waitFor();
      await goTo(page, 9);
      await page.keyboard.press('m');
      await selected(page).getByLabel('Marked').waitFor();
      await page.keyboard.press('Shift+U');
      await expect.poll(() => cursor(page)).toBe(3);
      await page.keyboard.press('Shift+U');
      await expect.poll(() => cursor(page)).toBe(9);
      await page.keyboard.press('u');
      await expect.poll(() => cursor(page)).toBe(3);
      const note = page.getByRole('region', { name: 'Selected record' }).getByRole('textbox', { name: 'Note' });
      await note.fill('the first one');
      await note.press('Enter');
      await expect.poll(async () => (await app.request('mark.list', {})).map((mark) => mark.note)).toEqual(['the first one', '']);
      await expectNoFindings(page, 'a marked record');
      // The list shows both, and goes to one that the filter hides.
      await page.getByRole('grid', { name: 'Records' }).focus();
      await page.keyboard.press('Shift+M');
      await expect.poll(() => marks(page).getByRole('listitem').count()).toBe(2);
      await expectNoFindings(page, 'the list of marks');
      await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('no record has this');
      await page.getByText('No record matches the filter').waitFor();
      await marks(page).getByRole('listitem').nth(1).getByRole('button').first().click();
      await expect.poll(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('row-9');
      await page.getByRole('button', { name: 'Back to the filter' }).waitFor();
      await app.electron.close();
    }
    // The record of the second mark is gone from the file, and two records came before that of the first.
    const lines = readFileSync(file, 'utf8').split('\n');
    const [first = '', second = ''] = lines;
    writeFileSync(file, [first, second, ...lines.slice(0, 9), ...lines.slice(10, -2), ''].join('\n'));
    {
      await using app = await startOn(file, data);
      const { page } = app;
      await expect
        .poll(async () => (await app.request('mark.list', {})).map(({ record, note }) => [record, note]))
        .toEqual([
          [5, 'the first one'],
          [null, ''],
        ]);
      await page.keyboard.press('u');
      await expect.poll(() => cursor(page)).toBe(5);
      await page.keyboard.press('Shift+M');
      await expect.poll(() => marks(page).innerText()).toContain('Not in the file as it is now');
      await marks(page)
        .getByRole('button', { name: /^Remove the mark/ })
        .nth(1)
        .click();
      await expect.poll(() => marks(page).getByRole('listitem').count()).toBe(1);
    }
    rmSync(folder, { recursive: true, force: true });
  });
});

/** Opens a file as a browser does, without anything of the application. @param said hears of errors and of requests beside it */
async function openPage({ electron }: App, file: string, said: string[]): Promise<Page> {
  const opening = electron.waitForEvent('window');
  const id = await electron.evaluate(({ BrowserWindow, session }) => {
    // It may read files.
    session.fromPartition('stranger').webRequest.onBeforeRequest(null);
    const window = new BrowserWindow({ width: 1100, height: 900, webPreferences: { sandbox: true, partition: 'stranger' } });
    void window.loadURL('about:blank');
    return window.id;
  });
  const opened = await opening;
  // Electron warns of the empty page before it.
  opened.on('console', (message) => message.text().startsWith('%cElectron') || said.push(message.text()));
  opened.on('pageerror', (error) => said.push(error.message));
  opened.on('request', (request) => request.url().startsWith('file:') || said.push(request.url()));
  await electron.evaluate(({ BrowserWindow }, { id: window, path }) => BrowserWindow.fromId(window)?.loadFile(path), { id, path: file });
  return opened;
}

const EVIL =
  '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /<img/src=x/onerror=evil=1></script><script>evil=2</script> HTTP/1.1" 504 12 "-" "curl"';

describe('an incident', () => {
  test('is written from marks, notes and words, and exported as a page that runs nothing of a log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-incident-'));
    const [log, target] = [join(folder, 'access.log'), join(folder, 'incident.html')];
    const lines = Array.from({ length: 400 }, (_, i) =>
      i === 50 ? EVIL : EVIL.replace(/GET \S+/, `GET /a${i}`).replace('504', String(200 + (i % 3))),
    );
    writeFileSync(log, `${lines.join('\n')}\n`);
    await using app = await startApp([log]);
    const { page } = app;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 400));
    for (const record of [50, 300]) await app.request('mark.set', { record, on: true });
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Control+I');
    await page.getByRole('textbox', { name: 'Title of the incident' }).fill('Checkout <b>504</b>');
    const notes = page.getByRole('textbox', { name: /^Note of the mark/ });
    await notes.first().fill('the first timeout');
    await notes.first().press('Enter');
    await expect.poll(async () => (await app.request('incident.get', {})).title).toBe('Checkout <b>504</b>');
    await expectNoFindings(page, 'the incident');
    await app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, target);
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export the incident' });
    await dialog.getByRole('spinbutton', { name: /Records before and after/ }).fill('120');
    await dialog.getByRole('checkbox', { name: 'Anonymise' }).check();
    await dialog.getByRole('textbox', { name: 'Further words' }).waitFor();
    await expectNoFindings(page, 'the export of the incident');
    await dialog.getByRole('checkbox', { name: 'Anonymise' }).uncheck();
    await dialog.getByRole('button', { name: 'Export…' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Messages' }).innerText()).toContain(`written to ${target}`);

    const said: string[] = [];
    const opened = await openPage(app, target, said);
    const rows = opened.locator('#rows tr');
    await expect.poll(() => opened.getByRole('heading', { level: 1 }).innerText()).toBe('Checkout <b>504</b>');
    await expect.poll(() => opened.getByRole('status').innerText()).toBe('391 of 391 records, the first 200 shown');
    await expect.poll(() => opened.locator('img, #rows script').count()).toBe(0);
    await expect.poll(() => opened.evaluate(() => 'evil' in window)).toBe(false);
    await opened.getByRole('searchbox', { name: 'Filter' }).fill('onerror 504');
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => rows.first().innerText()).toContain('</script><script>evil=2</script>');
    await opened.getByRole('searchbox', { name: 'Filter' }).fill('');
    await opened.getByRole('checkbox', { name: 'Only marked' }).check();
    await expect.poll(() => rows.count()).toBe(2);
    await opened.getByRole('checkbox', { name: 'Only marked' }).uncheck();
    await opened.getByRole('button', { name: 'Time' }).click();
    await expect.poll(() => rows.first().innerText()).toContain('/a399');
    expect(said).toEqual([]);
    const full = join(folder, 'full.html');
    writeFileSync(full, incidentHtml(fullIncident()));
    for (const file of [target, full]) {
      await opened.goto(pathToFileURL(file).href);
      for (const colorScheme of ['light', 'dark'] as const) {
        await opened.emulateMedia({ colorScheme });
        await expectNoFindings(opened, `${file}, ${colorScheme}`);
      }
    }
    await opened.emulateMedia({ media: 'print' });
    const cutOff = await opened.evaluate(() => {
      document.body.style.width = '680px';
      const right = (element: Element): number => element.getBoundingClientRect().right;
      return [...document.querySelectorAll('table, pre, svg')].filter((element) => right(element) > right(document.body) + 1).length;
    });
    expect([cutOff, said]).toEqual([0, []]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('highlighters', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
    await page.locator('[role="grid"] [data-row]').nth(3).waitFor();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('colour texts, expressions and the rows with a value, and are kept over a reload', async () => {
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Shift+H');
    const dialog = page.getByRole('dialog', { name: 'Highlighters' });
    const add = dialog.getByRole('button', { name: 'Add a rule' });
    await add.click();
    await dialog.getByRole('textbox', { name: 'Text of rule 1' }).fill('get');
    await add.click();
    await dialog.getByRole('combobox', { name: 'Kind of rule 2' }).selectOption('Regular expression');
    await dialog.getByRole('textbox', { name: 'Text of rule 2' }).fill('(HTTP');
    await dialog.getByRole('radio', { name: 'Purple' }).nth(1).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toBe('Regular expression: missing closing ) at (HTTP');
    await dialog.getByRole('textbox', { name: 'Text of rule 2' }).fill('HTTP/\\d');
    await add.click();
    await dialog.getByRole('combobox', { name: 'Kind of rule 3' }).selectOption('Value of a field');
    await dialog.getByRole('combobox', { name: 'Field of rule 3' }).fill('status');
    await dialog.getByRole('textbox', { name: 'Value of rule 3' }).fill('200');
    await expectNoFindings(page, 'the dialog');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    const seen = async (): Promise<void> => {
      await expect.poll(() => page.locator('[role="grid"] mark.hl-0').first().innerText()).toBe('GET');
      await expect.poll(() => page.locator('[role="grid"] mark.hl-3').first().innerText()).toMatch(/^HTTP\/\d$/);
      await expect.poll(() => page.locator('[role="grid"] [data-row].hl-1').count()).toBeGreaterThan(0);
    };
    await seen();
    await expectNoFindings(page, 'coloured rows');
    await page.reload();
    await page.locator('[role="grid"] [data-row]').nth(3).waitFor();
    await seen();
  });
});
