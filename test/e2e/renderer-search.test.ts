import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { until } from '../until.ts';

describe('the search of the Logs view', () => {
  let app: App;
  let page: Page;
  let bar: Locator;
  let field: Locator;
  let hits: Locator;

  const rowTotal = async (): Promise<number> => Number(await page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')) - 1;
  const selected = (): Locator => page.locator('[role="row"][aria-selected="true"]');
  const cursor = async (): Promise<number> => Number(await selected().first().getAttribute('data-row'));

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    bar = page.getByRole('search', { name: 'Search' });
    field = bar.getByRole('textbox', { name: 'Search' });
    hits = bar.getByRole('status', { name: 'Hits' });
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
    await until(
      async () => (await rowTotal()) === 10_000,
      () => 'all rows',
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    const end = page.getByRole('button', { name: 'End the search' });
    if (await end.isVisible()) await end.click();
    const clear = page.getByRole('button', { name: 'Clear all' });
    if (await clear.isVisible()) await clear.click();
    await until(
      async () => (await rowTotal()) === 10_000,
      () => 'all rows',
    );
    await until(
      async () => {
        await page.getByRole('grid', { name: 'Records' }).focus();
        await page.keyboard.press('Home');
        return (await selected().first().isVisible()) && (await cursor()) === 0;
      },
      () => 'the first row',
    );
  });

  /** The hits by a view of its own that filters: their rows in the list of all. */
  async function hitRows(text: string): Promise<number[]> {
    const { view } = await app.request('view.open', { query: { text } });
    const { view: all } = await app.request('view.open', { query: {} });
    const rows: number[] = [];
    for (let start = 0; ; start += 1000) {
      const piece = await app.request('view.rows', { view, start, count: 1000, columns: [] });
      for (const { id } of piece.rows) rows.push((await app.request('view.locate', { view: all, id })).row ?? -1);
      if (piece.rows.length < 1000) break;
    }
    await app.request('view.close', { view });
    await app.request('view.close', { view: all });
    return rows;
  }

  test('finds without filtering, marks the hits and goes from one to the next', async () => {
    const rows = await hitRows('/healthz');
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${rows.length}`);
    expect(await rowTotal()).toBe(10_000);
    expect(await cursor()).toBe(rows[0]);
    await expect.poll(() => selected().locator('mark.found').first().innerText()).toBe('/healthz');
    await field.press('Enter');
    await expect.poll(() => hits.innerText()).toBe(`2 of ${rows.length}`);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await expect.poll(() => hits.innerText()).toBe(`${rows.length} of ${rows.length}, went round`);
    await field.press('Escape');
    await page.keyboard.press('n');
    await expect.poll(cursor).toBe(rows[0]);
    await page.keyboard.press('n');
    await expect.poll(cursor).toBe(rows[1]);
    await page.keyboard.press('Shift+N');
    await expect.poll(cursor).toBe(rows[0]);
  });

  test('keeps its text when it is ended, and n takes it up again', async () => {
    await page.keyboard.press('Control+f');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await page.getByRole('button', { name: 'End the search' }).click();
    await expect.poll(() => page.locator('mark.found').count()).toBe(0);
    const before = await cursor();
    await page.keyboard.press('n');
    await expect.poll(cursor).toBeGreaterThan(before);
    expect(await field.inputValue()).toBe('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^2 of /);
  });

  test('speaks of what was typed when it is wrong, and leaves no old hits', async () => {
    await page.keyboard.press('/');
    await field.fill('healthz');
    await expect.poll(() => page.locator('mark.found').count()).toBeGreaterThan(0);
    await field.press('Alt+r');
    await field.fill('(healthz');
    await expect.poll(() => bar.getByRole('alert').innerText()).toContain('missing closing ) at (healthz');
    expect(await page.locator('mark.found').count()).toBe(0);
    expect(await hits.innerText()).toBe('');
    await field.fill('(healthz)');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await field.press('Alt+r');
    await field.fill('nothing of the kind');
    await expect.poll(() => hits.innerText()).toBe('Not found');
  });

  test('is kept while one filters, and while one looks at the neighbours', async () => {
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    const all = Number((await hits.innerText()).replace(/^1 of /, '').replaceAll(',', ''));
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('" 200 ');
    const shown = page.getByRole('status', { name: 'Records that are shown' });
    await expect.poll(() => shown.innerText()).toMatch(/^[\d,]+ of 10,000$/);
    await expect
      .poll(async () => [await shown.innerText(), `${(await rowTotal()).toLocaleString('en')} of 10,000`])
      .toSatisfy(([said, counted]: string[]) => said === counted);
    await expect.poll(async () => Number(/([\d,]+)( records?)?$/.exec(await hits.innerText())?.[1]?.replaceAll(',', ''))).toBeLessThan(all);
    await page.getByRole('button', { name: 'Next hit' }).click();
    await expect.poll(() => selected().innerText()).toContain('/healthz');
    const text = await selected().innerText();
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('c');
    await expect.poll(rowTotal).toBe(10_000);
    await expect.poll(() => selected().allInnerTexts()).toEqual([text]);
    await expect.poll(() => hits.innerText()).toMatch(new RegExp(`^[\\d,]+ of ${all.toLocaleString('en')}$`));
    await page.getByRole('button', { name: 'Back to the filter' }).click();
    await expect.poll(rowTotal).toBeLessThan(10_000);
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('');
    await expect.poll(rowTotal).toBe(10_000);
  });

  test('leaves no rows of the filter before under one that is wrong', async () => {
    const filter = page.getByRole('combobox', { name: 'Filter by text or field' });
    await filter.fill('/healthz');
    await expect.poll(rowTotal).toBeLessThan(1000);
    await page.getByRole('button', { name: 'Regular expression', exact: true }).click();
    await filter.fill('(healthz');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('missing closing ) at (healthz');
    await expect.poll(rowTotal).toBe(10_000);
    await filter.fill('(healthz|nothing)');
    await expect.poll(rowTotal).toBeLessThan(1000);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Regular expression', exact: true }).click();
    await filter.fill('');
    await expect.poll(rowTotal).toBe(10_000);
  });

  test('shows ticks beside the scroll bar, and a click goes to one', async () => {
    const rows = await hitRows('/healthz');
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toBe(`1 of ${rows.length}`);
    const strip = page.getByRole('img', { name: /^Marks, hits of the search/ });
    const box = await strip.boundingBox();
    if (box === null) throw new Error('no strip');
    // A pointer that is over a tick says so; hits are many here, so one is near any place.
    await expect
      .poll(async () => {
        await page.mouse.move(box.x + 8, box.y + box.height / 2 + Math.random());
        return strip.getAttribute('title');
      })
      .toBe('Go to this hit of the search');
    await page.mouse.click(box.x + 8, box.y + box.height / 2);
    await expect.poll(async () => rows.includes(await cursor()) && Math.abs((await cursor()) - 5000) < 300).toBe(true);
  });

  test('axe-core finds nothing in it', async () => {
    await page.keyboard.press('/');
    await field.fill('/healthz');
    await expect.poll(() => hits.innerText()).toMatch(/^1 of /);
    await expectNoFindings(page, 'search');
  });
});
