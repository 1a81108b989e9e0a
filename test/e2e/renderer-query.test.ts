import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

describe('the Query view', () => {
  let app: App;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await app.stateWhere(({ sources }) => sources.length === 1 && sources.every(({ state }) => state === 'following'));
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.keyboard.press('Control+4');
    await page.getByRole('heading', { name: 'Query', level: 1 }).waitFor();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const editor = (): Locator => page.getByRole('textbox', { name: 'SQL' });
  const grid = (): Locator => page.getByRole('grid', { name: 'Result' });
  const cells = (): Promise<string[]> => grid().getByRole('gridcell').allInnerTexts();
  const type = async (sql: string): Promise<void> => {
    await editor().focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(sql);
    await page.keyboard.press('Escape');
  };
  /** Runs what the editor has, by key. */
  const run = async (sql: string): Promise<void> => {
    await type(sql);
    await page.keyboard.press('Control+Enter');
  };

  test('offers questions that one click answers', async () => {
    const question = page.getByRole('button', { name: 'Count by status' });
    await question.waitFor();
    await expectNoFindings(page);
    await question.click();
    await grid().waitFor();
    await expect.poll(() => grid().getByRole('columnheader').allInnerTexts()).toEqual(['status', 'records']);
    await expect.poll(async () => (await cells()).filter((_, i) => i % 2 === 0)).toContain('200');
    const sum = async (): Promise<number> => (await cells()).filter((_, i) => i % 2 === 1).reduce((all, count) => all + Number(count), 0);
    await expect.poll(sum).toBe(10_000);
    await expectNoFindings(page);
  });

  test('is written by the builder, which is asked by the palette and the keys alone, with the filter of Logs', async () => {
    await page.keyboard.press('Control+1');
    const box = page.getByRole('combobox', { name: 'Filter by text or field' });
    await box.fill('status >= 400');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Command' }).fill('group by');
    await page.keyboard.press('Enter');
    const by = page.getByRole('combobox', { name: 'By', exact: true });
    await expect.poll(() => by.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('status');
    await page.keyboard.press('Enter');
    await expect.poll(() => by.inputValue()).toBe('status');
    const values = page.getByRole('region', { name: 'Values of status' });
    await expect.poll(() => values.getByRole('status').innerText()).toMatch(/ in 1,097 records/);
    await page.keyboard.press('Control+1');
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    await page.keyboard.press('Control+3');
    await expect.poll(() => by.inputValue()).toBe('status');
    await page.getByRole('button', { name: 'SQL' }).click();
    await expect.poll(() => grid().getByRole('columnheader').allInnerTexts()).toEqual(['status', 'records']);
    const sum = async (): Promise<number> => (await cells()).filter((_, i) => i % 2 === 1).reduce((all, count) => all + Number(count), 0);
    await expect.poll(sum).toBe(1097);
    await page.keyboard.press('Control+1');
    await box.fill('');
    await page.keyboard.press('Control+4');
  });

  test('runs what was typed by key, and sorts by a click', async () => {
    await run('SELECT status, count(*) AS n, NULL AS nothing FROM access WHERE status >= 400 GROUP BY 1 ORDER BY 1');
    await expect.poll(() => grid().getByRole('columnheader').count()).toBe(3);
    await expect.poll(async () => (await cells())[2]).toBe('NULL');
    await expect.poll(async () => (await cells())[0]).toMatch(/^4\d\d$/);
    await grid().getByRole('button', { name: 'status' }).click();
    await page.getByRole('columnheader', { name: 'status' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
    await grid().getByRole('button', { name: 'status' }).click();
    await expect.poll(async () => (await cells())[0]).toMatch(/^5\d\d$/);
    await page.getByRole('columnheader', { name: 'status' }).and(page.locator('[aria-sort="descending"]')).waitFor();
  });

  test('completes tables, columns and functions', async () => {
    await type('SELECT remote_ FROM access');
    await page.keyboard.press('Home');
    for (let i = 0; i < 'SELECT remote_'.length; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+Space');
    const options = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => options.allInnerTexts()).toContain('remote_addrVARCHAR');
    await page.keyboard.press('Escape');
  });

  test('draws the result', async () => {
    await run(
      `SELECT date_trunc('hour', Timestamp) AS hour, count(*) AS records, count(*) FILTER (WHERE status >= 400) AS failures\nFROM access\nGROUP BY 1\nORDER BY 1`,
    );
    await grid().getByRole('columnheader', { name: 'failures' }).waitFor();
    await page.getByRole('button', { name: 'Bars' }).click();
    await page.getByRole('img', { name: /^Lines: records, failures for/ }).waitFor();
    await expectNoFindings(page);
    await page.getByRole('button', { name: 'Bars' }).click();
    await page.getByRole('img', { name: /^Bars: records, failures for/ }).waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await grid().waitFor();
  });

  test('writes all rows into a file', async () => {
    const path = join(app.data, 'rows.parquet');
    await app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, path);
    await page.getByRole('button', { name: 'Export the result' }).click();
    await page.getByRole('menuitem', { name: 'Export the rows as Parquet…' }).click();
    const head = (): string => (existsSync(path) ? readFileSync(path).subarray(0, 4).toString() : '');
    await expect.poll(head).toBe('PAR1');
  });

  test('shows the place of a mistake', async () => {
    await run('SELECT *\nFROM access\nWHERE stat = 404');
    const alert = page.getByRole('alert').filter({ hasText: 'stat' });
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).toContain('Referenced column "stat" not found');
    await expectNoFindings(page);
    await alert.getByRole('button', { name: 'Line 3, column 7' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('SQL');
  });

  test('is canceled by Escape', async () => {
    await run('SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The query was canceled.').waitFor();
  });

  test('goes back in the history', async () => {
    await editor().focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => editor().innerText()).toContain('WHERE stat = 404');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => editor().innerText()).toContain('range(1000000000000)');
  });

  test('saves a query in the workspace file', async () => {
    await type('SELECT status, count(*) AS n FROM access WHERE status = 404 GROUP BY 1');
    await page.keyboard.press('Control+S');
    await page.getByRole('textbox', { name: 'Save in the workspace as' }).fill('Not found');
    await expectNoFindings(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => readFileSync(join(app.data, 'workspace.toml'), 'utf8')).toContain('"Not found" = "SELECT status');
    await page.reload();
    await page.getByRole('button', { name: 'Saved queries' }).click();
    await page.getByRole('menuitem', { name: 'Not found' }).click();
    await expect.poll(() => editor().innerText()).toContain('status = 404');
  });

  test('leads back to the records of a row', async () => {
    await editor().focus();
    await page.keyboard.press('Control+Enter');
    await grid().waitFor();
    await expect.poll(async () => (await cells())[1]).toMatch(/^[1-9]\d*$/);
    const count = Number((await cells())[1]);
    await grid().focus();
    await page.keyboard.press('Enter');
    const records = page.getByRole('grid', { name: 'Records' });
    await expect.poll(async () => Number(await records.getAttribute('aria-rowcount')) - 1).toBe(count);
  });

  test('kept to the policy of the page and complained of nothing', () => expect(complaints).toEqual([]));
});
