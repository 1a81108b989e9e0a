import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { KeptLayouts } from './support/kept-layouts.ts';
import { layoutFaults } from './support/layout.ts';
import { pictureOf } from './support/picture.ts';

const VIEWS = ['Logs', 'Overview', 'Charts', 'Builder', 'Query', 'Alerts', 'Scripts', 'Settings'] as const;

describe('the layout', () => {
  let app: App;
  let page: Page;
  const layouts = new KeptLayouts();

  const go = async (view: string): Promise<void> => {
    if (view === 'Builder') return build();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor({ state: 'attached' });
    if (view === 'Charts') await page.locator('canvas').first().waitFor();
  };
  /** The builder at the top of Charts, with an answer. */
  const build = async (): Promise<void> => {
    await go('Charts');
    await page.getByRole('button', { name: 'New graph' }).click();
    await page.getByRole('region', { name: 'Builder' }).locator('canvas').first().waitFor();
  };
  const picture = (name: string): Promise<void> => pictureOf(app, name);

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log'), SAMPLE('syslog.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ state }) => state === 'following'));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const wear = async (theme: 'Dark' | 'Light'): Promise<void> => {
    await go('Settings');
    await page.getByRole('radio', { name: theme }).check();
  };

  describe.each([
    [1440, 900, 1],
    [900, 600, 1],
    [900, 600, 1.5],
  ] as const)('at %i by %i, zoom %d', (width, height, zoom) => {
    test.each(['Light', 'Dark'] as const)('holds, and is as it was: %s', async (theme) => {
      await app.resize(width, height, zoom);
      await wear(theme);
      for (const view of VIEWS) {
        await go(view);
        await expect.poll(() => layoutFaults(page), { message: view }).toEqual([]);
        await expect.poll(() => layouts.differences(page, `${view}, ${width} x ${height}, ${zoom * 100} %`), { message: view }).toEqual([]);
        await picture(`layout-${view}-${width}-${zoom * 100}-${theme}`);
        if (view === 'Builder') await page.getByRole('button', { name: 'Close the builder' }).click();
      }
    });
  });

  test('tells a part that lies elsewhere', async () => {
    await app.resize(1440, 900, 1);
    await go('Logs');
    const changes = (): Promise<string[]> => layouts.differences(page, 'Logs, 1440 x 900, 100 %');
    await expect.poll(changes).toEqual([]);
    const histogram = page.getByRole('region', { name: 'Records over time' });
    const moveBy = (margin: string): Promise<void> =>
      histogram.evaluate((element: HTMLElement, top) => {
        element.style.marginTop = top;
      }, margin);
    await moveBy('20px');
    await expect.poll(changes).toContainEqual(expect.stringMatching(/^section Records over time lies at /));
    await moveBy('');
    await expect.poll(changes).toEqual([]);
  });

  test('tells sources of several types apart in the histogram, and folds the legend where it has no room', async () => {
    await go('Logs');
    const histogram = page.getByRole('region', { name: 'Records over time' });
    const shown = async (): Promise<string[]> => {
      const entries = await histogram.getByRole('button', { name: /^(nginx\.access|syslog|logfile) / }).allInnerTexts();
      return entries.map((text) => text.trim().split(' ')[0] ?? '');
    };
    const types = ['nginx.access', 'syslog', 'logfile'];
    await histogram.getByRole('button', { name: 'Histogram by Type' }).waitFor();
    await app.resize(1440, 900, 1);
    await expect.poll(shown).toEqual(types);
    await app.resize(900, 600, 1.5);
    const folded = histogram.getByRole('button', { name: /^\+\d+: / });
    await expect.poll(async () => (await shown()).length + Number((await folded.innerText()).slice(1))).toBe(types.length);
    expect((await shown()).length).toBeLessThan(types.length);
    await expect.poll(() => folded.getAttribute('title')).toContain('logfile');
    await folded.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: /^logfile / }).waitFor();
    await picture('layout-folded-legend');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Type = logfile', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await app.resize(1440, 900, 1);
    await expect.poll(shown).toEqual(types);
    await expect.poll(() => folded.count()).toBe(0);
  });

  test('keeps the filter bar to two rows in the least size', async () => {
    await app.resize(900, 600, 1);
    await go('Logs');
    await page.getByRole('combobox', { name: 'Filter by text or field' }).fill('GET');
    await page
      .getByRole('status', { name: 'Records that are shown' })
      .getByText(/of 15,000$/)
      .waitFor();
    const bar = page.getByRole('search', { name: 'Filter' });
    await expect.poll(() => bar.evaluate((element) => element.clientHeight)).toBeLessThan(80);
    await expect.poll(() => layoutFaults(page)).toEqual([]);
    await picture('layout-filter');
  });
});
