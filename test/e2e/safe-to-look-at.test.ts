import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { visibleText } from '../../engine/api/printable.ts';
import { until } from '../until.ts';
import { startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

/** Reads "exe.gpj" where an override is obeyed; then a link and a title for terminals, a C1 control, and characters without width. */
const EVIL = 'a\u202egpj.exe\u202c \u001b]8;;http://x\u0007y\u001b]8;;\u0007 \u009b31m z\u200bz\u2066q\u2069\ufeff';
const NAME = 'k\u202eey';
const LIMITS = { memory: 8_388_608, instructions: 1_000_000, output: 64_512 };

/** All that a reader or a screen reader gets of the page, and what was drawn into pictures; editors have only what was typed. */
function readPage(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (element === null || element.closest('.cm-editor, script, style') !== null) continue;
    if (!(node instanceof Element)) found.push(node.textContent ?? '');
    else for (const name of ['title', 'aria-label', 'aria-description', 'placeholder', 'alt']) found.push(node.getAttribute(name) ?? '');
  }
  return [document.title, ...found, ...((globalThis as { drawn?: string[] }).drawn ?? [])].filter((text) => text !== '');
}

describe('text that is meant to deceive', () => {
  let app: App;
  let page: Page;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-evil-'));
    const path = join(folder, 'log\u202egol.json');
    const lines = Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({
        time: `2021-03-05T13:07:${String(i + 10)}Z`,
        level: 'error',
        hostname: EVIL,
        logger: EVIL,
        msg: `${EVIL}\n at ${EVIL}`,
        [NAME]: EVIL,
        n: i,
      }),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    writeFileSync(join(folder, 'words\u202e.txt'), `${EVIL}\n`.repeat(3));
    app = await startApp([path, join(folder, 'words\u202e.txt')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.length === 2 && sources.every(({ state }) => state === 'following'));
    await page.evaluate(() => {
      const drawn = ((globalThis as { drawn?: string[] }).drawn = [] as string[]);
      const draw = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (...given) {
        drawn.push(given[0]);
        draw.apply(this, given);
      };
    });
    const filter = { bundled: true, matcher: 'Fields[n] >= 0', ticker: 1, inputs: null, limits: LIMITS };
    const add = (name: string, script: string, config: Record<string, string | number>): Promise<unknown> =>
      app.request('filter.set', { filter: { ...filter, name, script, config }, keepState: false });
    await add(`items ${NAME}`, 'frequent_items', { message_variable: `Fields[${NAME}]`, min_output_weight: 1 });
    await add(`graph ${NAME}`, 'field_graph', { fields: 'n', labels: NAME, title: EVIL, unit: NAME });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Expects it to be there, in marks, and nothing of it as it is. */
  async function expectMarked(where: string, mark = '\\u202e'): Promise<void> {
    let read: string[] = [];
    await until(
      async () => (read = await page.evaluate(readPage)).some((text) => text.includes(mark)),
      () => `${mark} in ${where}: ${JSON.stringify(read.slice(0, 200))}`,
    );
    expect(
      read.filter((text) => visibleText(text) !== text),
      where,
    ).toEqual([]);
    await pictureOf(app, `safe-${where.replaceAll(' ', '-')}`);
  }

  const goTo = async (name: string): Promise<void> => {
    await page
      .getByRole('navigation')
      .getByRole('button', { name })
      .or(page.getByRole('navigation').getByRole('link', { name }))
      .first()
      .click();
  };

  test('is shown in marks in the table, the inspector and the panels', async () => {
    await page.locator('[role="grid"] [data-row]').nth(3).click();
    await page.getByRole('region', { name: 'Selected record' }).getByRole('heading', { name: 'As it was read' }).waitFor();
    await expectMarked('table and inspector');
    await page.keyboard.press('m');
    const note = page.getByRole('region', { name: 'Selected record' }).getByRole('textbox');
    await note.fill(EVIL);
    await note.press('Enter');
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Shift+M');
    await expectMarked('list of marks');
    await page.keyboard.press('Shift+M');
    await page.getByRole('grid', { name: 'Records' }).focus();
    await page.keyboard.press('Alt+z');
    await expectMarked('wrapped table');
    await page.keyboard.press('Alt+z');
    await page.locator('[role="grid"] [data-row]').nth(1).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await expectMarked('menu of a cell');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Selected record' })
      .getByRole('button', { name: /^Actions for k/ })
      .first()
      .click({ force: true });
    await page.getByRole('menuitem', { name: /Count by/ }).click();
    await expectMarked('values of a field');
    await page
      .getByRole('region', { name: /^Values of k/ })
      .getByRole('button')
      .first()
      .click();
    await expectMarked('filter');
  });

  test.each(['Charts', 'Overview', 'Scripts', 'Query'])('is shown in marks in %s', async (view) => {
    await goTo(view);
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
    if (view === 'Scripts')
      await page
        .getByRole('button', { name: /^items k/ })
        .first()
        .click();
    await expectMarked(view);
  });
});
