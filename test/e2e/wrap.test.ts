import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

const LONG = [1, 60, 2, 150, 3] as const;
const LINES = Array.from({ length: 2000 }, (_, i) => {
  const clock = new Date(i * 1000).toISOString().slice(11, 19);
  return `Nov  1 ${clock} box app[${i}]: ${'word '.repeat(LONG[i % LONG.length] as number)}end${i}\n`;
});

/** The rows on the screen, and where they begin and end, in pixels from the upper edge of their list. */
interface Drawn {
  readonly rows: readonly { readonly row: number; readonly top: number; readonly bottom: number; readonly text: string }[];
  readonly height: number;
}

describe('wrapped texts', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-wrap-'));

  const drawn = (): Promise<Drawn> =>
    page.getByRole('grid', { name: 'Records' }).evaluate((grid) => {
      const body = grid.querySelector('.body') as HTMLElement;
      const edge = body.getBoundingClientRect().top;
      const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]')].map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { row: Number(row.dataset['row']), top: top - edge, bottom: bottom - edge, text: row.innerText };
      });
      return { rows, height: body.clientHeight };
    });
  const whole = async (row: number): Promise<boolean> => {
    const { rows, height } = await drawn();
    const found = rows.find((one) => one.row === row);
    return found !== undefined && found.top >= -1 && found.bottom <= height + 1 && found.text.includes(`end${row}`);
  };

  beforeAll(async () => {
    const path = join(folder, 'long.log');
    writeFileSync(path, LINES.join(''));
    app = await startApp([path]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === LINES.length));
    const grid = page.getByRole('grid', { name: 'Records' });
    await until(
      async () => (await grid.getAttribute('aria-rowcount')) === String(LINES.length + 1),
      () => 'all rows',
    );
    await grid.focus();
    await page.keyboard.press('Alt+z');
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('stand whole, each row as high as its text, and the last one at the lower edge', async () => {
    await expect.poll(() => whole(LINES.length - 1)).toBe(true);
    await expect
      .poll(async () => {
        const { rows, height } = await drawn();
        const gaps = rows.flatMap(({ top }, i) => (i === 0 ? [] : [Math.abs(top - (rows[i - 1]?.bottom ?? 0))]));
        return {
          below: Math.round(Math.abs((rows.at(-1)?.bottom ?? 0) - height)),
          heights: Math.min(3, new Set(rows.map(({ top, bottom }) => Math.round(bottom - top))).size),
          gaps: gaps.filter((gap) => gap >= 1),
        };
      })
      .toEqual({ below: expect.toSatisfy((pixels: number) => pixels <= 1) as number, heights: 3, gaps: [] });
    await pictureOf(app, 'wrap');
  });

  test('keys, the search and going to a line show the whole record', async () => {
    await page.keyboard.press('Home');
    await expect.poll(() => whole(0)).toBe(true);
    await expect.poll(async () => (await drawn()).rows[0]?.top).toBe(0);
    for (let row = 1; row <= 12; row++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => whole(12)).toBe(true);
    await page.keyboard.press(':');
    await page.getByRole('textbox', { name: 'Go to' }).fill('1304');
    await page.keyboard.press('Enter');
    await expect.poll(() => whole(1303)).toBe(true);
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Search' }).fill('end777');
    await page.keyboard.press('Enter');
    await expect.poll(() => whole(777)).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('the scroll bar goes from the first row to the last one', async () => {
    const bar = page.getByRole('scrollbar', { name: 'Records' });
    const box = await bar.boundingBox();
    if (box === null) throw new Error('no scroll bar');
    const drag = async (share: number): Promise<void> => {
      const thumb = await bar.locator('.thumb').boundingBox();
      if (thumb === null) throw new Error('no thumb');
      const x = box.x + box.width / 2;
      await page.mouse.move(x, thumb.y + thumb.height / 2);
      await page.mouse.down();
      await page.mouse.move(x, share === 1 ? box.y + box.height + 50 : box.y + box.height * share - (share === 0 ? 50 : 0), { steps: 4 });
      await page.mouse.up();
    };
    await drag(0);
    await expect.poll(() => whole(0)).toBe(true);
    await drag(0.5);
    await expect.poll(async () => Math.abs(((await drawn()).rows[0]?.row ?? 0) - LINES.length / 2)).toBeLessThan(LINES.length / 20);
    await drag(1);
    await expect.poll(() => whole(LINES.length - 1)).toBe(true);
  });

  test('end where they began: the rows are of one height again', async () => {
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Alt+z');
    await expect.poll(async () => new Set((await drawn()).rows.map(({ top, bottom }) => Math.round(bottom - top)))).toEqual(new Set([24]));
    await expect.poll(async () => (await drawn()).rows.at(-1)?.row).toBe(LINES.length - 1);
  });
});
