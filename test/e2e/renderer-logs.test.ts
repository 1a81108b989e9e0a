import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { drag, middle } from './support/drag.ts';
import {
  ACCESS_LINES,
  accessRowsWith,
  clearFilters,
  cursorRow,
  filterBox,
  rowTotal,
  shownRecords,
  totalBecomes,
} from './support/records.ts';

const LINE = (path: string, second = 0): string =>
  `192.0.2.7 - - [20/Nov/2026:10:00:${String(second).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 12 "-" "curl/8.4.0"\n`;

/** The rows on the screen. */
const rows = (page: Page): Locator => page.locator('[role="grid"] [data-row]');

describe('the Logs view', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
    await totalBecomes(page, 10_000);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => clearFilters(page, 10_000));

  test('shows the end of the log, decoded, and the histogram over it', async () => {
    await expect.poll(() => rows(page).last().getAttribute('data-row')).toBe('9999');
    const headers = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
    await expect.poll(headers).toEqual(expect.arrayContaining(['status', 'request']));
    await expect.poll(() => rows(page).last().innerText()).toMatch(/\b[2345]\d\d\b/);
  });

  test('layers the histogram by the class of the status, and a layer filters', async () => {
    const region = page.getByRole('region', { name: 'Records over time' });
    const server = region.getByRole('button', { name: /^5xx / });
    await server.click();
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
    await expect.poll(() => page.getByRole('group', { name: 'Conditions' }).innerText()).toContain('status = 5xx');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await region.getByRole('button', { name: /^Histogram by / }).click();
    await page.getByRole('menuitemradio', { name: 'Severity', exact: true }).click();
    await expect.poll(() => region.innerText()).toContain('No severity 10k');
    await region.getByRole('button', { name: /^Histogram by / }).click();
    await page.getByRole('menuitemradio', { name: 'What suits the records' }).click();
    await server.waitFor();
  });

  test('counts the values of a field in the records that are shown, and a value filters', async () => {
    await rows(page).nth(3).click();
    await page.getByRole('button', { name: 'Actions for status' }).click();
    await page.getByRole('menuitem', { name: 'Count by status' }).click();
    const panel = page.getByRole('region', { name: 'Values of status' });
    await expect.poll(() => panel.getByRole('status').innerText()).toMatch(/in 10,000 records/);
    // They are counted to the end: nothing changes any more.
    const first = panel.getByRole('button').first();
    const count = Number((await first.innerText()).split('\n')[1]?.replaceAll(',', ''));
    await first.click();
    await totalBecomes(page, count);
    await expect.poll(() => panel.getByRole('status').innerText()).toMatch(/^1 value in /);
    await page.getByRole('button', { name: 'Close the builder' }).click();
    await page.getByRole('region', { name: 'Selected record' }).waitFor();
  });

  test('shows a match among its neighbours, and comes back to the filter', async () => {
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('/healthz');
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
    const found = accessRowsWith('/healthz');
    await totalBecomes(page, found.length);
    await rows(page).nth(4).click();
    await expect.poll(() => cursorRow(page)).toBeGreaterThan(0);
    const row = await cursorRow(page);
    await expect.poll(() => page.getByRole('region', { name: 'Selected record' }).innerText()).toContain('/healthz');
    await page.keyboard.press('c');
    await totalBecomes(page, 10_000);
    await expect.poll(() => cursorRow(page)).toBe(found[row]);
    await expect.poll(() => page.locator('[role="row"][aria-selected="true"]').count()).toBe(1);
    await page.getByRole('button', { name: 'Back to the filter' }).click();
    await totalBecomes(page, found.length);
    await page.getByRole('button', { name: 'Follow new records' }).click();
  });

  test('wraps long texts', async () => {
    const height = (): Promise<number> => rows(page).evaluateAll((all) => Math.max(...all.map(({ clientHeight }) => clientHeight)));
    await expect.poll(height).toBe(24);
    await page.getByRole('button', { name: 'Wrap long texts' }).click();
    await expect.poll(height).toBeGreaterThan(24);
    await expect.poll(() => rows(page).last().getAttribute('data-row')).toBe('9999');
    await page.getByRole('button', { name: 'Wrap long texts' }).click();
    await expect.poll(height).toBe(24);
  });

  test('moves by keys, and the inspector shows the record with its fields', async () => {
    await rows(page).nth(2).click();
    await page.keyboard.press('Home');
    await expect.poll(() => rows(page).first().getAttribute('data-row')).toBe('0');
    await expect.poll(() => cursorRow(page)).toBe(0);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => cursorRow(page)).toBeGreaterThan(5);
    const inspector = page.getByRole('region', { name: 'Selected record' });
    const inspected = async (): Promise<boolean> => (await inspector.innerText()).includes(ACCESS_LINES[await cursorRow(page)] ?? '-');
    await expect.poll(inspected).toBe(true);
    await expect.poll(() => inspector.innerText()).toContain('As it was read');
  });

  test('filters by text while it is typed, and marks what was found', async () => {
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('/healthz');
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
    await expect.poll(() => page.locator('mark').allInnerTexts()).toContain('/healthz');
    await page.getByRole('button', { name: 'Hide the lines that match' }).click();
    await expect.poll(() => rowTotal(page)).toBeGreaterThan(9000);
    await page.getByRole('button', { name: 'Hide the lines that match' }).click();
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
  });

  test('makes a filter and a column of a value in the inspector', async () => {
    await rows(page).nth(3).click();
    const act = async (action: RegExp): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for status' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act(/^Filter for status = /);
    await expect.poll(() => rowTotal(page)).toBeLessThan(10_000);
    const only = await shownRecords(page);
    const chip = page.getByRole('group', { name: 'Conditions' }).getByRole('button', { name: /^status = / });
    await chip.click();
    await totalBecomes(page, 10_000);
    await chip.click();
    await totalBecomes(page, only);
    await act(/^Filter out status = /);
    await totalBecomes(page, 10_000 - only);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await totalBecomes(page, 10_000);
    const headers = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
    await act(/^Remove column status$/);
    await expect.poll(headers).not.toContain('status');
    await act(/^Add column status$/);
    await expect.poll(headers).toContain('status');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'The usual columns' }).click();
    await expect.poll(headers).toEqual(expect.arrayContaining(['status', 'request']));
  });

  test('comes back to the selected record when a filter is taken away', async () => {
    await rows(page).nth(2).click();
    await page.keyboard.press('Home');
    for (let step = 0; step < 30; step++) await page.keyboard.press('PageDown');
    const inspector = page.getByRole('region', { name: 'Selected record' });
    const inspected = async (): Promise<boolean> => (await inspector.innerText()).includes(ACCESS_LINES[await cursorRow(page)] ?? '-');
    await expect.poll(inspected).toBe(true);
    const row = await cursorRow(page);
    const wanted = /(?:GET|POST|PUT|DELETE|HEAD) \S+/.exec(ACCESS_LINES[row] ?? '')?.[0] ?? '';
    await filterBox(page).fill(wanted);
    const found = accessRowsWith(wanted);
    await totalBecomes(page, found.length);
    await expect.poll(() => cursorRow(page)).toBe(found.indexOf(row));
    await filterBox(page).fill('');
    await totalBecomes(page, 10_000);
    await expect.poll(() => cursorRow(page)).toBe(row);
    await page.getByRole('button', { name: 'Follow new records' }).click();
  });

  test('narrows the time by a brush, and by the fields of the range', async () => {
    await expect.poll(() => page.getByRole('region', { name: 'Records over time' }).innerText()).toContain('2xx 7.13k');
    const plot = page.getByRole('slider', { name: /^Time\./ });
    const from = await middle(plot, 20);
    await drag(plot, from, { ...from, x: from.x + 60 });
    await expect.poll(() => rowTotal(page)).toBeLessThan(5000);
    await page.getByRole('button', { name: 'Show all times' }).click();
    await totalBecomes(page, 10_000);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByLabel('From').fill('no time');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('The beginning is not a time.');
    await page.keyboard.press('Escape');
  });

  test('compares a brushed time with the time before it, shows the records of a row, and keeps the sentences', async () => {
    const plot = page.getByRole('slider', { name: /^Time\./ });
    const from = await middle(plot, 20);
    await drag(plot, { ...from, x: from.x - 60 }, { ...from, x: from.x + 60 });
    await expect.poll(() => rowTotal(page)).toBeLessThan(5000);
    const dialog = page.getByRole('dialog', { name: 'Difference' });
    await page.getByRole('button', { name: 'Compare this time with the time before it' }).click();
    const row = dialog.getByRole('button', { name: 'gone: status 502' });
    await row.waitFor();
    await expectNoFindings(page, 'the difference');
    await row.click();
    await expect.poll(() => page.getByRole('group', { name: 'Conditions' }).innerText()).toContain('gone: status 502');
    await expect.poll(() => rowTotal(page)).toBeLessThan(500);
    await clearFilters(page, 10_000);
    // In the middle of the log, without a chosen time.
    await plot.click({ button: 'right', position: from });
    await page.getByRole('menuitem', { name: /^Compare from .* on with before$/ }).click();
    await dialog.getByRole('listitem').first().waitFor();
    await dialog.getByRole('button', { name: 'Add to the incident' }).click();
    await page.getByRole('textbox', { name: 'Title of the incident' }).waitFor();
    await expect
      .poll(async () => (await app.request('incident.get', {})).difference?.title)
      .toMatch(/^from .* on, compared with before it$/);
    await page.keyboard.press('Control+1');
  });

  test('copies the selected records as lines', async () => {
    await rows(page).nth(2).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    const clipboard = (): Promise<string> => app.electron.evaluate(({ clipboard: board }) => board.readText());
    await expect.poll(async () => (await clipboard()).split('\n').length).toBe(3);
    const line = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\t\d{3}\t[A-Z]+ /;
    await expect.poll(async () => (await clipboard()).split('\n')[0]).toMatch(line);

    const copy = async (name: string): Promise<void> => {
      await rows(page).nth(1).click({ button: 'right' });
      await page.getByRole('menuitem', { name }).click();
    };
    await copy('Copy 3 records with headings');
    await expect.poll(async () => (await clipboard()).split('\n').length).toBe(4);
    await expect.poll(async () => (await clipboard()).split('\n')[0]).toMatch(/^Time\tstatus\trequest/);
    await copy('Copy 3 records as JSON');
    const first = async (): Promise<unknown> => JSON.parse((await clipboard()).split('\n')[0] ?? '') as unknown;
    await expect.poll(first).toMatchObject({ Type: 'nginx.access' });
    await copy('Copy 3 records as read');
    const read = ACCESS_LINES.slice(0, 3).join('\n');
    await expect.poll(clipboard).toBe(read);
  });

  test('tries another decoder on the first records before it is chosen', async () => {
    await page.getByRole('button', { name: 'access.log' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Choose decoder…' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect.poll(() => preview.innerText()).toContain('It decodes the first 50 records.');
    await expect.poll(() => preview.locator('article').count()).toBe(3);
    await page.getByRole('radio', { name: /^rfc5424/ }).click();
    await expect.poll(() => preview.innerText()).toContain('It refuses 50 of the first 50 records: ');
    await page.getByRole('radio', { name: /^nginx_access/ }).click();
    await page.getByRole('textbox', { name: /^log_format/ }).fill('$remote_addr $nonsense(');
    await expect.poll(() => preview.innerText()).not.toContain('It decodes');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const { sources } = await app.request('engine.state', {});
    expect(sources[0]).toMatchObject({ records: 10_000, decoder: { name: 'nginx_access', by: 'detected' } });
  });

  test('shows two places of the records at once, each with a cursor and a scroll position of its own', async () => {
    await rows(page).nth(3).click();
    for (const key of ['Home', 'PageDown', 'PageDown', 'PageDown']) await page.keyboard.press(key);
    const chosen = await cursorRow(page);
    await page.keyboard.press('s');
    const second = page.getByRole('region', { name: 'Second place' });
    const [above, below] = [page.locator('#records [data-row]'), second.locator('[data-row]')];
    await expect.poll(() => below.first().getAttribute('data-row')).not.toBeNull();
    await page.keyboard.press('Home');
    await expect.poll(() => below.first().getAttribute('data-row')).toBe('0');
    await expect.poll(() => page.locator('#records').getAttribute('aria-activedescendant')).toBe(`row-${chosen}`);
    await expect.poll(() => above.first().getAttribute('data-row')).not.toBe('0');
    await expect.poll(() => second.innerText()).toMatch(/Second place\s+.* earlier/);
    await expectNoFindings(page, 'two places');
    // The filter is that of both, and each comes back to its record.
    await filterBox(page).fill('GET');
    await expect.poll(() => rowTotal(page)).toBeLessThan(10_000);
    await filterBox(page).fill('');
    await totalBecomes(page, 10_000);
    await expect.poll(() => below.first().getAttribute('data-row')).toBe('0');
    await expect.poll(() => page.locator('#records').getAttribute('aria-activedescendant')).toBe(`row-${chosen}`);
    await page.getByRole('button', { name: 'Close the second place' }).click();
    await expect.poll(() => second.count()).toBe(0);
    await expect.poll(() => cursorRow(page)).toBe(chosen);
  });

  test('shows what could not be decoded, and why', async () => {
    const { failures } = await app.request('engine.state', {});
    await page.getByRole('button', { name: /^Decode failures/ }).click();
    await totalBecomes(page, failures);
    await rows(page).nth(2).click();
    await expect.poll(() => page.getByRole('region', { name: 'Selected record' }).innerText()).toContain('Not decoded: ');
  });
});

