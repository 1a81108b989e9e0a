import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectNoFindings } from './support/axe.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

describe('the Overview', () => {
  let app: App;
  let page: Page;
  const rows = (): Locator => page.getByRole('region', { name: 'Patterns' }).locator('tbody tr');

  beforeAll(async () => {
    app = await startApp([SAMPLE('syslog.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records > 0));
    await page.getByRole('grid', { name: 'Records' }).waitFor();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('has each field of the shown records, and leads to the records of a value', async () => {
    await page.keyboard.press('Control+2');
    await page.getByText('counted exactly').first().waitFor();
    const programs = page.getByRole('region', { name: 'Field programname' });
    await programs.getByRole('button', { name: /sshd/ }).waitFor();
    await expectNoFindings(page, 'Fields');
    await pictureOf(app, 'overview-fields');
    await programs.getByRole('button', { name: 'programname', exact: true }).click();
    await programs.getByRole('heading', { name: 'Records with it over time' }).waitFor();
    await expectNoFindings(page, 'a field that is shown large');
    await pictureOf(app, 'overview-field');
    const value = programs.getByRole('button', { name: /sshd/ });
    await value.click({ modifiers: ['ControlOrMeta'] });
    // It stays, and has the fields of these records alone.
    await page.getByText('Filtered as the Logs are').waitFor();
    await page.getByText('In all records:').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await value.click();
    await page.getByRole('button', { name: 'programname = sshd', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
  });

  test('groups lines, says which are new since a time, and leads to their records', async () => {
    await page.keyboard.press('Control+8');
    await rows().first().waitFor();
    await expect.poll(() => page.getByRole('progressbar', { name: 'Finding patterns' }).count()).toBe(0);
    const first = async (): Promise<number> => Number((/^[\d,]+/.exec(await rows().first().innerText())?.[0] ?? '').replaceAll(',', ''));
    await expect.poll(first).toBeGreaterThan(10);
    const count = await first();
    await expectNoFindings(page);
    const slider = page.getByRole('slider', { name: /^New and gone since/ });
    await slider.focus();
    for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowRight');
    const fresh = page.getByRole('button', { name: /^New / });
    await fresh.click();
    await expect.poll(async () => (await rows().count()).toLocaleString('en')).toBe((await fresh.innerText()).replace('New ', ''));
    const chosen = await slider.getAttribute('aria-valuetext');
    await page.keyboard.press('Control+1');
    await slider.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+8');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(chosen);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await pictureOf(app, 'patterns');
    await expect.poll(first).toBe(count);
    await rows().first().getByRole('button').first().click();
    const grid = page.getByRole('grid', { name: 'Records' });
    await grid.waitFor();
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount')) - 1).toBe(count);
  });

  test('has the patterns of what the filter shows', async () => {
    await page.keyboard.press('Control+8');
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(() => page.getByText('filtered as the Logs are').count()).toBe(1);
  });

  test('has the patterns of a field, and leads to the records with such values', async () => {
    await page.keyboard.press('Control+1');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page
      .getByRole('grid', { name: 'Records' })
      .getByText(/^(?:sshd|CRON)$/)
      .first()
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Patterns of programname' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Patterns of' }).inputValue()).toBe('Fields[programname]');
    const sshd = rows().filter({ has: page.getByRole('button', { name: 'sshd', exact: true }) });
    await sshd.first().waitFor();
    const count = Number((/^[\d,]+/.exec(await sshd.first().innerText())?.[0] ?? '').replaceAll(',', ''));
    await expectNoFindings(page);
    await pictureOf(app, 'patterns-of-a-field');
    await sshd.first().getByRole('button').first().click();
    const grid = page.getByRole('grid', { name: 'Records' });
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount')) - 1).toBe(count);
    await page.getByRole('button', { name: 'programname: sshd', exact: true }).waitFor();
  });
});
