import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE, startApp, type App } from './support/app.ts';

const LINE = '192.0.2.7 - - [17/Mar/2026:23:00:00 +0000] "GET /from/now/on HTTP/1.1" 200 12 "-" "curl/8.4.0"\n';

describe('what the Logs view shows', () => {
  let app: App;
  let page: Page;
  let log: string;
  let target: string;

  beforeAll(async () => {
    app = await startApp();
    page = app.page;
    log = join(app.data, 'access.log');
    target = join(app.data, 'out.txt');
    copyFileSync(SAMPLE('access.log'), log);
    await app.open(log);
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** The next dialog for saving is answered with this file; '': it is called off. */
  const choose = (path: string): Promise<void> =>
    app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: filePath === '', filePath });
    }, path);
  const messages = (): Locator => page.getByRole('region', { name: 'Messages' });
  const total = async (): Promise<number> => Number(await page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')) - 1;

  test('is written into a file, as it was read', async () => {
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('/login');
    await expect.poll(total).toBeLessThan(10_000);
    await choose(target);
    await page.getByRole('button', { name: 'Export what is shown' }).click();
    await page.getByRole('menuitem', { name: 'Export the lines as they were read…' }).click();
    await expect.poll(() => messages().innerText()).toContain(`written to ${target}`);
    const wanted = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.toLowerCase().includes('/login'));
    expect(readFileSync(target, 'utf8')).toBe(`${wanted.join('\n')}\n`);
  });

  test('is written as a table, by the palette', async () => {
    target = join(app.data, 'out.csv');
    await choose(target);
    await page.keyboard.press('Control+K');
    await page.keyboard.type('export the table');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages().innerText()).toContain(target);
    expect(readFileSync(target, 'utf8').split('\r\n')[0]).toMatch(/^Time,Severity,Source,Type,status,request.*,Text$/);
  });

  test('is written nowhere when the dialog is called off, or nobody chose the place', async () => {
    await choose('');
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Control+E');
    const place = { query: {}, format: 'raw', columns: [], path: join(app.data, 'elsewhere') } as const;
    await expect(app.request('export.start', place)).rejects.toThrow(/Nobody chose/);
  });

  test('begins anew, and what was before comes back', async () => {
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('');
    await expect.poll(total).toBe(10_000);
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Control+Shift+K');
    await expect.poll(total).toBe(0);
    appendFileSync(log, LINE);
    await expect.poll(total).toBe(1);
    await expect.poll(() => page.getByRole('grid', { name: 'Records' }).innerText()).toContain('/from/now/on');
    await page.getByRole('button', { name: 'Show the earlier records again' }).click();
    await expect.poll(total).toBe(10_001);
  });

  test.each([
    ['Save as PNG…', 'graph.png', /^\x89PNG/],
    ['Save as CSV…', 'graph.csv', /^time,/],
  ])('as a graph: %s', async (item, name, begin) => {
    target = join(app.data, name);
    await choose(target);
    await page
      .getByRole('link', { name: 'Charts' })
      .or(page.getByRole('button', { name: 'Charts' }))
      .first()
      .click();
    await page.getByRole('button', { name: 'Actions for HTTP Status' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect.poll(() => messages().innerText()).toContain(`Saved as ${target}`);
    expect(readFileSync(target, 'latin1')).toMatch(begin);
  });
});
