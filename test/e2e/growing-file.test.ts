import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `192.0.2.${i % 200} - - [20/Nov/2026:10:00:00 +0000] "GET /${i} HTTP/1.1" 200 12 "-" "curl/8.4.0"\n`,
  ).join('');

describe('a file that grows and goes', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-growing-'));
  const path = join(folder, 'access.log');
  /** Lines of the file so far. */
  let written = 300;

  beforeAll(async () => {
    writeFileSync(path, lines(written));
    app = await startApp([path, join(folder, 'missing.log')]);
    page = app.page;
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === written));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const status = (): Promise<string> => page.getByRole('contentinfo', { name: 'Status' }).innerText();

  test('is among the recent files, one that is not there is not', async () => {
    await expect.poll(async () => (await app.request('shell.recent', {})).map((recent) => recent.path)).toEqual([path]);
  });

  test('has its own columns beside a file that cannot be read', async () => {
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toContain('request');
  });

  test('is live while it grows, and was not while it was read', async () => {
    await expect.poll(status).toContain('up to date');
    expect((await app.stateWhere(() => true)).clock).toBe('replay');
    // It is live for some seconds, which a slow window may miss.
    const growing = async (): Promise<[string, string]> => {
      appendFileSync(path, lines(20));
      written += 20;
      return [(await app.stateWhere(() => true)).clock, (await status()).replace(/.* · /s, '').replace(/[\d.]+/, 'N')];
    };
    await expect.poll(growing, { interval: 200 }).toEqual(['live', expect.stringMatching(/^N\/s/)]);
    // Records that the decoder got to recognise the file are not counted.
    const state = await app.stateWhere(({ plugins }) => plugins.some(({ kind, processed }) => kind === 'decoder' && processed >= written));
    expect(state.plugins.find(({ kind }) => kind === 'decoder')?.processed).toBe(written);
  });

  test('is said to be deleted, and followed again when there is another one', async () => {
    rmSync(path);
    await app.stateWhere(({ sources }) => sources.some(({ state }) => state === 'gone'));
    await page.getByText('was deleted or moved away. A new file of this name is read when it appears.').first().waitFor();
    writeFileSync(path, lines(10));
    await app.stateWhere(({ sources }) => sources.some(({ state, records }) => state === 'following' && records === written + 10));
  });

  test('a field of the schema leads to its values', async () => {
    await page.keyboard.press('Control+7');
    await page.getByRole('treegrid').getByRole('button', { name: 'status', exact: true }).click();
    await page.getByRole('region', { name: 'Field status' }).getByRole('button', { name: 'Show status small' }).waitFor();
  });
});
