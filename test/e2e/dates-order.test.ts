import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { until } from '../until.ts';

const day = (date: number): string =>
  Array.from({ length: 96 }, (_, i) => {
    const clock = `${String(Math.floor(i / 4)).padStart(2, '0')}:${String((i % 4) * 15).padStart(2, '0')}:00`;
    const status = i % 7 === 0 ? 503 : 200;
    return `192.0.2.7 - - [0${date}/Nov/2026:${clock} +0000] "GET /day/${date}/${i} HTTP/1.1" ${status} 12 "-" "curl/8.4.0"\n`;
  }).join('');

const HADOOP = [978, 963, 228, 353].map(
  (ms, i) => `2015-10-18 18:01:4${i},${ms} INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: Event number ${i}\n`,
);

describe('a log of three days in three files, and one of another year', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-days-'));
  let app: App;
  let page: Page;

  beforeAll(async () => {
    // The newest day is the oldest file, as after a copy.
    for (const [name, date] of [
      ['access.log', 3],
      ['access.log.1', 2],
      ['access.log.2', 1],
    ] as const)
      writeFileSync(join(folder, name), day(date));
    writeFileSync(join(folder, 'hadoop.log'), HADOOP.join(''));
    app = await startApp([join(folder, 'access.log*')]);
    page = app.page;
    await app.request('engine.state', {});
    await app.stateWhere(({ sources }) => sources.some(({ records, state }) => records === 288 && state === 'following'));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = async (): Promise<string[]> => page.locator('[role="grid"] [data-row]').allInnerTexts();
  const head = (): Promise<string> => page.getByRole('columnheader').first().innerText();
  const headers = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();

  test('shows them in order of time, each time with its day', async () => {
    await expect.poll(async () => (await rows()).at(-1)).toContain('/day/3/95');
    await page.locator('[role="grid"] [data-row]').nth(2).click();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await rows())[0]).toContain('/day/1/0');
    await expect.poll(async () => (await rows())[0]).toMatch(/^\d\d-\d\d \d\d:\d\d:00\s/);
    await expect.poll(head).toMatch(/Time\s*2026$/);
  });

  test('gives the request the room of columns that say nothing, in a small window too', async () => {
    await expect.poll(headers).toEqual(expect.not.arrayContaining([expect.stringMatching(/^(Text|Type|Severity|Source)/)]));
    await app.resize(900, 600);
    await expect.poll(headers).toEqual([expect.stringMatching(/^Time/), 'status', 'request']);
    await app.resize(1440, 900);
    await page.getByRole('button', { name: /^Show \d folded columns/ }).click();
    await expect.poll(headers).toEqual(expect.arrayContaining(['Text']));
  });

  test('draws all three days, in classes as the histogram has them', async () => {
    await page.getByRole('button', { name: 'Charts', exact: true }).click();
    const card = page.getByRole('region', { name: 'HTTP Status' });
    await card.waitFor();
    await expect.poll(() => card.innerText()).toContain('5xx');
    const graph = await until(async () => {
      const [known] = await app.request('graph.list', {});
      const sum = known?.columns.flatMap(({ values }) => [...values]).reduce((all, value) => all + (Number.isNaN(value) ? 0 : value), 0);
      return known !== undefined && sum === 288 ? known : null;
    });
    expect(graph.rowMs).toBe(300_000);
    await page.getByRole('button', { name: 'Last 1 h' }).click();
    const all = page.getByRole('button', { name: 'All time' });
    await expect.poll(() => all.isEnabled()).toBe(true);
    await all.click();
    await expect.poll(() => all.isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Logs', exact: true }).click();
  });

  test('tells milliseconds as they stand in the log, and the year when there is another', async () => {
    await app.open(join(folder, 'hadoop.log'));
    await app.stateWhere(({ sources }) => sources.some(({ label, records }) => label === 'hadoop.log' && records === 4));
    await page.locator('[role="grid"] [data-row]').first().click();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await rows())[0]).toContain('Event number 0');
    await expect.poll(head).toBe('Time');
    for (const [i, ms] of ['978', '963', '228', '353'].entries()) {
      await expect.poll(async () => (await rows())[i]).toMatch(new RegExp(String.raw`^2015-10-\d\d \d\d:\d\d:4${i}\.${ms}`));
    }
    await page.locator('button.pick', { hasText: 'hadoop.log' }).click();
    await expect.poll(head).toMatch(/Time\s*2015-10-\d\d$/);
    await expect.poll(async () => (await rows())[0]).toMatch(/^\d\d:\d\d:40\.978/);
  });
});
