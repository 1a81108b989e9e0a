import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { until } from '../until.ts';
import { startApp, type App } from './support/app.ts';
import { bruteForce, liveLog, memoryLeak, moreOf, slowDatabase, webOutage, wrongClocks } from './support/incidents.ts';
import { filterBox, recordGrid, rowTotal, shownRecords } from './support/records.ts';

/** Stories of incidents, told by what a person does: a click, a key, or something that is typed and sent. */
class Story implements AsyncDisposable {
  /** What was done, in words. */
  readonly actions: string[] = [];
  readonly app: App;
  readonly #folder: string;

  private constructor(app: App, folder: string) {
    this.app = app;
    this.#folder = folder;
  }

  static async of(write: (folder: string) => string[]): Promise<Story> {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-story-'));
    const files = write(folder);
    const app = await startApp(files);
    // The last record of a file may come a while after the others, when it has several lines.
    const isRead = async (): Promise<boolean> => {
      const { records, sources } = await app.request('engine.state', {});
      const areRead = sources.every((source) => ['following', 'complete'].includes(source.state) && source.records > 0);
      return sources.length === files.length && areRead && (await rowTotal(app.page)) === records;
    };
    await until(isRead, 'all records of all files');
    return new Story(app, folder);
  }

  get page(): Page {
    return this.app.page;
  }

  async do(action: string, how: () => Promise<unknown>): Promise<void> {
    this.actions.push(action);
    await how();
  }

  key(name: string, why: string): Promise<void> {
    return this.do(`${name}: ${why}`, () => this.page.keyboard.press(name));
  }

  filter(text: string): Promise<void> {
    return this.do(`filter ${text}`, async () => {
      await filterBox(this.page).fill(text);
      await this.page.keyboard.press('Enter');
    });
  }

