import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { PluginInfo } from '../../engine/api/types.ts';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const line = (status = 200): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" ${status} 12 "-" "curl/8"\n`;

describe('the Scripts view', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-files-'));
  const log = join(folder, 'access.log');
  const complaints: string[] = [];

  beforeAll(async () => {
    writeFileSync(log, line().repeat(300) + line(500).repeat(40));
    app = await startApp([log]);
    page = app.page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
    await go('Scripts');
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const go = (view: string): Promise<void> => page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  const graph = (): Locator => page.getByRole('group', { name: 'Pipeline' });
  const row = (name: string): Locator => page.getByRole('row', { name: new RegExp(`^${name}\\b`) });
  const plugin = async (section: string): Promise<PluginInfo | undefined> =>
    (await app.request('engine.state', {})).plugins.find((info) => info.section === section);
  const workspace = (): string => readFileSync(join(app.data, 'workspace.toml'), 'utf8');
  const toast = (text: string | RegExp): Locator => page.getByRole('region', { name: 'Messages' }).getByText(text).first();

  test('draws the pipeline; a click chooses a plugin, and arrow keys walk over it', async () => {
    await graph()
      .getByRole('button', { name: /^http_status, filter, running/ })
      .click();
    await page.getByRole('complementary', { name: 'Plugin http_status' }).waitFor();
    // The filters start one after the other.
    await graph()
      .getByRole('button', { name: /^frequent_clients, filter, running/ })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^frequent_clients, filter/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^nginx_access.*, decoder/);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: /^Plugin nginx_access/ }).waitFor();
    await expectNoFindings(page);
  });

  test('writes on the edges how much flows', async () => {
    const timer = setInterval(() => appendFileSync(log, line().repeat(20)), 100);
    try {
      await expect.poll(() => graph().locator('svg text').allTextContents()).toContainEqual(expect.stringMatching(/\d\/s$/));
    } finally {
      clearInterval(timer);
    }
    await expect.poll(() => graph().locator('svg text').count()).toBe(0);
  });

  test('stops a filter and starts it again', async () => {
    await row('http_status').getByRole('button', { name: 'Stop http_status' }).click();
    await expect.poll(async () => (await plugin('http_status'))?.state).toBe('stopped');
    await row('http_status').getByRole('button', { name: 'Start http_status' }).click();
    await expect.poll(async () => (await plugin('http_status'))?.state).toBe('running');
  });

  test('adds a bundled filter by a form, which checks it, and takes it back', async () => {
    await page.getByRole('button', { name: 'Add a script…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a filter script' });
    await dialog.getByRole('radio', { name: /^frequent_items / }).check();
    const name = dialog.getByLabel('Name', { exact: true });
    await expect.poll(() => name.inputValue()).toBe('frequent_items');
    await name.fill('busy_agents');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('message_variable is needed');
    await expectNoFindings(page);
    await dialog.getByLabel(/^message_variable/).fill('Fields[http_user_agent]');
    await dialog.getByRole('radio', { name: 'Only these' }).check();
    await dialog.getByRole('checkbox', { name: 'access.log' }).check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await plugin('busy_agents'))?.processed ?? 0).toBeGreaterThan(300);
    await expect.poll(workspace).toContain(`[busy_agents]\ntype = "SandboxFilter"\nplugin = "frequent_items"`);
    await expect.poll(workspace).toContain(`inputs = ["file:${log}"]`);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await toast(/^Undone: Adding the filter script busy_agents/).waitFor();
    await expect.poll(workspace).not.toContain('busy_agents');
    await expect.poll(() => plugin('busy_agents')).toBeUndefined();
  });

  test('changes a filter while it runs', async () => {
    await row('http_status').getByRole('button', { name: 'Edit http_status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter script http_status' });
    const ticker = dialog.getByLabel('Tick every');
    await ticker.fill('x');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByText('whole number; 0 is none').waitFor();
    await ticker.fill('30');
    await dialog.getByLabel('Matcher of the filter script').fill('Fields[status] >= 500');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await plugin('http_status'))?.matcher).toBe('Fields[status] >= 500');
    await expect.poll(workspace).toContain('ticker_interval = 30');
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await expect.poll(async () => (await plugin('http_status'))?.matcher).toBe('Fields[status] != NIL');
  });

  describe('the editor', () => {
    const content = (): Locator => page.locator('.cm-content');
    const result = (): Locator => page.getByRole('region', { name: 'What the script would do' });

    /** Replaces the whole text as one would paste it. */
    async function write(text: string): Promise<void> {
      await content().click();
      await page.keyboard.press('ControlOrMeta+a');
      if (text === '') await page.keyboard.press('Delete');
      else await page.keyboard.insertText(text);
    }

    function scriptText(): string {
      const path = join(app.data, 'scripts', 'counter.js');
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    }

    /** By a click: completions take no key in the first moment, nor while more of them are looked for. */
    const takeCompletion = (label: string): Promise<void> =>
      page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)').getByRole('option', { name: label }).first().click();

    const COUNTER = `globalThis.n = 0;
function process_message() {
  for (let i = 0; i < 9; i++) n += 0;
  n++;
  return 0;
}
function timer_event() {
  inject_payload('txt', 'count', 'counted ', n);
}
`;

    test('tries a script on the last records while it is written', async () => {
      await page.getByRole('button', { name: 'New script' }).click();
      await expect.poll(() => result().innerText()).toMatch(/200 records · 1 message emitted/);
      await page.getByLabel('File name').fill('counter.js');
      await write(COUNTER);
      await expect.poll(() => result().innerText()).toContain('counted 200');
      const hottest = page.locator('.heat-5:visible');
      await expect.poll(() => hottest.first().innerText()).toBe('1.8k');
      await page.getByLabel('Matcher of the trial').fill('Fields[status] == 500');
      await expect.poll(() => result().innerText()).toMatch(/counted [1-9]\d?$/m);
      await expectNoFindings(page);
    });

    test('says at the right line what is wrong', async () => {
      await write(COUNTER.replace('  n++;', '  null.x;'));
      await expect.poll(() => result().getByRole('alert').innerText()).toMatch(/Line 4.*Cannot read properties of null/s);
      const marked = page.locator('.cm-line', { has: page.locator('.cm-lintRange-error') });
      await expect.poll(() => marked.allInnerTexts()).toEqual(['  null.x;']);
      await write(COUNTER.replace('9; i++', '9; i--'));
      await expect.poll(() => result().getByRole('alert').innerText()).toMatch(/Line 3.*more than 1,000,000 steps/s);
      await write('let a = 1;\nfunction (');
      await expect.poll(() => result().getByRole('alert').innerText()).toMatch(/Line 2/);
      await result().getByRole('button', { name: 'Line 2' }).click();
      await expect.poll(() => page.locator('.cm-activeLine').innerText()).toBe('function (');
    });

    test('opens a copy of a bundled script, with the settings that its filter has', async () => {
      await page.getByRole('button', { name: 'Back to the scripts' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
      await row('frequent_clients').getByRole('button', { name: 'More for frequent_clients' }).click();
      await page.getByRole('menuitem', { name: 'Copy its script into the editor' }).click();
      await expect.poll(() => result().innerText()).toMatch(/200 records · [1-9]\d* messages? emitted/);
      await expect.poll(() => page.getByLabel('message_variable').inputValue()).toBe('Fields[remote_addr]');
      await expect.poll(() => page.getByLabel('Matcher of the trial').inputValue()).toBe('Fields[remote_addr] != NIL');
      await expect.poll(() => content().innerText()).not.toContain('../modules');
      await page.getByLabel('File name').fill('counter.js');
    });

    test('completes what the interface has, and what messages hold', async () => {
      await write('');
      await page.keyboard.type('read_mes');
      await takeCompletion('read_message');
      await page.keyboard.type("('stat");
      await takeCompletion('Fields[status]');
      await expect.poll(() => content().innerText()).toContain("read_message('Fields[status]')");
      await content().getByText('read_message').first().hover();
      await page.locator('.script-hover').getByText('A variable of the current message').waitFor();
      await page.keyboard.press('Escape');
    });

    test('saves a script, lets it run, and replaces it with its state', async () => {
      await write(COUNTER);
      await page.getByRole('button', { name: 'Add as a filter script…' }).click();
      await expect.poll(scriptText).toBe(COUNTER);
      const dialog = page.getByRole('dialog', { name: 'Add a filter script' });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(async () => (await plugin('counter'))?.processed ?? 0).toBeGreaterThan(300);
      const before = (await plugin('counter'))?.processed ?? 0;
      await write(COUNTER.replace('n++', 'n += 1000'));
      await page.getByRole('button', { name: 'Apply' }).click();
      await toast(/runs as it is now, with its state/).waitFor();
      await expect.poll(scriptText).toContain('n += 1000');
      // It went on from where it was: it did not read all records again.
      appendFileSync(log, line());
      await expect.poll(async () => (await plugin('counter'))?.processed ?? before).toBeLessThan(before);
    });

    test('keeps what is written over a reload of the window', async () => {
      await write(`${COUNTER}// kept\n`);
      await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain('// kept');
      await page.reload();
      await expect.poll(() => content().innerText()).toContain('// kept');
      await page.getByText('not saved').waitFor();
    });

    test('does not apply what does not load, and asks before it forgets', async () => {
      await write('function (');
      await page.getByRole('button', { name: 'Apply' }).click();
      await toast(/counter\.js:1/).waitFor();
      await expect.poll(async () => (await plugin('counter'))?.state).toBe('running');
      await page.getByRole('button', { name: 'Back to the scripts' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
      await row('counter').waitFor();
      expect(scriptText()).toContain('n += 1000');
    });
  });

  test('says in plain words why one has ended, and starts it anew', async () => {
    const script = join(app.data, 'scripts', 'counter.js');
    writeFileSync(script, 'function process_message() { for (;;); }');
    await row('counter').getByRole('button', { name: 'More for counter' }).click();
    await page.getByRole('menuitem', { name: 'Begin anew' }).click();
    await page.getByRole('cell', { name: /One call took more than 1,000,000 steps/ }).waitFor();
    await graph()
      .getByRole('button', { name: /^counter terminated, filter/ })
      .waitFor();
    writeFileSync(script, 'function process_message() { return 0; }\nfunction timer_event() {}');
    await row('counter').getByRole('button', { name: 'Restart counter' }).click();
    await expect.poll(async () => (await plugin('counter'))?.state).toBe('running');
    await row('counter').getByRole('button', { name: 'More for counter' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(() => row('counter').count()).toBe(0);
    expect(existsSync(script)).toBe(true);
  });

  test.each([
    ['Light', 'Normal'],
    ['Dark', 'Normal'],
    ['Light', 'High'],
    ['Dark', 'High'],
  ])('axe-core finds nothing in details, form and editor: %s, contrast %s', async (theme, contrast) => {
    await go('Settings');
    await page.getByRole('radio', { name: theme, exact: true }).check();
    await page.getByRole('radio', { name: contrast, exact: true }).check();
    await go('Scripts');
    await row('http_status').getByRole('button', { name: 'http_status', exact: true }).click();
    await page.getByRole('complementary', { name: 'Plugin http_status' }).waitFor();
    await expectNoFindings(page, 'details');
    await page.getByRole('button', { name: 'Close the details' }).click();
    await row('http_status').getByRole('button', { name: 'Edit http_status' }).click();
    await page.getByRole('dialog', { name: 'Filter script http_status' }).waitFor();
    await expectNoFindings(page, 'form');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New script' }).click();
    await page.locator('.heat-5:visible').first().waitFor();
    await content().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('read_');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await expectNoFindings(page, 'editor');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Back to the scripts' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
  });

  test('fits into the least window', async () => {
    await app.resize(900, 600);
    await graph()
      .getByRole('button', { name: /^http_status/ })
      .click();
    const fits = (): Promise<boolean> =>
      page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight);
    await expect.poll(fits).toBe(true);
    await page.getByRole('button', { name: 'New script' }).click();
    await content().waitFor();
    await expect.poll(fits).toBe(true);
    await page.getByRole('button', { name: 'Back to the scripts' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
  });
  const content = (): Locator => page.locator('.cm-content');

  test('the page kept to its policy and complained of nothing', () => expect(complaints).toEqual([]));
});

describe('the Alerts view', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-files-'));
  const log = join(folder, 'access.log');

  const ALERTS = `let n = 0;
function process_message() {
  if (read_message('Fields[status]') === 500) inject_payload('alert', 'bad', 'status 500, number ', ++n);
  return 0;
}
`;

  beforeAll(async () => {
    writeFileSync(log, line().repeat(20));
    app = await startApp([log]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'following'));
    const { path } = await app.request('script.save', { name: 'alerts.js', path: null, text: ALERTS, apply: false, keepState: true });
    const limits = { memory: 8_388_608, instructions: 1_000_000, output: 64_512 };
    const filter = {
      name: 'alerts',
      script: path,
      bundled: false,
      matcher: 'Fields[status] != NIL',
      ticker: 0,
      config: {},
      inputs: null,
      limits,
    };
    await app.request('filter.set', { filter, keepState: true });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const list = (): Locator => page.getByRole('main').getByRole('listitem').filter({ hasText: 'status 500' });
  const alarm = (): void => appendFileSync(log, line(500));

  test('an alert is acknowledged', async () => {
    alarm();
    await list().first().waitFor();
    await page.getByRole('main').getByText('1 alert, 1 not acknowledged').waitFor();
    await list()
      .getByRole('button', { name: /^Acknowledge: / })
      .click();
    await expect.poll(() => list().innerText()).toContain('Seen');
    await expectNoFindings(page);
  });

  test('it leads to its plugin and to the records of its time', async () => {
    await list().getByRole('button', { name: 'Show alerts' }).click();
    await page.getByRole('complementary', { name: 'Plugin alerts' }).waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
    await list().getByRole('button', { name: 'Show the records of that time' }).click();
    await expect.poll(() => page.locator('[aria-selected="true"]').count()).toBe(1);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
  });

  test('what is dismissed and silenced stays so over a reload', async () => {
    await list()
      .getByRole('button', { name: /^Dismiss: / })
      .click();
    await expect.poll(() => list().count()).toBe(0);
    alarm();
    await list().first().waitFor();
    await list()
      .getByRole('button', { name: /^Silence: / })
      .click();
    await page.getByRole('menuitem', { name: 'Alerts like this for an hour' }).click();
    await expect.poll(() => list().count()).toBe(0);
    await page.reload();
    await page.getByRole('region', { name: 'Silences' }).getByText('number #').waitFor();
    alarm();
    await expect.poll(async () => (await app.request('notice.list', {})).filter(({ code }) => code === 'alert').length).toBe(3);
    await page.getByRole('checkbox', { name: 'Show 2 silenced ones' }).waitFor();
    await expect.poll(() => list().count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Show 2 silenced ones' }).check();
    await expect.poll(() => list().count()).toBe(1);
    await page.getByRole('button', { name: /^Lift the silence/ }).click();
    await expect.poll(() => list().count()).toBe(1);
    await expectNoFindings(page);
  });

  test('those that say the same are one row, which lists and dismisses them', async () => {
    await app.resize(900, 600);
    await list()
      .getByRole('button', { name: /^Acknowledge: 2 times: / })
      .click();
    await page.getByRole('main').getByText('2 alerts', { exact: true }).waitFor();
    // The status bar names only those that nobody has acknowledged.
    await expect.poll(() => page.getByRole('contentinfo').getByRole('button', { name: /alert/ }).count()).toBe(0);
    await list()
      .getByRole('button', { name: /^1 more like it since / })
      .click();
    await expect.poll(() => list().allInnerTexts()).toEqual([expect.stringContaining('number 3'), expect.stringContaining('number 2')]);
    await expectNoFindings(page);
    await list()
      .nth(1)
      .getByRole('button', { name: /^Dismiss: alerts: / })
      .click();
    await expect.poll(() => list().allInnerTexts()).toEqual([expect.stringContaining('number 3')]);
    alarm();
    await list()
      .getByRole('button', { name: /^Dismiss: 2 times: / })
      .click();
    await expect.poll(() => list().count()).toBe(0);
  });
});
