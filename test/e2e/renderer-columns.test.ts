import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const METHODS = ['GET', 'POST', 'HEAD'];
const line = (i: number, status: number): string =>
  `192.0.2.${i % 250} - - [20/Nov/2026:10:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')} +0000] ` +
  `"${METHODS[i % 3]} /page/${i} HTTP/1.1" ${status} ${(i * 37) % 1000} "-" "curl/8.4.0"\n`;

const LINES = 1200;
const statusOf = (i: number): number => (i % 100 === 0 ? 503 : i % 10 === 0 ? 404 : 200);

describe('the columns of the record table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-columns-'));
  const log = join(folder, 'access.log');
  let app: App;
  let page: Page;
  const grid = (): Locator => page.getByRole('grid', { name: 'Records' });
  const head = (name: string): Locator => grid().locator(`[role="columnheader"][data-key="Fields[${name}]"]`);
  const title = (name: string): Locator => head(name).getByRole('button');
  const heads = (): Promise<string[]> => grid().getByRole('columnheader').allInnerTexts();
  const order = (): Locator => page.getByRole('status', { name: 'Order of the records' });
  const cells = (column: string): Promise<string[]> => page.locator(`[data-column="Fields[${column}]"]`).allInnerTexts();

  beforeAll(async () => {
    writeFileSync(log, Array.from({ length: LINES }, (_unused, i) => line(i, statusOf(i))).join(''));
    app = await startApp([log]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ records, state }) => records === LINES && state === 'following'));
    await head('status').waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('sort all records: from the lowest, from the highest, not at all', async () => {
    await title('status').click();
    await expect.poll(() => order().innerText()).toContain('Sorted by status, from the lowest');
    await expect.poll(async () => new Set(await cells('status'))).toEqual(new Set(['200']));
    await title('status').click();
    await expect.poll(() => order().innerText()).toContain('from the highest');
    await expect.poll(async () => [...new Set(await cells('status'))][0]).toBe('503');
    await expect.poll(() => head('status').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(() => grid().locator('[data-row="0"]').innerText()).toContain('/page/0');
    await title('status').click();
    await order().waitFor({ state: 'hidden' });
  });

  test('show a record that was found that way among its neighbours', async () => {
    await title('status').click();
    await title('status').click();
    await expect.poll(async () => (await cells('status'))[3]).toBe('503');
    await grid().locator('[data-row="3"]').click();
    await page.getByRole('button', { name: 'Usual order' }).click();
    await expect.poll(() => grid().locator('[aria-selected="true"]').innerText()).toContain('/page/300 ');
    await expect.poll(() => grid().locator('[data-row="301"]').innerText()).toContain('/page/301 ');
  });

  test('say what comes while they are sorted, and sort it in', async () => {
    await title('status').click();
    await title('status').click();
    await expect.poll(() => order().innerText()).toContain('from the highest');
    appendFileSync(log, line(LINES, 599));
    await expect.poll(() => order().innerText()).toContain('1 newer record not shown');
    await expect.poll(() => grid().locator('[data-row="0"]').innerText()).toContain('503');
    await page.getByRole('button', { name: 'Sort them in' }).click();
    await expect.poll(() => grid().locator('[data-row="0"]').innerText()).toContain('599');
    await page.getByRole('button', { name: 'Usual order' }).click();
    await order().waitFor({ state: 'hidden' });
  });

  test('move by drag and by key, and stay where they are', async () => {
    /** How they stand beside each other. */
    const pair = async (): Promise<string> => (await heads()).filter((name) => name === 'status' || name === 'request').join(', ');
    await expect.poll(pair).toBe('status, request');
    await title('request').hover({ position: { x: 20, y: 10 } });
    await page.mouse.down();
    await title('status').hover({ position: { x: 30, y: 10 }, force: true });
    await title('status').hover({ position: { x: 2, y: 10 }, force: true });
    await page.mouse.up();
    await expect.poll(pair).toBe('request, status');
    await title('request').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(pair).toBe('status, request');
    await expect.poll(() => order().isVisible()).toBe(false);
    await title('request').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(pair).toBe('request, status');
    await page.reload();
    await head('status').waitFor();
    await expect.poll(pair).toBe('request, status');
  });

  test('lead from a field to groups of two fields, as table and chart', async () => {
    await head('status').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Group by status…' }).click();
    const form = page.getByRole('form', { name: 'Question' });
    const values = page.getByRole('region', { name: 'Values of status', exact: true });
    await expect.poll(() => values.getByRole('button', { name: /^200\b/ }).innerText()).toMatch(/1,080/);
    const choice = (name: string): Locator => form.getByRole('combobox', { name, exact: true });
    await expect.poll(() => choice('And by').evaluate((field) => field === document.activeElement)).toBe(true);
    await choice('And by').press('ArrowDown');
    await page.getByRole('option', { name: /^remote_addr string.* · \d+ %$/ }).waitFor();
    await expectNoFindings(page, 'the choice of a field');
    await choice('And by').fill('addr');
    await choice('And by').press('Enter');
    await expect.poll(() => choice('And by').inputValue()).toBe('remote_addr');
    await form.getByLabel('Measure').selectOption('p95');
    await choice('Of').fill('bytes_sent');
    await choice('Of').press('Enter');
    await page.getByRole('region', { name: 'Values of status and remote_addr' }).getByRole('button').first().waitFor();
    await page.getByRole('button', { name: 'SQL' }).click();
    const result = page.getByRole('grid', { name: 'Result' });
    await expect.poll(() => result.getByRole('columnheader').allInnerTexts()).toEqual(['status', expect.any(String), 'p95', 'records']);
    await page.getByRole('button', { name: 'Bars' }).click();
    await page.getByRole('img', { name: /^Bars: / }).waitFor();
  });
});