describe('following', () => {
  test('sticks to the end until one scrolls up, then says how many wait', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-follow-'));
    const file = join(folder, 'live.log');
    writeFileSync(file, Array.from({ length: 300 }, (_unused, index) => LINE(`/${index}`)).join(''));
    await using app = await startApp([file]);
    const { page } = app;
    await totalBecomes(page, 300);
    appendFileSync(file, LINE('/one-more'));
    await expect.poll(() => rows(page).last().innerText()).toContain('/one-more');
    await rows(page).nth(2).hover();
    await page.mouse.wheel(0, -2000);
    await expect.poll(async () => Number(await rows(page).first().getAttribute('data-row'))).toBeLessThan(200);
    const before = await rows(page).first().getAttribute('data-row');
    appendFileSync(file, LINE('/a') + LINE('/b'));
    const pill = page.getByRole('button', { name: '2 new records' });
    await pill.waitFor();
    await expect.poll(() => rows(page).first().getAttribute('data-row')).toBe(before);
    await pill.click();
    await expect.poll(() => rows(page).last().innerText()).toContain('/b');
    await expect.poll(() => pill.count()).toBe(0);
    // A click on a row holds the table, and End goes on.
    const held = await rows(page).first().getAttribute('data-row');
    await rows(page).last().click();
    appendFileSync(file, LINE('/c') + LINE('/d') + LINE('/e'));
    await page.getByRole('button', { name: '3 new records' }).waitFor();
    await expect.poll(() => rows(page).first().getAttribute('data-row')).toBe(held);
    await page.keyboard.press('End');
    await expect.poll(() => rows(page).last().innerText()).toContain('/e');
    appendFileSync(file, LINE('/f'));
    await expect.poll(() => rows(page).last().innerText()).toContain('/f');
    rmSync(folder, { recursive: true, force: true });
  });
});
