import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { accessRowsWith, clearFilters, cursorRow, filterBox, recordGrid, rowTotal, shownRecords, totalBecomes } from './support/records.ts';
import { until } from '../until.ts';

describe('the search of the Logs view', () => {
  let app: App;
  let page: Page;
  let bar: Locator;
  let field: Locator;
  let hits: Locator;

  const selected = (): Locator => page.locator('[role="row"][aria-selected="true"]');

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    bar = page.getByRole('search', { name: 'Search' });
    field = bar.getByRole('textbox', { name: 'Search' });
    hits = bar.getByRole('status', { name: 'Hits' });
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
    await totalBecomes(page, 10_000);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    const end = page.getByRole('button', { name: 'End the search' });
    if (await end.isVisible()) await end.click();
    await until(async () => (await page.locator('mark.found').count()) === 0, 'the end of the search');
    await clearFilters(page, 10_000);
    await until(async () => {
      await recordGrid(page).focus();
      await page.keyboard.press('Home');
      return (await selected().first().isVisible()) && (await cursorRow(page)) === 0;
    }, 'the first row');
  });

  test('finds without filtering, marks the hits and goes from one to the next', async () => {
    const rows = accessRowsWith('/healthz');
    await page.keyboard.press('Control+f');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${rows.length}`);
    await totalBecomes(page, 10_000);
    await expect.poll(() => cursorRow(page)).toBe(rows[0]);
    await expect.poll(() => selected().locator('mark.found').first().innerText()).toBe('/healthz');
    await field.press('Enter');
    await expect.poll(() => hits.innerText()).toBe(`2 of ${rows.length}`);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await expect.poll(() => hits.innerText()).toBe(`${rows.length} of ${rows.length}, went round`);
    await field.press('Escape');
    await page.keyboard.press('n');
    await expect.poll(() => cursorRow(page)).toBe(rows[0]);
    await page.keyboard.press('n');
    await expect.poll(() => cursorRow(page)).toBe(rows[1]);
    await page.keyboard.press('Shift+N');
    await expect.poll(() => cursorRow(page)).toBe(rows[0]);
  });

  test('as in less, Enter after / gives the keys back to the records', async () => {
    const rows = accessRowsWith('/healthz');
    await page.keyboard.press('/');
    await page.keyboard.type('/healthz');
    await page.keyboard.press('Enter');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${rows.length}`);
    await page.keyboard.press('n');
    await expect.poll(() => cursorRow(page)).toBe(rows[1]);
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await expect.poll(() => cursorRow(page)).toBe(rows[2]);
    await page.keyboard.press('Shift+N');
    await expect.poll(() => cursorRow(page)).toBe(rows[1]);
    await expect.poll(() => field.inputValue()).toBe('/healthz');
  });

  test('keeps its text when it is ended, and n takes it up again', async () => {
    await page.keyboard.press('Control+f');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await page.getByRole('button', { name: 'End the search' }).click();
    await expect.poll(() => page.locator('mark.found').count()).toBe(0);
    const [first, second] = accessRowsWith('/healthz');
    await expect.poll(() => cursorRow(page)).toBe(first);
    await page.keyboard.press('n');
    await expect.poll(() => cursorRow(page)).toBe(second);
    await expect.poll(() => field.inputValue()).toBe('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^2 of /);
  });

  test('speaks of what was typed when it is wrong, and leaves no old hits', async () => {
    await page.keyboard.press('/');
    await field.fill('healthz');
    await expect.poll(() => page.locator('mark.found').count()).toBeGreaterThan(0);
    await field.press('Alt+r');
    await field.fill('(healthz');
    await expect.poll(() => bar.getByRole('alert').innerText()).toContain('missing closing ) at (healthz');
    await expect.poll(() => page.locator('mark.found').count()).toBe(0);
    await expect.poll(() => hits.innerText()).toBe('');
    await field.fill('(healthz)');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await field.press('Alt+r');
    await field.fill('nothing of the kind');
    await expect.poll(() => hits.innerText()).toBe('Not found');
  });

  test('is kept while one filters, and while one looks at the neighbours', async () => {
    await page.keyboard.press('/');
    await field.fill('/healthz');
    const all = accessRowsWith('/healthz');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${all.length}`);
    await filterBox(page).fill('" 200 ');
    const filtered = accessRowsWith('" 200 ');
    await totalBecomes(page, filtered.length);
    expect(await shownRecords(page)).toBe(filtered.length);
    const both = filtered.flatMap((row, i) => (all.includes(row) ? [i] : []));
    expect(both.length).toBeLessThan(all.length);
    await expect.poll(() => hits.innerText()).toMatch(new RegExp(`(^|of )${both.length}( records?)?$`));
    await page.getByRole('button', { name: 'Next hit' }).click();
    await expect.poll(async () => both.includes(await cursorRow(page))).toBe(true);
    await expect.poll(() => selected().innerText()).toContain('/healthz');
    const row = filtered[await cursorRow(page)];
    await recordGrid(page).focus();
    await page.keyboard.press('c');
    await totalBecomes(page, 10_000);
    await expect.poll(() => cursorRow(page)).toBe(row);
    await expect.poll(() => selected().count()).toBe(1);
    await expect.poll(() => hits.innerText()).toMatch(new RegExp(`^[\\d,]+ of ${all.length}$`));
    await page.getByRole('button', { name: 'Back to the filter' }).click();
    await expect.poll(() => rowTotal(page)).toBeLessThan(10_000);
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('');
    await expect.poll(() => rowTotal(page)).toBe(10_000);
  });

  test('leaves no rows of the filter before under one that is wrong', async () => {
    const filter = page.getByRole('combobox', { name: 'Filter by text or field' });
    await filter.fill('/healthz');
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
    await page.getByRole('button', { name: 'Regular expression', exact: true }).click();
    await filter.fill('(healthz');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('missing closing ) at (healthz');
    await expect.poll(() => rowTotal(page)).toBe(10_000);
    await filter.fill('(healthz|nothing)');
    await expect.poll(() => rowTotal(page)).toBeLessThan(1000);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Regular expression', exact: true }).click();
    await filter.fill('');
    await expect.poll(() => rowTotal(page)).toBe(10_000);
  });

  test('shows ticks beside the scroll bar, and a click goes to one', async () => {
    const rows = accessRowsWith('/healthz');
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${rows.length}`);
    const strip = page.getByRole('img', { name: /^Marks, hits of the search/ });
    const half = await strip.evaluate(({ clientHeight }) => clientHeight / 2);
    // A pointer that is over a tick says so; hits are many here, so one is near any place.
    await expect
      .poll(async () => {
        await strip.hover({ position: { x: 8, y: half + Math.random() } });
        return strip.getAttribute('title');
      })
      .toBe('Go to this hit of the search');
    await strip.click({ position: { x: 8, y: half } });
    await expect.poll(async () => rows.includes(await cursorRow(page)) && Math.abs((await cursorRow(page)) - 5000) < 300).toBe(true);
  });

  test('axe-core finds nothing in it', async () => {
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await expectNoFindings(page, 'search');
  });

  // Last: the columns stay as wide as it makes them.
  test('shows a hit in a column that is out of sight', async () => {
    const edge = page.getByRole('columnheader', { name: 'request' }).getByRole('separator');
    const grid = recordGrid(page);
    const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
    await page.mouse.move(x + 2, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 802, y + 8);
    await page.mouse.up();
    const scrolled = (): Promise<number> => grid.evaluate((one) => one.scrollLeft);
    await expect.poll(scrolled).toBe(0);
    await page.keyboard.press('Control+f');
    await field.fill('198.51.100.94');
    const isInSight = (): Promise<boolean> =>
      grid.evaluate((one) => {
        const mark = one.querySelector('.cursor mark.found')?.getBoundingClientRect();
        const { left, right } = one.getBoundingClientRect();
        return mark !== undefined && mark.left >= left && mark.right <= right;
      });
    await expect.poll(isInSight).toBe(true);
    // Who scrolls back is left alone until the next hit.
    await grid.evaluate((one) => (one.scrollLeft = 0));
    await expect.poll(scrolled).toBe(0);
    await field.press('Enter');
    await expect.poll(isInSight).toBe(true);
  });

  test('shows a hit behind what fits into a cell', async () => {
    await page.keyboard.press('Control+f');
    await field.fill('HTTP/1.1');
    const grid = recordGrid(page);
    const hits = (): Promise<{ all: number; hidden: number }> =>
      grid.evaluate((one) => {
        const marks = [...one.querySelectorAll('.row mark.found')];
        const isHidden = (mark: Element): boolean => {
          const cell = (mark.closest('.cell') as HTMLElement).getBoundingClientRect();
          const { left, right } = mark.getBoundingClientRect();
          return left < cell.left || right > cell.right;
        };
        return { all: marks.length, hidden: marks.filter(isHidden).length };
      });
    await expect.poll(async () => (await hits()).all).toBeGreaterThan(5);
    // The column of the requests is made narrower than they are.
    const edge = page.getByRole('columnheader', { name: 'request' }).getByRole('separator');
    const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
    await page.mouse.move(x + 2, y + 8);
    await page.mouse.down();
    await page.mouse.move(x - 1000, y + 8);
    await page.mouse.up();
    await expect.poll(hits).toMatchObject({ hidden: 0 });
  });
});
