import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { pictureOf } from './support/picture.ts';

/** Commands that open a dialog or a bar, with what it is called in names of pictures. */
const COMMANDS = {
  path: 'Open a path, pattern or host…',
  command: 'Output of a command…',
  syslog: 'Listen for syslog…',
  cluster: 'Connect to a cluster…',
  workspace: 'Save the workspace as…',
  goto: 'Go to a record or a time…',
  highlighters: 'Highlighters…',
  alert: 'New alert…',
  filter: 'Add a script…',
} as const;

/** Entries of the menu of a source that do so. */
const SOURCE_ENTRIES = { decoder: 'Choose decoder…', times: 'Times…' } as const;

describe('dialogs', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log'), SAMPLE('syslog.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ state }) => state === 'following'));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const run = async (command: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Command' }).fill(command);
    await page.getByRole('option', { name: command }).first().click();
  };
  const chooseInMenu = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'access.log' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const openers: [name: string, open: () => Promise<void>][] = [
    ...Object.entries(COMMANDS).map(([name, command]): [string, () => Promise<void>] => [name, () => run(command)]),
    ...Object.entries(SOURCE_ENTRIES).map(([name, entry]): [string, () => Promise<void>] => [name, () => chooseInMenu(entry)]),
  ];

  test.each([
    ['dark', 1440, 900, 1],
    ['light', 900, 600, 1],
    ['dark', 900, 600, 1.5],
  ] as const)('lie in the window, and axe-core finds nothing in them: %s, %i by %i, zoom %d', async (theme, width, height, zoom) => {
    const views = page.getByRole('navigation', { name: 'Views' });
    await app.resize(width, height, zoom);
    await views.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: theme === 'light' ? 'Light' : 'Dark' }).check();
    await views.getByRole('button', { name: 'Logs' }).click();
    const dialog = page.getByRole('dialog').filter({ visible: true });
    const contentOf = (name: string): Locator => {
      if (name === 'goto') return page.getByRole('textbox', { name: /^Go to/ });
      // Scripts and decoders are listed when the engine has answered.
      return name === 'filter' || name === 'decoder' ? dialog.getByRole('radio').first() : dialog;
    };
    for (const [name, open] of openers) {
      await open();
      await contentOf(name).waitFor();
      await pictureOf(app, `dialog-${name}-${width}-${zoom * 100}`);
      await expect.poll(() => layoutFaults(page), { message: name }).toEqual([]);
      await expectNoFindings(page, name);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.count(), { message: name }).toBe(0);
    }
  });
});
