import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const VIEWS = ['Logs', 'Overview', 'Charts', 'Scripts', 'Alerts', 'Query', 'Settings'] as const;

const go = (page: Page, view: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();

describe('the look of the window', () => {
  let app: App;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log'), SAMPLE('syslog.log')]);
    page = app.page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ state }) => state === 'following'));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([
    ['light', 'Normal'],
    ['dark', 'Normal'],
    ['light', 'High'],
    ['dark', 'High'],
  ])('axe-core finds nothing in any view: %s, contrast %s', async (theme, contrast) => {
    await go(page, 'Settings');
    await page.getByRole('radio', { name: theme === 'light' ? 'Light' : 'Dark' }).check();
    await page.getByRole('radio', { name: contrast, exact: true }).check();
    for (const view of VIEWS) {
      await go(page, view);
      await page.getByRole('heading', { name: view, level: 1 }).waitFor({ state: 'attached' });
      if (view === 'Logs') await page.locator('[role="grid"] [data-row]').nth(2).click();
      await expectNoFindings(page, view);
    }
  });

  test('axe-core finds nothing in what opens over the views', async () => {
    await go(page, 'Logs');
    const row = page.locator('[role="grid"] [data-row]').nth(2);
    const opened = page.locator('.menu, .dialog').filter({ visible: true });
    const openers: Record<string, () => Promise<void>> = {
      'context menu': () => row.click({ button: 'right' }),
      columns: () => page.getByRole('button', { name: 'Columns', exact: true }).click(),
      layers: () => page.getByRole('button', { name: /^Histogram by / }).click(),
      'time range': () => page.getByRole('button', { name: /^Time range/ }).click(),
      palette: () => page.keyboard.press('ControlOrMeta+k'),
      keys: () => page.keyboard.press('F1'),
      decoder: async () => {
        await page.getByRole('button', { name: 'access.log' }).first().click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Choose decoder…' }).click();
      },
      count: async () => {
        await row.click();
        await page.getByRole('button', { name: 'Actions for Type' }).click();
        await page.getByRole('menuitem', { name: 'Count by Type' }).click();
        await page.getByRole('region', { name: 'Values of Type' }).getByRole('button').first().waitFor();
      },
    };
    for (const [name, open] of Object.entries(openers)) {
      await open();
      if (name !== 'count') await opened.first().waitFor();
      await expectNoFindings(page, name);
      await page.keyboard.press('Escape');
      await expect.poll(() => opened.count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Close the builder' }).click();
  });

  test('in a contrast theme of the system, what is chosen and what tells layers apart can be seen', async () => {
    const backgrounds = (of: string): Promise<string[]> =>
      page.locator(of).evaluateAll((elements) => elements.map((element) => getComputedStyle(element).backgroundColor));
    await go(page, 'Logs');
    await page.locator('[role="grid"] [data-row]').nth(2).click();
    await page.emulateMedia({ forcedColors: 'active' });
    await expect.poll(async () => new Set(await backgrounds('[role="grid"] [data-row]')).size).toBe(2);
    await expect.poll(async () => new Set(await backgrounds('[aria-label="Views"] button')).size).toBe(2);
    const layers = await backgrounds('.entries i');
    expect(layers.length).toBeGreaterThan(1);
    expect(new Set(layers).size).toBe(layers.length);
    await page.emulateMedia({ forcedColors: null });
  });

  test('nothing sticks out at the least size', async () => {
    await app.resize(900, 600);
    for (const view of VIEWS) {
      await go(page, view);
      await page.getByRole('heading', { name: view, level: 1 }).waitFor({ state: 'attached' });
      const room = (): Promise<number[]> =>
        page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return [scrollWidth - innerWidth, scrollHeight - innerHeight];
        });
      await expect.poll(room, { message: view }).toEqual([0, 0]);
    }
  });

  test('panes keep their sizes over a reload', async () => {
    await go(page, 'Logs');
    const border = page.getByRole('separator', { name: 'Width of the sources' });
    await border.focus();
    await page.keyboard.press('Home');
    const least = await border.getAttribute('aria-valuemin');
    await expect.poll(() => border.getAttribute('aria-valuenow')).toBe(least);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('sluicebox.pane.sources'))).toContain(least);
    await page.reload();
    await border.waitFor();
    await expect.poll(() => border.getAttribute('aria-valuenow')).toBe(least);
  });

  test('the page kept to its policy and complained of nothing', () => expect(complaints).toEqual([]));
});
