import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';

const GRAPH = `import { CircularBuffer } from 'circular_buffer';
const buffer = new CircularBuffer(60, 1, 60);
buffer.set_header(1, 'Requests', 'count', 'sum');
export function process_message() {
  buffer.add(Number(read_message('Timestamp')), 1, 1);
  return 0;
}
export function timer_event() {
  inject_payload('cbuf', 'Requests a minute', buffer);
}
`;

describe('the editor knows the types', () => {
  let app: App;
  let page: Page;
  const content = (): Locator => page.locator('.cm-content');
  const mistakes = (): Promise<string[]> => page.locator('.cm-lintRange-error').allInnerTexts();

  /** Moves the pointer onto a place until it is told what stands there: what the trial finds meanwhile closes it again. */
  async function hovered(place: Locator, said: Locator): Promise<void> {
    const told = async (): Promise<boolean> => {
      await page.mouse.move(5, 5);
      await place.hover();
      return said
        .first()
        .waitFor({ timeout: patienceMs() / 4 })
        .then(
          () => true,
          () => false,
        );
    };
    await expect.poll(told).toBe(true);
  }

  async function write(text: string): Promise<void> {
    await content().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  }

  beforeAll(async () => {
    app = await startApp([SAMPLE('access.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.length === 1 && sources.every(({ state }) => state === 'following'));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('the service runs while the editor is open, and not before', async () => {
    expect(page.workers()).toEqual([]);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Scripts' }).click();
    await page.getByRole('button', { name: 'New script' }).click();
    await expect.poll(() => page.workers().length).toBe(1);
    await page
      .getByRole('region', { name: 'What the script would do' })
      .getByText(/messages? emitted/)
      .waitFor();
    await expect.poll(mistakes).toEqual([]);
  });

  test('a misspelt function is marked before it runs', async () => {
    await write("function process_message() {\n  if (read_message('Type') === 'never') read_mesage('Type');\n  return 0;\n}\n");
    await expect.poll(mistakes).toEqual(['read_mesage']);
    await hovered(
      page.locator('.cm-lintRange-error').first(),
      page.getByText("Cannot find name 'read_mesage'. Did you mean 'read_message'?"),
    );
    await page.getByLabel('File name').fill('mine.js');
    await write("function process_message() {\n  if (read_message('Type') === 'never') injekt_payload('x');\n  return 0;\n}\n");
    await expect.poll(mistakes).toEqual(['injekt_payload']);
    await page.getByLabel('File name').fill('mine.ts');
  });

  test('members of modules are completed, calls show their arguments, and names what they are', async () => {
    await write("import { CircularBuffer } from 'circular_buffer';\nconst b = new CircularBuffer(60, 1, 60);\n");
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('b.set_h');
    await page.locator('.cm-tooltip-autocomplete').getByText('set_header').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('eader(');
    await page
      .locator('.script-hover strong')
      .getByText(/^column/)
      .waitFor();
    await page.keyboard.type('1, ');
    await page.locator('.script-hover strong').getByText(/^name/).waitFor();
    await page.keyboard.press('Escape');
    const name = content().locator('span').getByText('CircularBuffer', { exact: true }).first();
    await hovered(name, page.locator('.script-hover').getByText(/CircularBuffer\(rows: number/));
  });

  test('a graph that the script injects is drawn', async () => {
    await write(GRAPH);
    const graph = page.getByRole('figure', { name: 'Graph Requests a minute' });
    await graph.locator('path').waitFor();
    await expect.poll(() => graph.locator('path').getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+/);
    await expect.poll(mistakes).toEqual([]);
    await expectNoFindings(page, 'the editor with a graph');
  });

  test('a new script can be a decoder, with lines of the source beside it', async () => {
    await page.getByRole('button', { name: 'Back to the scripts' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click();
    await expect.poll(() => page.workers().length).toBe(0);
    await page.getByRole('button', { name: 'New script' }).click();
    await page.getByRole('combobox', { name: 'Kind of script' }).selectOption('decoder');
    const lines = page.getByRole('region', { name: 'Lines of access.log' });
    await expect.poll(() => lines.innerText()).toContain('HTTP/1.1');
    await page.getByRole('heading', { name: 'New decoder' }).waitFor();
    await expect.poll(() => content().innerText()).toContain("name: 'my_decoder'");
    await expectNoFindings(page, 'the editor for a decoder');
    await content().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('// mine');
    await expect.poll(() => page.getByRole('combobox', { name: 'Kind of script' }).count()).toBe(0);
  });
});
