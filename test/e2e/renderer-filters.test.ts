import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { clearFilters, rowTotal } from './support/records.ts';
import { until } from '../until.ts';

const RECORDS = 10_000;

const boxOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter by text or field' });
const chipsOf = (page: Page): Locator => page.getByRole('group', { name: 'Conditions' });

const allRows = (page: Page): Promise<unknown> => until(async () => (await rowTotal(page)) === RECORDS, 'all rows');

const LINES = readFileSync(SAMPLE('access.log'), 'utf8').split('\n');
const countOf = (...patterns: readonly RegExp[]): number => LINES.filter((line) => patterns.every((pattern) => pattern.test(line))).length;
const FAILED = /" 5\d\d [\d-]+ "/;
const POST = /"POST /;

describe('the stack of filters', () => {
  let app: App;
  let page: Page;
  let box: Locator;
  let chips: Locator;

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    box = boxOf(page);
    chips = chipsOf(page);
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
    await allRows(page);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    await page.keyboard.press('Escape');
    await clearFilters(page, RECORDS);
  });

  test('reads a name, a colon and a value, and finds what has a colon alone as text', async () => {
    await box.click();
    await box.pressSequentially('status:');
    await page.getByRole('option', { name: '502' }).waitFor();
    // It says that it must go on, and hides nothing meanwhile.
    await page.getByText('expected a value').waitFor();
    await expect.poll(() => rowTotal(page)).toBe(RECORDS);
    await box.pressSequentially('5xx -request:POST*');
    await expect.poll(() => rowTotal(page)).toBe(countOf(FAILED) - countOf(FAILED, POST));
    await box.press('Enter');
    await chips.getByRole('button', { name: 'status:5xx -request:POST*', exact: true }).waitFor();
    await clearFilters(page, RECORDS);
    await box.click();
    await box.pressSequentially('status:');
    await box.press('Enter');
    await chips.getByRole('button', { name: 'status:', exact: true }).waitFor();
    await expect.poll(() => rowTotal(page)).toBe(0);
  });

  test('reads a comparison with the names of fields, says so, and completes names and values that were seen', async () => {
    const errors = countOf(FAILED);
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('&');
    await until(() => box.evaluate((input) => input === document.activeElement), 'the focus in the box');
    await box.pressSequentially('stat');
    await page.getByRole('option', { name: 'status number' }).click();
    await expect.poll(() => box.inputValue()).toBe('status ');
    await box.pressSequentially('>= ');
    await page.getByRole('option', { name: '200' }).first().waitFor();
    await box.pressSequentially('500');
    await page.getByText('Comparison: Fields[status] >= 500').waitFor();
    await expect.poll(() => rowTotal(page)).toBe(errors);
    await box.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('');
    await chips.getByRole('button', { name: 'status >= 500', exact: true }).waitFor();
    await expect.poll(() => rowTotal(page)).toBe(errors);
  });

  test('completes a lookup and its column, and takes what names none as text', async () => {
    mkdirSync(join(app.data, 'lookups'));
    writeFileSync(join(app.data, 'lookups', 'codes.csv'), 'status,meaning\n502,gateway\n');
    await box.click();
    await box.pressSequentially('status@');
    await page.getByRole('option', { name: 'codes. lookup' }).click();
    await page.getByRole('option', { name: 'meaning' }).click();
    await expect.poll(() => box.inputValue()).toBe('status@codes.meaning');
    await box.pressSequentially(':gateway');
    await expect.poll(() => rowTotal(page)).toBe(countOf(/" 502 [\d-]+ "/));
    await box.fill('status@host.example:22');
    await page.getByText('there is no lookup host').waitFor();
    await expect.poll(() => rowTotal(page)).toBe(0);
  });

  test('hides the records with the text that is marked in one', async () => {
    // Elsewhere the first row may be drawn in part, and a click on it moves the table.
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Home');
    const cell = page.locator('[data-row="0"] [data-column="Fields[request]"]');
    const place = { x: 14, y: 12 };
    await cell.dblclick({ position: place });
    const word = await until(
      () => page.evaluate(() => /^[A-Z]+$/.exec(window.getSelection()?.toString().trim() ?? '')?.[0]),
      'a marked method',
    );
    await cell.click({ button: 'right', position: place });
    await page.getByRole('menuitem', { name: `Filter out “${word}”` }).click();
    await expect.poll(() => rowTotal(page)).toBe(RECORDS - countOf(new RegExp(word, 'i')));
  });

  test('stands filters upon each other, each with a switch, in or out, all or any of them', async () => {
    const [post, failed] = [countOf(POST), countOf(FAILED)];
    const both = countOf(POST, FAILED);
    for (const [typed, understood] of [
      ['request ~ /^POST/', 'Fields[request] =~'],
      ['status >= 500', 'Fields[status] >= 500'],
    ] as const) {
      await box.fill(typed);
      await page.getByText(`Comparison: ${understood}`).waitFor();
      await box.press('Enter');
      await expect.poll(() => box.inputValue()).toBe('');
    }
    await expect.poll(() => rowTotal(page)).toBe(both);
    await page.getByRole('button', { name: 'All filters must fit' }).click();
    await expect.poll(() => rowTotal(page)).toBe(post + failed - both);
    await page.getByRole('button', { name: 'Any of the filters is enough' }).click();
    const status = chips.getByRole('button', { name: 'status >= 500', exact: true });
    await status.click();
    await expect.poll(() => rowTotal(page)).toBe(post);
    await status.click();
    await status.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide the records that it finds' }).click();
    await expect.poll(() => rowTotal(page)).toBe(post - both);
    const hidden = chips.getByRole('button', { name: 'Hide status >= 500', exact: true });
    await hidden.press('F2');
    await expect.poll(() => box.inputValue()).toBe('status >= 500');
    await expect.poll(() => page.getByRole('button', { name: 'Hide the lines that match' }).getAttribute('aria-pressed')).toBe('true');
    await box.press('Enter');
    await hidden.press('Delete');
    await expect.poll(() => rowTotal(page)).toBe(post);
  });

  test('shows an error at its place in what was typed, and the filters of the stack hold on', async () => {
    const errors = countOf(FAILED);
    await box.fill('status >= 500');
    await box.press('Enter');
    await expect.poll(() => rowTotal(page)).toBe(errors);
    await box.fill('status >= abc');
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.innerText()).toContain('status is a number');
    await expect.poll(() => alert.locator('mark').innerText()).toBe('abc');
    await expect.poll(() => rowTotal(page)).toBe(errors);
    await box.fill('request ~ /[z-a]/');
    await expect.poll(() => alert.innerText()).toContain('invalid character class range');
    await expect.poll(() => alert.locator('mark').innerText()).toBe('/[z-a]/');
    await expect.poll(() => rowTotal(page)).toBe(errors);
    await box.fill('status >=');
    await expect.poll(() => alert.count()).toBe(0);
    await box.press('Enter');
    await expect.poll(() => alert.innerText()).toContain('expected a value');
    await page.getByRole('button', { name: 'Take it as text' }).click();
    await expect.poll(() => rowTotal(page)).toBe(0);
  });

  test('axe-core finds nothing in it', async () => {
    await box.fill('status >= 500');
    await box.press('Enter');
    await box.fill('status = 4');
    await page.getByText('Comparison:').waitFor();
    await expectNoFindings(page, 'filters');
  });
});

