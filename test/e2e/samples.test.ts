/** Samples of all kinds, one after the other: each of the five views shows something that fits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { SourceInfo } from '../../engine/api/types.ts';
import { SAMPLE_FILES, samplesOf, type FormatSample } from '../format-samples.ts';
import { startApp, type App } from './support/app.ts';

/** The first sample of each decoder, and of what none knows in each file. */
const SAMPLES: readonly FormatSample[] = [
  ...new Map(
    SAMPLE_FILES.flatMap((file) => samplesOf(file).map((sample) => [sample.expected['decoder'] ?? file, sample] as const)).reverse(),
  ).values(),
];

/** The keys of the views, and a check of what each shows of so many records. */
const VIEWS: readonly (readonly [key: string, shows: (page: Page, records: number) => Promise<unknown>])[] = [
  [
    'Control+1',
    async (page, records) => {
      const grid = page.getByRole('grid', { name: 'Records' });
      await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(records + 1));
      await expect.poll(() => grid.locator('[data-row]').first().innerText()).toMatch(/\d.*\n.*\S/s);
    },
  ],
  [
    'Control+2',
    async (page, records) => {
      await page.getByText(new RegExp(`^${records} records?, \\d+ fields?, counted exactly$`)).waitFor();
      const pattern = page.getByRole('region', { name: 'Patterns' }).locator('tbody tr');
      await page
        .getByRole('region', { name: /^Field / })
        .or(pattern)
        .first()
        .waitFor();
    },
  ],
  ['Control+3', (page) => expect.poll(() => page.locator('main .cards').getByRole('row').last().innerText()).toMatch(/\d/)],
  [
    'Control+4',
    async (page, records) => {
      await page.getByRole('textbox', { name: 'SQL' }).focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(`SELECT *, ${records} AS expected FROM messages`);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('columnheader', { name: 'expected' }).waitFor();
      await page.getByRole('grid', { name: 'Result' }).getByRole('gridcell').first().waitFor();
      await page.keyboard.press('Escape');
    },
  ],
  ['Control+5', (page) => page.getByRole('button', { name: 'New alert…' }).first().waitFor()],
];

describe('each view shows something that fits', () => {
  let app: App;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-samples-'));
  beforeAll(async () => void (app = await startApp()));
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    const { sources } = await app.request('engine.state', {});
    for (const { id } of sources) await app.request('source.close', { id });
  });

  test('there are forty samples and more', () => expect(SAMPLES.length).toBeGreaterThanOrEqual(40));

  test.each(SAMPLES)('$title', async ({ title, text }) => {
    const path = join(folder, `${title.replaceAll(/[^a-z\d]+/gi, '-')}.log`);
    writeFileSync(path, text);
    await app.open(path);
    const opened = await app.stateWhere(({ sources: [source] }) => source?.state === 'following' && source.records > 0);
    const { records } = opened.sources[0] as SourceInfo;
    for (const [key, shows] of VIEWS) {
      await app.page.keyboard.press(key);
      await shows(app.page, records);
    }
  });
});