  file(name: string): string {
    return join(this.#folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let story: Story;
afterEach(() => story[Symbol.asyncDispose]());

const rows = (): Locator => recordGrid(story.page).locator('[data-row]');
const selected = (): Promise<string> => story.page.getByRole('region', { name: 'Selected record' }).innerText();

test('a web outage: the cause is found in 5 actions, and the clients with one more', async () => {
  story = await Story.of(webOutage);
  const { page } = story;
  await recordGrid(page).focus();
  await story.key('e', 'the first error of all files');
  await expect.poll(selected).toContain('OutOfMemoryError: Java heap space');
  await story.filter('status:504');
  await expect.poll(() => shownRecords(page)).toBe(661);
  expect(story.actions.length).toBeLessThanOrEqual(5);
  await story.key('Control+2', 'what the failures have in common');
  await page.getByText('counted exactly').first().waitFor();
  const clients = page.getByRole('region', { name: 'Field remote_addr' });
  await clients
    .getByRole('button', { name: /198\.51\.100\./ })
    .first()
    .waitFor();
  expect(story.actions.length).toBeLessThanOrEqual(6);
});

test('a login attack over rotated files: who got in is found in 2 actions', async () => {
  story = await Story.of(bruteForce);
  const { page } = story;
  await story.key('Control+2', 'an overview of the three files');
  await page.getByText('counted exactly').first().waitFor();
  await story.do('the commonest address', () =>
    page
      .getByRole('region', { name: 'Field remote_addr' })
      .getByRole('button', { name: /203\.0\.113\.66/ })
      .click(),
  );
  await expect.poll(() => shownRecords(page)).toBe(10_501);
  await expect.poll(() => rows().last().innerText()).toContain('203.0.113.66');
  expect(story.actions.length).toBeLessThanOrEqual(2);
});

test('a memory leak: the worker and its version are found in 4 actions', async () => {
  story = await Story.of(memoryLeak);
  const { page } = story;
  await story.key('Control+2', 'the memory among the fields, with its highest value');
  await page.getByText('counted exactly').first().waitFor();
  await page.getByRole('region', { name: 'Field heap_mb' }).getByText('1.4k').first().waitFor();
  await story.key('Control+1', 'back to the records');
  await story.filter('heap_mb > 500');
  await expect.poll(() => shownRecords(page)).toBe(2249);
  // The field of a filter is a column, and all of them are of one worker.
  await page
    .getByRole('columnheader', { name: /heap_mb/ })
    .first()
    .waitFor();
  await expect.poll(async () => (await rows().allInnerTexts()).every((text) => text.includes('worker-2'))).toBe(true);
  await story.do('all of one record', () => rows().first().click());
  await expect.poll(selected).toContain('2.4.1');
  expect(story.actions.length).toBeLessThanOrEqual(4);
});

test('a slow database: the slow minute and its statement are found in 3 actions, and who asks with 2 more', async () => {
  story = await Story.of(slowDatabase);
  const { page } = story;
  await story.do('the menu of a number', () => page.getByRole('columnheader', { name: /Query_time/ }).click({ button: 'right' }));
  await story.do('its percentiles', () => page.getByRole('menuitem', { name: 'Percentiles over time' }).click());
  const plot = page.getByRole('slider', { name: /Percentiles of Query_time/ });
  const at = await placeOf(plot, /:33:/);
  await story.do('the minute that stands out', () => plot.click({ position: at }));
  await expect.poll(selected).toContain('SELECT * FROM orders ORDER BY total');
  expect(story.actions.length).toBeLessThanOrEqual(3);
  await story.key('Control+3', 'back to the graph');
  const builder = page.getByRole('region', { name: 'Builder' });
  await story.do('by the client', async () => {
    const by = builder.getByRole('combobox', { name: 'By', exact: true });
    await by.fill('Hostname');
    await by.press('Enter');
  });
  await builder.getByText('192.0.2.99').first().waitFor();
  expect(story.actions.length).toBeLessThanOrEqual(5);
});

/** The place in a graph at which it tells this time: a person sees it. */
async function placeOf(plot: Locator, time: RegExp): Promise<{ x: number; y: number }> {
  await plot.waitFor();
  return until(async () => {
    const { x: left, y: top, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (let x = width * 0.5; x < width * 0.7; x += 4) {
      await story.page.mouse.move(left + x, top + height / 2);
      if (time.test((await plot.getAttribute('aria-valuetext')) ?? '')) return { x, y: height / 2 };
    }
    return null;
  }, `a place of the graph that tells ${time.source}`);
}

test('wrong clocks: one is set right in 6 actions', async () => {
  story = await Story.of(wrongClocks);
  const { page } = story;
  await story.filter('request_id:req-04711');
  await expect.poll(() => shownRecords(page)).toBe(2);
  await story.do('the menu of the source', () =>
    page.getByRole('listitem').filter({ hasText: 'payments.jsonl' }).click({ button: 'right' }),
  );
  await story.do('its times', () => page.getByRole('menuitem', { name: 'Times…' }).click());
  const dialog = page.getByRole('dialog', { name: 'Times of payments.jsonl' });
  await story.do('an hour less', async () => {
    await dialog.getByLabel('Add to its times').fill('-1 h');
    await page.keyboard.press('Enter');
  });
  await dialog.waitFor({ state: 'detached' });
  await story.do('the second record', () => rows().last().click());
  await expect.poll(selected).toContain('paid');
  await expect.poll(selected).toMatch(/:23:33\.400/);
  expect(story.actions.length).toBeLessThanOrEqual(6);
});

test('errors of a live log: they are watched with one action, and held with another', async () => {
  story = await Story.of(liveLog);
  const { page } = story;
  await story.filter('status:503');
  appendFileSync(story.file('live.log'), moreOf(0, 500));
  await expect.poll(() => rows().last().innerText()).toContain('/late/490');
  await story.do('hold one', () => rows().last().click());
  await expect.poll(selected).toContain('/late/490');
  appendFileSync(story.file('live.log'), moreOf(500, 500));
  await page.getByRole('button', { name: '50 new records' }).waitFor();
  await expect.poll(selected).toContain('/late/490');
  expect(story.actions.length).toBeLessThanOrEqual(2);
});
