import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectNoFindings } from './support/axe.ts';
import { startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

/** A record of as many fields as others have in a whole table, and one with an array of thousands of values. */
const WIDE = [
  JSON.stringify({
    time: '2021-03-05T13:08:00Z',
    msg: 'wide',
    ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, `v${i}`])),
  }),
  JSON.stringify({ time: '2021-03-05T13:08:01Z', msg: 'long', list: Array.from({ length: 6000 }, (_, i) => i) }),
];

const LINES = [
  '2021-03-05 13:07:59,250 INFO  [main] org.example.Shop - answer {"order":12345678901234567890,"items":[{"id":1,"name":"a long name of an item"},{"id":2,"name":"another long name"}]}',
  '2021-03-05 13:08:00,250 ERROR [main] org.example.Shop - no route\n\tat org.example.Shop.sell(Shop.java:7)\n\tat org.example.Main.main(Main.java:3)\nCaused by: java.io.IOException: gone',
  '2021-03-05 13:08:01,250 WARN  [main] org.example.Db - slow query: SELECT name FROM users u JOIN orders o ON o.u = u.id WHERE u.id = 7 AND o.sum > 3 ORDER BY name',
  '2021-03-05 13:08:02,250 INFO  [main] org.example.Shop - <order id="7"><item>one</item></order>',
];

describe('a record in the inspector', () => {
  let app: App;
  let page: Page;
  let record: Locator;

  beforeAll(async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluicebox-record-')), 'shop.log');
    writeFileSync(path, `${LINES.join('\n')}\n`);
    app = await startApp([path]);
    page = app.page;
    record = page.getByRole('region', { name: 'Selected record' });
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === LINES.length));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const copied = (): Promise<string> => app.electron.evaluate(({ clipboard }) => clipboard.readText());
  const select = async (row: number): Promise<void> => page.locator(`[role="grid"] [data-row="${row}"] [data-column="time"]`).click();

  test('is laid out in lines, as it was written', async () => {
    await select(0);
    await expect.poll(() => record.innerText()).toMatch(/JSON\s+\{\n {2}"order": 12345678901234567890,\n {2}"items": \[\n/);
    await select(2);
    await expect.poll(() => record.innerText()).toMatch(/SQL\s+SELECT name\nFROM users u\nJOIN orders o\n {2}ON o\.u = u\.id\nWHERE/);
    await select(3);
    await expect.poll(() => record.innerText()).toMatch(/XML\s+<order id="7">\n {2}<item>one<\/item>\n<\/order>/);
    await select(1);
    await expect.poll(() => record.locator('.frame').allInnerTexts()).toHaveLength(2);
    await expectNoFindings(page);
    await pictureOf(app, 'record');
  });

  test('says in its row that there is more of it', async () => {
    await expect.poll(() => page.locator('[data-row="1"]').getByTitle('3 more lines: the inspector shows all').innerText()).toBe('+3');
    await expect.poll(() => page.locator('[data-row="0"] .more').count()).toBe(0);
  });

  test('has no label over its text', async () => {
    await select(1);
    const label = record.getByText('stack trace', { exact: true });
    await label.waitFor();
    const isFree = (): Promise<boolean> =>
      label.evaluate((element) => {
        const own = element.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(element.nextElementSibling as Element);
        return [...range.getClientRects()].every(({ right, top, bottom }) => right <= own.left || top >= own.bottom || bottom <= own.top);
      });
    await expect.poll(isFree).toBe(true);
  });

  test('is copied as the message in JSON, like the rows of the table', async () => {
    await select(0);
    await expect.poll(() => record.innerText()).toContain('12345678901234567890');
    await page.getByRole('button', { name: 'Copy the record' }).click();
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await expect.poll(copied).toMatch(/^\{\n {2}"Uuid": /);
    const whole = JSON.parse(await copied()) as unknown;
    await page.locator('[data-row="0"] [data-column="time"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy record as JSON' }).click();
    await expect.poll(copied).not.toContain('\n');
    expect(JSON.parse(await copied())).toEqual(whole);
  });

  test('gives its payload alone to the clipboard', async () => {
    await select(1);
    await expect.poll(() => record.locator('.frame').count()).toBe(2);
    await page.getByRole('button', { name: 'Copy the payload' }).click();
    await expect.poll(copied).toBe((LINES[1] as string).replace(/^.* - /, ''));
  });

  test('is copied as Markdown', async () => {
    await select(1);
    await expect.poll(() => record.locator('.frame').count()).toBe(2);
    await page.getByRole('button', { name: 'Copy the record' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toContain('| thread | main |');
    await expect.poll(copied).toContain('```\n2021-03-05 13:08:00,250 ERROR [main] org.example.Shop - no route\n\tat org');
  });
});

describe('a record with many fields in the inspector', () => {
  test('is shown at once, and its fields are found by their names and values', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluicebox-record-')), 'wide.log');
    writeFileSync(path, `${[...WIDE, ...WIDE].join('\n')}\n`);
    await using app = await startApp([path]);
    const { page } = app;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 4));
    const record = page.getByRole('region', { name: 'Selected record' });
    const names = (): Promise<string[]> => record.locator('ul').first().locator('.name').allInnerTexts();
    const find = page.getByRole('searchbox', { name: 'Find a field of the record' });
    const select = (row: number): Promise<void> => page.locator(`[role="grid"] [data-row="${row}"] [data-column="time"]`).click();
    await select(0);
    await expect.poll(async () => (await names()).length).toBe(40);
    await find.fill('V39');
    await expect.poll(names).toEqual(['field_39']);
    await find.fill('nothing');
    await record.getByText('None has this in its name or value.').waitFor();
    await find.fill('');
    await select(1);
    await expect.poll(async () => (await names()).length).toBe(300);
    await record.getByRole('button', { name: 'Show more: 5,700 left' }).click();
    await expect.poll(async () => (await names()).length).toBe(600);
    await find.fill('list[5999]');
    await expect.poll(names).toEqual(['list[5999]']);
    await expectNoFindings(page);
  });
});
