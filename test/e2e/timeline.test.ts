import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectNoFindings } from './support/axe.ts';
import { startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

/** 40 requests of 1 to 8 steps, of which some are under way at the same time; each fifth one has an error. */
const LINES = Array.from({ length: 40 }, (_, request) =>
  Array.from({ length: 1 + (request % 8) }, (_step, step) => {
    const at = 1_700_000_000_000 + request * 2000 + step * 700;
    const level = request % 5 === 0 && step === 0 ? 'error' : 'info';
    const id = `<b>req\u202e-${String(request).padStart(2, '0')}`;
    return { at, line: JSON.stringify({ time: new Date(at).toISOString(), level, request_id: id, msg: `step ${step}` }) };
  }),
)
  .flat()
  .sort((a, b) => a.at - b.at)
  .map(({ line }) => line);

describe('the timeline of the builder', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-timeline-'));
  const rows = (): Locator => page.getByRole('region', { name: 'Operations' }).locator('tbody tr');
  const cells = (row: number): Promise<string[]> => rows().nth(row).locator('th, td').allInnerTexts();
  const picture = (name: string): Promise<void> => pictureOf(app, name);

  beforeAll(async () => {
    writeFileSync(join(folder, 'steps.jsonl'), `${LINES.join('\n')}\n`);
    app = await startApp([join(folder, 'steps.jsonl')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === LINES.length));
    await page.getByRole('grid', { name: 'Records' }).waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('chooses the field that tells requests apart, and shows each from its first record to its last', async () => {
    await page.keyboard.press('Control+9');
    await expect.poll(() => rows().count()).toBe(40);
    await expect.poll(() => page.getByRole('combobox', { name: 'Operations by' }).inputValue()).toBe('Fields[request_id]');
    await expect.poll(() => cells(0)).toMatchObject({ 0: '<b>req\\u202e-00', 3: '0 s', 4: '1', 5: '1' });
    await expect.poll(() => cells(7)).toMatchObject({ 0: '<b>req\\u202e-07', 3: '4.9 s', 4: '8', 5: '–' });
    await expectNoFindings(page);
    await picture('timeline');
  });

  test('sorts by duration, records and errors, and finds a text', async () => {
    const head = (name: string): Locator => page.getByRole('columnheader', { name });
    await head('Duration').getByRole('button').click();
    await expect.poll(async () => (await cells(0))[3]).toBe('4.9 s');
    await head('Errors').getByRole('button').click();
    await expect.poll(async () => (await cells(0))[5]).toBe('1');
    await expect.poll(() => head('Errors').getAttribute('aria-sort')).toBe('descending');
    await head('Records').getByRole('button').click();
    await head('Records').getByRole('button').click();
    await expect.poll(async () => (await cells(0))[4]).toBe('1');
    await page.getByRole('searchbox', { name: 'Operations with this text' }).fill('REQ\u202e-1');
    await expect.poll(() => rows().count()).toBe(10);
    await page.getByRole('searchbox', { name: 'Operations with this text' }).fill('no such');
    await page.getByText('No operation has this text.').waitFor();
    await page.getByRole('searchbox', { name: 'Operations with this text' }).fill('');
  });

  test('says when no record has the field', async () => {
    await page.getByRole('combobox', { name: 'Operations by' }).selectOption('Pid');
    await page.getByText('No record has Pid').waitFor();
    await page.getByRole('combobox', { name: 'Operations by' }).selectOption('Fields[request_id]');
    await expect.poll(() => rows().count()).toBe(40);
  });

  test('fits into the least size', async () => {
    await app.resize(900, 600);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(900);
    await picture('timeline-small');
    await app.resize(1440, 900);
  });

  test('leads to the records of an operation, and is then of these alone', async () => {
    await rows().getByRole('button', { name: /-07$/ }).click();
    const grid = page.getByRole('grid', { name: 'Records' });
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount')) - 1).toBe(8);
    await page.keyboard.press('Control+9');
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => page.getByText('filtered as the Logs are').count()).toBe(1);
  });
});

test('a source without the likeliest field is shown by one that it has, each time that one comes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-timeline-vain-'));
  const logOf = (name: string, field: string): string => {
    const path = join(folder, `${name}.jsonl`);
    const lines = [0, 1, 2, 3].map((at) =>
      JSON.stringify({ time: new Date(1_700_000_000_000 + at).toISOString(), msg: name, [field]: `${name}-${at % 2}` }),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  await using app = await startApp([logOf('shop', 'trace_id'), logOf('jobs', 'thread')]);
  const { page } = app;
  await app.stateWhere(({ sources }) => sources.filter(({ state, records }) => state === 'following' && records === 4).length === 2);
  await page.getByText('jobs.jsonl', { exact: true }).first().click();
  await page.getByText('4 of 8').waitFor();
  const names = (): Promise<string[]> => page.getByRole('region', { name: 'Operations' }).locator('tbody th').allInnerTexts();
  for (const visit of ['first', 'second', 'third']) {
    await page.keyboard.press('Control+9');
    await expect.poll(names, { message: visit }).toEqual(['jobs-0', 'jobs-1']);
    await expect.poll(() => page.getByRole('combobox', { name: 'Operations by' }).inputValue()).toBe('Fields[thread]');
    await page.keyboard.press('Control+1');
    await page.getByRole('grid', { name: 'Records' }).waitFor();
  }
  // Each visit opens one list, and the Logs have theirs.
  const { view } = await app.request('view.open', { query: {} });
  expect(view).toBeLessThan(40);
  rmSync(folder, { recursive: true, force: true });
});