describe('sets of filters', () => {
  test('are saved by name, and come back after a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'sluicebox-e2e-'));
    const kept = join(data, 'kept');
    try {
      const first = await startApp([SAMPLE('access.log')], kept);
      try {
        const box = boxOf(first.page);
        await expect.poll(() => rowTotal(first.page)).toBe(RECORDS);
        await box.fill('/healthz');
        await first.page.getByRole('button', { name: 'Hide the lines that match' }).click();
        await box.press('Enter');
        await first.page.getByRole('button', { name: 'Sets of filters' }).click();
        await first.page.getByRole('menuitem', { name: 'Save the filters as a set…' }).click();
        await first.page.getByRole('textbox', { name: 'Save the filters in the workspace as' }).fill('quiet');
        await first.page.getByRole('button', { name: 'Save', exact: true }).click();
        await expect.poll(async () => (await first.request('filterSet.list', {})).map(({ name }) => name)).toEqual(['quiet']);
        await first.page.getByRole('button', { name: 'Clear all' }).click();
        await expect.poll(() => rowTotal(first.page)).toBe(RECORDS);
      } finally {
        await first.electron.close();
      }
      await using second = await startApp([SAMPLE('access.log')], kept);
      await expect.poll(() => rowTotal(second.page)).toBe(RECORDS);
      await second.page.getByRole('button', { name: 'Sets of filters' }).click();
      await second.page.getByRole('menuitem', { name: 'quiet (1 filter)' }).click();
      await chipsOf(second.page).getByRole('button', { name: 'Hide /healthz', exact: true }).waitFor();
      await expect.poll(() => rowTotal(second.page)).toBeLessThan(RECORDS);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
