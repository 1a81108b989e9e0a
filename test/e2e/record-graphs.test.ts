import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectNoFindings } from './support/axe.ts';
import { drag } from './support/drag.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

describe('graphs of records', () => {
  let app: App;
  let page: Page;
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-graphs-'));

  const start = async (): Promise<void> => {
    app = await startApp([SAMPLE('access.log')], data);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
  };
  const picture = (name: string): Promise<void> => pictureOf(app, name);
  const go = (view: string): Promise<void> => page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  const builder = (): Locator => page.getByRole('region', { name: 'Builder' });
  const card = (title: string): Locator => page.getByRole('region', { name: title, exact: true });
  const legend = (title: string): Promise<string[]> => card(title).getByRole('rowheader').allInnerTexts();
  const keep = (): Promise<void> => builder().getByRole('button', { name: 'Pin' }).click();

  beforeAll(async () => {
    await start();
    await page.locator('[role="grid"] [data-row]').first().waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  });

  test('a number of a record becomes a graph from its menu in the inspector', async () => {
    await page.locator('[role="grid"] [data-row]').nth(2).click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Actions for body_bytes_sent' }).click();
    await page.getByRole('menuitem', { name: 'Graph of body_bytes_sent…' }).click();
    await builder().locator('canvas').waitFor();
    await expectNoFindings(page, 'the builder');
    await picture('builder');
    await keep();
    await expect.poll(() => legend('body_bytes_sent')).toEqual(['Average', 'Minimum', 'Maximum']);
    await expect
      .poll(() =>
        card('body_bytes_sent')
          .getByRole('row', { name: /^Average/ })
          .innerText(),
      )
      .toMatch(/[1-9]/);
    await expectNoFindings(page, 'Charts');
    await picture('graph-number');
  });

  test('a cell of the table, too; statuses are counted by class', async () => {
    await go('Logs');
    await page.locator('[role="grid"] [data-row]').nth(2).locator('[data-column="Fields[status]"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Graph of status…' }).click();
    await builder().getByRole('textbox', { name: 'Title' }).fill('By class');
    await keep();
    await expect.poll(() => legend('By class')).toEqual(['2xx', '3xx', '4xx', '5xx']);
  });

  test('the records that the filter shows become one, and it leads back to them', async () => {
    await go('Logs');
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('status >= 500');
    const grid = page.getByRole('grid', { name: 'Records' });
    // 281 records, and the head.
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('282');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Command' }).fill('new graph');
    await page.keyboard.press('Enter');
    await keep();
    await expect.poll(() => legend('status >= 500')).toEqual(['Records']);
    await go('Logs');
    await page.keyboard.press('Control+Shift+X');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('10001');
    await go('Charts');
    // The menu of a card that is still empty goes away with it.
    await card('status >= 500').locator('canvas').waitFor();
    await card('status >= 500').getByRole('button', { name: 'Actions for status >= 500' }).click();
    await page.getByRole('menuitem', { name: 'Show its records' }).click();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('282');
    await page.keyboard.press('Control+Shift+X');
  });

  test('a field of the schema and a pattern become graphs', async () => {
    await page.keyboard.press('Control+7');
    await page.getByRole('button', { name: 'Actions for request', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Graph of request…' }).click();
    await keep();
    await card('Records by request').waitFor();
    await page.keyboard.press('Control+8');
    const first = page.getByRole('region', { name: 'Patterns' }).locator('tbody tr').first();
    await first.hover();
    await first.getByRole('button', { name: /^Actions for the pattern/ }).click();
    await page.getByRole('menuitem', { name: 'Graph of these records…' }).click();
    await builder().getByRole('textbox', { name: 'Title' }).fill('The first pattern');
    await keep();
    await expect.poll(() => legend('The first pattern')).toEqual(['Records']);
    await picture('graphs-of-records');
  });

  test('they stay with the workspace, and can be removed and put back', async () => {
    const titles = ['The first pattern', 'Records by request', 'status >= 500', 'By class', 'body_bytes_sent'];
    await app.electron.close();
    await start();
    await go('Charts');
    for (const title of titles) await card(title).locator('canvas').waitFor();
    expect((await app.request('recordGraph.list', {})).map(({ title }) => title)).toEqual(titles);
    await card('By class').getByRole('button', { name: 'Actions for By class' }).click();
    await page.getByRole('menuitem', { name: 'Remove the graph' }).click();
    await card('By class').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await card('By class').locator('canvas').waitFor();
    expect((await app.request('recordGraph.list', {})).map(({ title }) => title)).toEqual(titles);
  });

  test('a part of the time is drawn in finer steps', async () => {
    /** Duration that a bar stands for, once the graph has counted all records. */
    const step = async (): Promise<string> => {
      const head = await card('status >= 500').locator('.card-head').innerText();
      return (!head.includes('counting…') && /a (?:bar is|value each) [^·\n]+/.exec(head)?.[0]) || '';
    };
    await expect.poll(step).not.toBe('');
    const before = await step();
    await drag(card('status >= 500').getByRole('slider'), { x: 200, y: 60 }, { x: 260, y: 60 });
    await expect.poll(step).not.toBeOneOf(['', before]);
    await page.keyboard.press('0');
    await expect.poll(step).toBe(before);
  });
});

test('a log of which no filter draws a graph has graphs of its own, which can be kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-own-'));
  const log = join(folder, 'shop.log');
  const line = (i: number): string => {
    const time = `2026-11-20T10:0${Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')}Z`;
    return `time=${time} level=${i % 5 === 0 ? 'error' : 'info'} status=${i % 3 === 0 ? 'late' : 'sent'} took=${(i * 37) % 211} msg=order`;
  };
  writeFileSync(log, Array.from({ length: 240 }, (_, i) => `${line(i)}\n`).join(''));
  await using app = await startApp([log], join(folder, 'data'));
  const { page } = app;
  await page.locator('[role="grid"] [data-row]').first().waitFor();
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Charts' }).click();
  const levels = page.getByRole('region', { name: 'Records by level', exact: true });
  await expect.poll(() => levels.getByRole('row', { name: /^ERROR/ }).innerText()).toMatch(/\b48$/);
  await page.getByRole('region', { name: 'Records by status', exact: true }).waitFor();
  await levels.getByRole('button', { name: 'Actions for Records by level' }).click();
  await page.getByRole('menuitem', { name: 'Keep the graph' }).click();
  await expect.poll(async () => (await app.request('recordGraph.list', {})).map(({ title }) => title)).toEqual(['Records by level']);
  await expect.poll(() => levels.count()).toBe(1);
  rmSync(folder, { recursive: true, force: true });
});
