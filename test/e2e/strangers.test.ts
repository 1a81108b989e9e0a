import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startApp } from './support/app.ts';

/** Takes two seconds for each message: too little to be ended for it. */
const SLOW = 'function process_message() { const end = Date.now() + 2000; while (Date.now() < end); return 0; }\n';
const SLOW_SECTION = `[slow]
type = "SandboxFilter"
filename = "scripts/slow.js"
message_matcher = "TRUE"
instruction_limit = 0
`;

/** A record that would clear a terminal, ring, begin a command by one character of C1, hide a word and turn the direction. */
const HOSTILE = 'start\u001bc\u0007 \u009b31m pay\u200bload \u202egnp.exe\u2066';
const SHOWN = String.raw`start\u001bc\u0007 \u009b31m pay\u200bload \u202egnp.exe\u2066`;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-strangers-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const go = (page: Page, view: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();

/** All texts for people in the attributes of a page. */
const attributesOf = (body: Element): string =>
  [...body.querySelectorAll('*')].flatMap((one) => ['title', 'aria-label', 'alt'].map((name) => one.getAttribute(name) ?? '')).join('\n');

describe('what strangers wrote', () => {
  test('is shown with every character that is not seen as an escape, in all views, in the names of files and of fields, too', async () => {
    const log = join(folder, 'a\u202e\u001b.log');
    const fields = join(folder, 'b\u2066.log');
    writeFileSync(log, `${HOSTILE}\n`);
    writeFileSync(fields, `${JSON.stringify({ 'k\u202ey': 'v\u202e' })}\n`.repeat(20));
    await using app = await startApp([log, fields]);
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ records }) => records > 0));
    await app.page.getByRole('combobox', { name: 'Filter by text or field' }).fill('start');
    const row = app.page.locator('[role="grid"] [data-row]').last();
    await expect.poll(() => row.innerText()).toContain(SHOWN);
    await row.click();
    const inspector = app.page.getByRole('region', { name: 'Selected record' });
    await expect.poll(() => inspector.innerText()).toContain(SHOWN);
    await app.page.getByRole('combobox', { name: 'Filter by text or field' }).fill('');
    for (const view of ['Logs', 'Overview', 'Charts', 'Scripts', 'Alerts']) {
      await go(app.page, view);
      await app.page.getByRole('heading', { name: view, level: 1 }).waitFor({ state: 'attached' });
      if (view === 'Overview')
        await app.page
          .getByText(String.raw`k\u202ey`)
          .first()
          .waitFor();
      const text = (await app.page.locator('body').innerText()) + (await app.page.locator('body').evaluate(attributesOf));
      expect([view, ...(text.match(/.{0,20}(?![\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069\u200b]/gu) ?? [])]).toEqual([view]);
    }
  });

  test('holds up its source with a name: a filter that takes two seconds a message is told in the pipeline', async () => {
    mkdirSync(join(folder, 'scripts'));
    writeFileSync(join(folder, 'scripts', 'slow.js'), SLOW);
    writeFileSync(join(folder, 'workspace.toml'), SLOW_SECTION);
    const log = join(folder, 'a.log');
    writeFileSync(log, '{"a":1}\n'.repeat(1000));
    await using app = await startApp([log], folder);
    await app.stateWhere(({ plugins }) => plugins.some(({ stall }) => stall !== undefined));
    await go(app.page, 'Scripts');
    const name = /^slow holds up: \d\.\d s a message, \d+ wait, filter/;
    await app.page.getByRole('group', { name: 'Pipeline' }).getByRole('button', { name }).waitFor();
  });
});
