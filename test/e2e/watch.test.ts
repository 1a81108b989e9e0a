import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

/** Looks at the window in both themes and sizes; leaves pictures where `SLUICEBOX_PICTURES` says. */
async function look({ resize, page }: App, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      await resize(width, height);
      await expectNoFindings(page, `${name}, ${theme}, ${width} pixels`);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      const folder = process.env['SLUICEBOX_PICTURES'];
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
    }
  }
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
}

const headers = (app: App): string[] =>
  [...readFileSync(join(app.data, 'workspace.toml'), 'utf8').matchAll(/^\[(.*)\]$/gm)].map(([, name = '']) => name);

describe('the own workstation', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    page = app.page;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('is watched with one click: graphs appear within seconds, and what cannot be read is said', async () => {
    await page.getByRole('heading', { name: 'Open a log' }).waitFor();
    await look(app, 'start');
    await page
      .getByRole('main')
      .getByRole('button', { name: /Watch this workstation/ })
      .click();
    const clicked = Date.now();
    // Machines without logs of their own say so; what is watched can always be asked for.
    const { items } = await app.request('workstation.about', {});
    const dialog = page.getByRole('dialog', { name: 'Watching this workstation' });
    if (items.some(({ reason }) => reason !== null)) {
      await dialog.waitFor();
      for (const { name, reason } of items) {
        await dialog.getByText(name, { exact: true }).waitFor();
        if (reason !== null) await expect.poll(() => dialog.innerText()).toContain(reason);
      }
      await look(app, 'report');
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    await page.getByRole('heading', { name: 'Charts', level: 1 }).waitFor();
    for (const title of ['LoadAvg Stats', 'Memory Stats', 'Processors']) await page.getByText(title, { exact: true }).first().waitFor();
    if (process.env['SLUICEBOX_PICTURES'] !== undefined) await page.waitForTimeout(Math.max(0, 20_000 - (Date.now() - clicked)));
    await look(app, 'charts');
    await page
      .getByRole('button', { name: /This workstation/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    await look(app, 'records');
  });

  test('can be stopped and goes on', async () => {
    await page.getByRole('button', { name: 'Stop: This workstation' }).click();
    await app.stateWhere(({ sources }) => sources.some(({ kind, state }) => kind === 'workstation' && state === 'paused'));
    await page.getByText(/stopped · \d+/).waitFor();
    await page.getByRole('button', { name: 'Go on: This workstation' }).click();
    await app.stateWhere(({ sources }) => sources.some(({ kind, state }) => kind === 'workstation' && state === 'listening'));
  });

  test('is watched again after a crash of the engine', async () => {
    const { pid } = await app.request('engine.state', {});
    process.kill(pid, 'SIGKILL');
    await app.stateWhere(
      (now) => now.pid !== pid && now.sources.some(({ kind, state }) => kind === 'workstation' && state === 'listening'),
    );
  });

  test('is watched again at the next start, until its source is closed', async () => {
    const { data } = app;
    expect(headers(app)).toEqual(expect.arrayContaining(['workstation_load', 'workstation_load_graph', 'workstation_load_graph.config']));
    await app.electron.close();
    app = await startApp([], data);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ kind, records }) => kind === 'workstation' && records > 0));
    await page
      .getByRole('button', { name: /This workstation/ })
      .first()
      .hover();
    await page.getByRole('button', { name: 'Actions for This workstation' }).click();
    await page.getByRole('menuitem', { name: 'Close' }).click();
    await app.stateWhere(({ sources }) => sources.every(({ kind }) => kind !== 'workstation'));
    await expect.poll(() => headers(app).filter((name) => /^workstation_(load|memory|processors|disk)/.test(name))).toEqual([]);
  });
});

describe('the output of a command', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    page = app.page;
    await app.answer('confirm');
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const run = async (line: string): Promise<void> => {
    await page.keyboard.press('Control+Shift+O');
    const form = page.getByRole('form', { name: 'Output of a command' });
    await form.getByLabel('Command line').fill(line);
    await form.getByRole('button', { name: 'Run' }).click();
  };

  test('an empty line is refused', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /Output of a command/ })
      .click();
    const form = page.getByRole('form', { name: 'Output of a command' });
    await expect.poll(() => form.getByLabel('Command line').evaluate((field) => field === document.activeElement)).toBe(true);
    await form.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toContain('Type a command');
    await look(app, 'form');
  });

  test('is shown as it comes, decoded, with its exit status', async () => {
    const goOn = join(app.data, 'go-on');
    const last = `tail -n 1 ${SAMPLE('access.log')}`;
    await run(`head -n 200 ${SAMPLE('access.log')}; until [ -e ${goOn} ]; do sleep 0.1; done; ${last}; exit 3`);
    await app.stateWhere(({ sources }) =>
      sources.some(({ records, state, decoder }) => records === 200 && state === 'listening' && decoder?.name === 'nginx_access'),
    );
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    writeFileSync(goOn, '');
    await app.stateWhere(({ sources }) => sources.some(({ records, end }) => records === 201 && end?.status === 3));
    await row('head')
      .getByText(/ended, exit status 3/)
      .waitFor();
    await look(app, 'ended');
  });

  test('runs again, and can be stopped while it runs', async () => {
    await run('i=0; while echo "tick $i"; do i=$((i + 1)); sleep 0.2; done');
    await page
      .getByRole('grid', { name: 'Records' })
      .getByText(/^tick \d+$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Stop: i=0/ }).click();
    await row('i=0')
      .getByText(/stopped · \d+/)
      .waitFor();
    await look(app, 'stopped');
    const before = await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'paused'));
    await page.getByRole('button', { name: /^Run again: i=0/ }).click();
    await app.stateWhere(({ records }) => records > before.records + 3);
    const { view } = await app.request('view.open', { query: { text: 'tick 0' } });
    await until(async () => (await app.request('view.rows', { view, start: 0, count: 0, columns: [] })).total === 2, 'both first ticks');
    await app.request('view.close', { view });
  });

  test('that cannot be started says why', async () => {
    await run('/no/such/program --at-all');
    await row('/no/such')
      .getByText(/ended, exit status 127/)
      .waitFor();
    await page
      .getByRole('grid', { name: 'Records' })
      .getByText(/not found/)
      .first()
      .waitFor();
  });

  test('starts again with the window, and ends with it', async () => {
    const { data } = app;
    expect(
      headers(app)
        .filter((name) => /^command_\w+$/.test(name))
        .sort(),
    ).toEqual(['command_head', 'command_program', 'command_while']);
    await app.electron.close();
    app = await startApp([], data);
    page = app.page;
    const state = await app.stateWhere(
      ({ sources }) =>
        sources.filter(({ kind }) => kind === 'command').length === 3 &&
        sources.some(({ label, records }) => label.startsWith('i=0') && records > 2),
    );
    expect(state.sources.map(({ kind }) => kind)).toEqual(['command', 'command', 'command']);
    expect(existsSync(join(data, 'workspace.toml'))).toBe(true);
    // Everything was confirmed when it was typed.
    expect(await app.questions()).toEqual([]);
  });
});
