import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { filterBox } from './support/records.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 3, 12);
/** Minutes of the log, and the first and last of those that have failures. */
const [MINUTES, BEGIN, END] = [240, 120, 125];

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-graph-alert-'));
const log = join(folder, 'access.log');
let app: App;

function line(minute: number, status: number): string {
  const [, month, day, year, clock] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(NOON + minute * MINUTE).toUTCString()) ?? [];
  return `192.0.2.7 - - [${month}/${day}/${year}:${clock} +0000] "GET /a HTTP/1.1" ${status} 12 "-" "curl/8"\n`;
}

beforeAll(async () => {
  const statuses = (minute: number): string =>
    line(minute, 200).repeat(3) + (minute >= BEGIN && minute <= END ? line(minute, 503).repeat(5) : '');
  writeFileSync(log, Array.from({ length: MINUTES }, (_unused, minute) => statuses(minute)).join(''));
  app = await startApp([log]);
  await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('a graph gets an alert from its menu, which tells in words what was, and leads to the graph', async () => {
  const { page } = app;
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Charts' }).click();
  const card = page.getByRole('region', { name: 'HTTP Status', exact: true });
  await card.getByText('5xx').first().waitFor();
  await card.getByRole('button', { name: 'Actions for HTTP Status' }).click();
  await page.getByRole('menuitem', { name: 'Alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Alert about a graph' });
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Column' }).locator('option:checked').innerText()).toBe('5xx');
  await expectNoFindings(page);
  await dialog.getByRole('radio', { name: 'changes suddenly, or has values where it had none' }).check();
  await dialog.getByRole('button', { name: 'Add the alert' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
  const began = page.getByRole('listitem').filter({ hasText: 'HTTP Status: 5xx, where there were none before' });
  await began.waitFor();
  await expect.poll(() => began.locator('time').getAttribute('datetime')).toMatch(/^2026-11-03T14:0/);
  await began.getByRole('button', { name: 'Show the graph' }).click();
  await card.waitFor();

  // The same again is refused, and what there is stays.
  await card.getByRole('button', { name: 'Actions for HTTP Status' }).click();
  await page.getByRole('menuitem', { name: 'Alert…' }).click();
  await dialog.getByRole('radio', { name: 'changes suddenly, or has values where it had none' }).check();
  await dialog.getByRole('button', { name: 'Add the alert' }).click();
  await expect.poll(() => dialog.getByRole('alert').innerText()).toBe('There is such an alert already.');
});

test('a new alert counts what the filter shows, tells what was, and is listed with its condition', async () => {
  const { page } = app;
  // The dialog of the graph is still there, with its refusal.
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Logs' }).click();
  await filterBox(page).fill('status:503');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
  await page.getByRole('button', { name: 'New alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await expect.poll(() => dialog.getByRole('radio', { name: 'status:503' }).isChecked()).toBe(true);
  await expectNoFindings(page);
  await dialog.getByRole('spinbutton', { name: 'Number of records' }).fill('20');
  await dialog.getByRole('button', { name: 'Add the alert' }).click();
  await page.getByRole('listitem').filter({ hasText: 'status:503: 21 within 300 s, more than 20' }).first().waitFor();
  const rules = page.getByRole('region', { name: 'Alerts about numbers of records' });
  await expect.poll(() => rules.innerText()).toContain('status:503: more than 20 within 5 min');
  await rules.getByRole('button', { name: /^Remove the alert/ }).click();
  await rules.waitFor({ state: 'detached' });
});

test('rules of a folder are looked at, added and run: their hits are listed, signs at the rows, gone through, and drawn', async () => {
  const { page } = app;
  const rules = join(folder, 'sigma');
  mkdirSync(rules);
  const rule = (title: string, search: string): string =>
    `title: ${title}\nlevel: high\nlogsource:\n  category: webserver\ndetection:\n  a:\n    ${search}\n  condition: a\n`;
  writeFileSync(join(rules, 'shop.yml'), `${rule('The shop is down', 'sc-status: 503')}---\n${rule('Odd', 'x|odd: y')}`);
  await app.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, rules);
  const show = (view: string): Promise<void> => page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  await show('Alerts');
  await page.getByRole('button', { name: 'Add rules' }).click();
  await page.getByRole('menuitem', { name: 'A folder of Sigma rules…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a folder of rules' });
  await dialog.getByText('1 of 2 rules can be run.').waitFor();
  await dialog.getByText('shop.yml:16').waitFor();
  await expectNoFindings(page, 'the rules of a folder');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Rules', exact: true });
  await panel.getByText(/^1 rule · 30 hits in \d+ records$/).waitFor();
  await page.getByRole('listitem').filter({ hasText: '1 rule has hits: The shop is down (high)' }).waitFor();
  await expectNoFindings(page, 'Alerts with rules');

  await panel.getByRole('button', { name: 'The shop is down', exact: true }).click();
  await expect.poll(() => page.getByRole('grid', { name: 'Records' }).getAttribute('aria-rowcount')).toBe('31');
  await page.locator('[role="row"]').getByLabel('Rule (high): The shop is down').first().waitFor();
  await page.keyboard.press('Control+Shift+X');
  await page.getByRole('grid', { name: 'Records' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('r');
  await page.locator('[role="row"][aria-selected="true"]').getByLabel('Rule (high): The shop is down').waitFor();
  await expectNoFindings(page, 'a hit of a rule');

  await show('Charts');
  await page.getByRole('region', { name: 'Hits of rules by level', exact: true }).getByText('high').waitFor();

  // The file changes: its rules are run anew.
  writeFileSync(join(rules, 'shop.yml'), rule('A shop', 'sc-status: 200'));
  await show('Alerts');
  await panel.getByText(/^1 rule · 720 hits in \d+ records$/).waitFor();
});
