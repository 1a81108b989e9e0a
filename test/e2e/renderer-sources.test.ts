import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const access = (minute: number): string =>
  `192.0.2.7 - - [20/Nov/2026:10:${String(minute).padStart(2, '0')}:00 +0000] "GET /at/${minute} HTTP/1.1" 200 12 "-" "curl/8.4.0"\n`;
const message = (minute: number): string =>
  `<30>1 2026-11-20T10:${String(minute).padStart(2, '0')}:30Z host app ${minute} - - message ${minute}\n`;
const minutes = Array.from({ length: 10 }, (_unused, i) => i);

describe('sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-sources-'));
  let app: App;
  let page: Page;
  const rows = (): Locator => page.locator('[role="grid"] [data-row]');
  const heads = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();

  beforeAll(async () => {
    writeFileSync(join(folder, 'access.log'), minutes.map(access).join(''));
    writeFileSync(join(folder, 'app.log'), minutes.map(message).join(''));
    app = await startApp([join(folder, 'access.log'), join(folder, 'app.log')]);
    page = app.page;
    await app.stateWhere(
      ({ sources }) => sources.length === 2 && sources.every(({ records, state }) => records === 10 && state === 'following'),
    );
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('have a switch each, and columns that do not depend on the others', async () => {
    await expect.poll(() => rows().count()).toBe(20);
    // The rows may come a moment before the news of the second source.
    await expect.poll(heads).not.toContain('status');
    await page.getByRole('button', { name: 'Hide the records of app.log' }).click();
    await expect.poll(() => rows().count()).toBe(10);
    await expect.poll(heads).toEqual(expect.arrayContaining(['status', 'request']));
    await expect.poll(heads).not.toContain('Source');
    await expectNoFindings(page, 'a source that is switched off');
    await page.getByRole('button', { name: 'Show the records of app.log' }).click();
    await expect.poll(() => rows().count()).toBe(20);
  });

  test('show what occurs most in them alone while others are hidden', async () => {
    const go = (view: string): Promise<void> => page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
    const addresses = page.getByRole('region', { name: 'Most frequent remote_addr' });
    await go('Overview');
    await addresses.waitFor();
    await page.getByRole('button', { name: 'Hide the records of access.log' }).click();
    await addresses.waitFor({ state: 'detached' });
    await expectNoFindings(page, 'the overview of one source');
    await page.getByRole('button', { name: 'Only app.log' }).click();
    await addresses.waitFor();
    await go('Logs');
    await expect.poll(() => rows().count()).toBe(20);
  });

  test('take their place in time when their clock is set right', async () => {
    const order = async (): Promise<string[]> =>
      (await rows().allInnerTexts()).map((text) => /at\/\d+|message \d+/.exec(text.replaceAll('\n', ' '))?.[0] ?? '');
    await expect.poll(async () => (await order()).slice(0, 3)).toEqual(['at/0', 'message 0', 'at/1']);
    await page.getByRole('listitem').filter({ hasText: 'app.log' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Times…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Times of app.log' });
    const field = dialog.getByLabel('Add to its times');
    await field.fill('soon');
    await expect.poll(() => dialog.getByRole('button', { name: 'Use' }).isDisabled()).toBe(true);
    await field.fill('-1 h');
    await expectNoFindings(page, 'the times of a source');
    await dialog.getByRole('button', { name: 'Use' }).click();
    await expect.poll(async () => (await order()).slice(9, 12)).toEqual(['message 9', 'at/0', 'at/1']);
    await page.getByRole('listitem').filter({ hasText: 'app.log' }).getByText('−1 h').waitFor();
  });

  test('leave filter and inspector when they are closed', async () => {
    await page.getByRole('button', { name: 'Hide the records of access.log' }).click();
    await expect.poll(() => rows().count()).toBe(10);
    await rows().first().click();
    const inspector = page.getByRole('region', { name: 'Selected record' });
    await inspector.getByText('app.log').first().waitFor();
    const { sources } = await app.request('engine.state', {});
    await app.request('source.close', { id: sources.find(({ label }) => label === 'app.log')?.id ?? -1 });
    await expect.poll(async () => (await rows().allInnerTexts()).filter((text) => text.includes('/at/')).length).toBe(10);
    await page.getByText('Select a record to see all of it.').waitFor();
  });
});
