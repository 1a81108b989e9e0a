import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { freePort } from '../ports.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { drag, middle } from './support/drag.ts';

const go = (page: Page, view: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();

describe('what the filters made of an access log', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === 10_000));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('Charts: a card with a legend; a click shows the records of that time', async () => {
    await go(page, 'Charts');
    const card = page.getByRole('region', { name: 'HTTP Status' });
    await card.waitFor();
    await expect.poll(() => card.getByRole('row', { name: /2xx/ }).innerText()).toMatch(/\d/);
    const drawn = (): Promise<boolean> =>
      card.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return data.some((value, index) => index % 4 === 3 && value > 0);
      });
    await expect.poll(drawn).toBe(true);
    const plot = card.getByRole('slider');
    await plot.click({ position: await middle(plot, 60) });
    await page.getByRole('grid', { name: 'Records' }).waitFor();
    await expect.poll(() => page.locator('[aria-selected="true"]').count()).toBe(1);
  });

  test('Charts: a drag zooms every card, and the key 0 shows all again', async () => {
    await go(page, 'Charts');
    const plot = page.getByRole('region', { name: 'HTTP Status' }).getByRole('slider');
    await drag(plot, { x: 200, y: 60 }, { x: 320, y: 60 });
    const all = page.getByRole('button', { name: 'All time' });
    await expect.poll(() => all.isEnabled()).toBe(true);
    await page.keyboard.press('0');
    await expect.poll(() => all.isEnabled()).toBe(false);
  });

  test('Frequent items: a click shows the records of an item', async () => {
    await page.keyboard.press('Alt+I');
    const items = page.getByRole('region', { name: 'Most frequent remote_addr' });
    // Sums and shares stand in columns, whatever stands before them.
    const starts = (part: string): Promise<number[]> =>
      items.locator(`li ${part}`).evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    for (const part of ['.item', '.weight', '.share']) await expect.poll(async () => new Set(await starts(part)).size).toBe(1);
    await expect.poll(() => items.locator('li .weight').first().innerText()).toMatch(/^≥\s[\d,]+$/);
    const item = await items.locator('li .item').first().innerText();
    // Others may be the first by then.
    await items
      .getByTitle(
        new RegExp(
          `^${item.replaceAll('.', '\\.')}\\nat least [\\d,]+ records?: a click shows them, counted exactly\nabout [\\d.]+ % of those in this list$`,
        ),
      )
      .click();
    await page.getByRole('button', { name: `remote_addr = ${item}`, exact: true }).waitFor();
    const grid = page.getByRole('grid', { name: 'Records' });
    await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeLessThan(5000);
    await page.getByRole('button', { name: 'Clear all' }).click();
  });

  test('Schema: a tree that keys move over; a field becomes a column', async () => {
    await page.keyboard.press('Control+7');
    const tree = page.getByRole('treegrid');
    await tree.getByRole('row', { name: /status/ }).waitFor();
    await tree.getByRole('row', { name: /access\.log/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => tree.getByRole('row', { name: /status/ }).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await tree
      .getByRole('row', { name: /http_referer/ })
      .getByRole('button', { name: 'Actions for http_referer' })
      .click();
    await page.getByRole('menuitem', { name: 'Add as a column' }).click();
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toContain('http_referer');
  });

  test('Scripts: each with its state and its numbers', async () => {
    await go(page, 'Scripts');
    await expect
      .poll(() =>
        page
          .getByRole('row', { name: /http_status/ })
          .first()
          .innerText(),
      )
      .toContain('Running');
  });

  test('the palette runs what is typed', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const command = page.getByRole('combobox', { name: 'Command' });
    // The list of all commands is higher than the palette: it scrolls, and takes nothing of the box.
    await expect.poll(() => command.evaluate(({ offsetHeight }: HTMLElement) => offsetHeight)).toBe(44);
    await command.fill('settings');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.keyboard.press('ControlOrMeta+1');
    await page.getByRole('grid', { name: 'Records' }).waitFor();
  });

  test('a question mark shows the keys', async () => {
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a file that is missing is named in a message, in the status bar and in Scripts', async () => {
    await app.open('/nowhere/missing.log');
    await page
      .getByRole('region', { name: 'Messages' })
      .getByText(/missing\.log/)
      .first()
      .waitFor();
    await page.getByRole('contentinfo').getByRole('button', { name: '1 problem' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Problems' }).innerText()).toContain('missing.log');
    await go(page, 'Alerts');
    await page.getByText('Nothing to report').waitFor();
  });

  test('an engine that crashed is replaced, the window says so, and the records are there again', async () => {
    await go(page, 'Logs');
    const { pid } = await app.request('engine.state', {});
    process.kill(pid, 'SIGKILL');
    await page.getByText('The engine stopped and is restarted').first().waitFor();
    await app.stateWhere((state) => state.pid !== pid && state.records === 10_000);
    const grid = page.getByRole('grid', { name: 'Records' });
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('10001');
  });
});

describe('the start screen', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    page = app.page;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('offers ways to begin', async () => {
    await page.getByRole('heading', { name: 'Open a log' }).waitFor();
    for (const name of [/Open files/, /Listen for syslog/, /Open the sample access log/]) {
      await page.getByRole('main').getByRole('button', { name }).first().waitFor();
    }
  });

  test('listening: a port in use is named, a free one brings records', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /Listen for syslog/ })
      .click();
    const form = page.getByRole('form', { name: 'Listen for syslog' });
    const port = form.getByLabel('Port');
    await port.fill('70000');
    await form.getByRole('button', { name: 'Listen' }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toContain('1 to 65535');

    const number = await freePort();
    const taken = createServer().listen(number, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    await form.getByLabel('Protocol').selectOption('tcp');
    await port.fill(String(number));
    await form.getByRole('button', { name: 'Listen' }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toContain(String(number));
    taken.close();

    await form.getByLabel('Protocol').selectOption('udp');
    await form.getByRole('button', { name: 'Listen' }).click();
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'listening'));
    const socket = createSocket('udp4');
    socket.send('<34>Nov 20 14:31:02 edge1 sshd[7]: a record for the window', number, '127.0.0.1', () => socket.close());
    await expect.poll(() => page.getByRole('grid', { name: 'Records' }).innerText()).toContain('a record for the window');
  });
});
