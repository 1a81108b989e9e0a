import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { until } from '../until.ts';

const RECORDS = 400;
const ERRORS = [50, 300];
const WARNINGS = [120];

/** A line each ten minutes from midnight on, of three hosts. */
function line(i: number): string {
  const text = ERRORS.includes(i) ? 'ERROR: no connection' : WARNINGS.includes(i) ? '[warn] slow' : `request ${i}`;
  const [day, hour, minute] = [20 + Math.floor(i / 144), Math.floor(i / 6) % 24, (i % 6) * 10].map((part) => String(part).padStart(2, '0'));
  return `2026-11-${day}T${hour}:${minute}:00Z host${i % 3} app[7]: ${text}\n`;
}

describe('the keys of the record table', () => {
  let folder: string;
  let app: App;
  let page: Page;
  const cursor = async (): Promise<number> => {
    const id = await page.getByRole('grid', { name: 'Records' }).getAttribute('aria-activedescendant');
    return id === null ? -1 : Number(id.replace('row-', ''));
  };
  const isAt = (row: number): Promise<unknown> => until(async () => (await cursor()) === row, `the cursor in row ${row}`);
  const press = async (key: string, row: number): Promise<void> => {
    await page.keyboard.press(key);
    await isAt(row);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-keys-'));
    const log = join(folder, 'syslog');
    writeFileSync(log, Array.from({ length: RECORDS }, (_, i) => line(i)).join(''));
    app = await startApp([log]);
    page = app.page;
    const grid = page.getByRole('grid', { name: 'Records' });
    await until(async () => (await grid.getAttribute('aria-rowcount')) === `${RECORDS + 1}`, 'all rows');
    // Room for all columns.
    await page.keyboard.press('Control+b');
    await until(async () => (await page.getByRole('columnheader').allInnerTexts()).includes('Hostname'), 'the decoded columns');
    // Times are told in UTC.
    await page.keyboard.press('Alt+u');
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await page.getByRole('grid', { name: 'Records' }).focus();
    await press('Home', 0);
  });

  test('records of several hosts have a column for them, and severities from their text', async () => {
    const headers = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
    await expect.poll(headers).toEqual(expect.arrayContaining(['Severity', 'Hostname']));
    await page.keyboard.press('e');
    await isAt(50);
    const row = page.locator('[role="row"][aria-selected="true"]');
    await expect.poll(() => row.innerText()).toMatch(/ERROR[\s\S]*host2/);
    await row.getByText('host2').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter for Hostname = host2' }).click();
    await expect
      .poll(() => page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount'))
      .toBe(`${1 + Math.floor(RECORDS / 3)}`);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')).toBe(`${RECORDS + 1}`);
  });

  test('e and w go to errors and warnings, and around the ends', async () => {
    await press('e', 50);
    await press('e', 300);
    await press('e', 50);
    await press('Shift+E', 300);
    await press('w', 120);
    await press('Shift+W', 120);
  });

  test('vi and less move as they are used to', async () => {
    await press('j', 1);
    await press('j', 2);
    await press('k', 1);
    await press('Shift+G', RECORDS - 1);
    await press('g', 0);
    await page.keyboard.press(' ');
    await until(async () => (await cursor()) > 4, 'a page further down');
    const paged = await cursor();
    await press('b', 0);
    await page.keyboard.press('Control+d');
    await until(async () => (await cursor()) > 0, 'half a page further down');
    await isAt(Math.floor(paged / 2));
    await press('Control+u', 0);
  });

  test('the table names the row of the cursor while it is drawn', async () => {
    await page.getByRole('row').nth(2).hover();
    await page.mouse.wheel(0, 1_000_000);
    await isAt(-1);
    await expectNoFindings(page, 'the cursor out of sight');
    await page.mouse.wheel(0, -1_000_000);
    await isAt(0);
  });

  test('a colon goes to a line, a share and a time', async () => {
    const go = async (place: string, row: number): Promise<void> => {
      await page.keyboard.press(':');
      await page.getByRole('textbox', { name: 'Go to' }).fill(place);
      await page.keyboard.press('Enter');
      await isAt(row);
      await until(
        () => page.getByRole('grid', { name: 'Records' }).evaluate((grid) => grid === document.activeElement),
        'the focus in the table',
      );
    };
    await go('124', 123);
    await go('50 %', 200);
    await go('2026-11-21 12:40', 144 + 76);
    await go('13:00', 144 + 78);
    await go('-20m', 144 + 76);
    await go('start', 0);
    await go('End', 399);
    await page.keyboard.press(':');
    const field = page.getByRole('textbox', { name: 'Go to' });
    await field.fill('nowhere');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('“nowhere” is no record number, share, day or time', { exact: true }).waitFor();
    await expectNoFindings(page, 'go to');
    await page.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
  });

  test('one bar at a time stands above the records', async () => {
    const search = page.getByRole('search', { name: 'Search' });
    const field = page.getByRole('textbox', { name: 'Go to' });
    await page.keyboard.press('Control+F');
    await search.getByRole('textbox').fill('GET');
    await page.keyboard.press('Escape');
    await page.keyboard.press(':');
    await field.waitFor();
    await expect.poll(() => search.count()).toBe(0);
    await page.keyboard.press('Control+F');
    await search.waitFor();
    await expect.poll(() => field.count()).toBe(0);
    await search.getByRole('textbox').fill('');
    await page.keyboard.press('Escape');
    await expect.poll(() => search.count()).toBe(0);
  });

  test('F6 goes through all parts of the window and back', async () => {
    const part = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-part]')?.dataset['part'] ?? '');
    const round = async (key: string): Promise<string[]> => {
      const seen: string[] = [];
      do {
        const before = await part();
        await page.keyboard.press(key);
        await until(async () => (await part()) !== before, `another part than ${before}`);
        seen.push(await part());
      } while (seen.at(-1) !== 'table' && seen.length < 12);
      return seen;
    };
    const forward = await round('F6');
    await page.keyboard.press('F6');
    await expect.poll(part).toBe('inspector');
    // Something to work with, not the splitter at its edge.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    await page.keyboard.press('Shift+F6');
    await expect.poll(part).toBe('table');
    expect(forward).toEqual(['inspector', 'status', 'title', 'rail', 'main', 'filter', 'table']);
    expect(await round('Shift+F6')).toEqual([...forward.slice(0, -1).reverse(), 'table']);
  });

  test('the first row is whole at the end, and a message leaves the inspector free', async () => {
    await press('End', RECORDS - 1);
    const offset = (): Promise<number> =>
      page.evaluate(() => {
        const row = document.querySelector('[role="grid"] [data-row]')?.getBoundingClientRect().top ?? -1;
        return row - (document.querySelector('[role="grid"] .body')?.getBoundingClientRect().top ?? 0);
      });
    await expect.poll(offset).toBe(0);
    await page.keyboard.press('u');
    const toast = page.getByText('No record is marked.').first();
    await toast.waitFor();
    const edges = async (): Promise<number[]> => {
      const box = await page.getByRole('region', { name: 'Messages' }).boundingBox();
      const inspector = await page.getByRole('complementary', { name: 'Inspector' }).boundingBox();
      return box === null || inspector === null ? [] : [box.x + box.width, inspector.x];
    };
    await expect.poll(edges).toSatisfy(([right = NaN, left = NaN]: number[]) => right <= left);
  });

  test('a dialog is alone, and the view has the focus when what had it is gone', async () => {
    const menu = (id: string): Promise<void> =>
      app.electron.evaluate(
        ({ BrowserWindow }, command) => BrowserWindow.getAllWindows()[0]?.webContents.send('event', 'command', { id: command }),
        id,
      );
    const names = (): Promise<string[]> => page.getByRole('dialog').allInnerTexts();
    const part = (): Promise<string | undefined> =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-part]')?.dataset['part']);
    await page.keyboard.press('Control+l');
    const form = page.getByRole('form', { name: 'Listen for syslog' });
    await form.waitFor();
    await menu('path.open');
    // Requests are answered in their order, so the menu command has been processed when this one is answered.
    await menu('zoom.reset');
    await app.request('engine.state', {});
    expect(await names()).toHaveLength(1);
    await form.getByRole('textbox', { name: 'Port' }).fill('none');
    await form.getByRole('combobox', { name: 'Protocol' }).press('Enter');
    await form.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(part).toBe('table');
    await menu('scripts.add');
    await page.getByRole('dialog', { name: 'Add a filter script' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(part).toBe('main');
    await page.keyboard.press('Control+1');
    await page.getByRole('grid', { name: 'Records' }).waitFor();
  });

  test('keys make everything larger and smaller', async () => {
    const width = (): Promise<number> => page.evaluate(() => window.innerWidth);
    const usual = await width();
    await page.keyboard.press('Control+=');
    await expect.poll(width).toBeLessThan(usual);
    await page.keyboard.press('Control+-');
    await expect.poll(width).toBe(usual);
    await page.keyboard.press('Control+-');
    await expect.poll(width).toBeGreaterThan(usual);
    await page.keyboard.press('Control+0');
    await expect.poll(width).toBe(usual);
  });
});
