import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE, startApp, type App } from './support/app.ts';

describe('closing the window', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-background-'));
  const log = join(folder, 'access.log');
  let app: App;
  const close = (): Promise<void> => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const isVisible = (): Promise<boolean | undefined> =>
    app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  const records = async (): Promise<number> => (await app.request('engine.state', {})).records;

  beforeAll(async () => {
    copyFileSync(SAMPLE('access.log'), log);
    app = await startApp([log]);
    await app.stateWhere(
      ({ sources }) => sources.length === 1 && sources.every(({ state, records }) => state === 'following' && records === 10_000),
    );
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('keeps watching, once someone said so in the settings', async () => {
    const { page } = app;
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Settings' }).click();
    await expect.poll(() => page.getByRole('radio', { name: 'Ends Sluicebox' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('radio', { name: 'In the window' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Keeps watching' }).check();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('sluicebox.background'))).toBe('true');
    // The shell knows it when it has answered what was asked behind it.
    await app.request('shell.about', {});
    const before = await records();
    await close();
    await expect.poll(isVisible).toBe(false);
    const told = (await app.questions()).filter((question) => question.startsWith('Sluicebox keeps watching'));
    expect(told).toEqual([expect.stringContaining('start Sluicebox again to bring the window back')]);
    appendFileSync(log, '192.0.2.10 - - [17/Mar/2026:23:59:59 +0000] "GET / HTTP/1.1" 200 2 "-" "late"\n');
    await expect.poll(records).toBe(before + 1);
  });

  test('it comes back by another start, and a notification leads to its alert', async () => {
    await app.electron.evaluate(({ app: shell }) => void shell.emit('second-instance', {}, [], '', { files: [] }));
    await expect.poll(isVisible).toBe(true);
    const { page } = app;
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Alerts' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Notify the desktop' }).isChecked()).toBe(false);
    // As macOS hands a file over.
    const path = join(folder, 'missing.log');
    await app.electron.evaluate(({ app: shell }, file) => void shell.emit('open-file', { preventDefault: () => undefined }, file), path);
    // What the program could not do is in Scripts, not among the alerts.
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Scripts' }).click();
    const alert = page.getByRole('listitem').filter({ hasText: 'missing.log' }).first();
    await alert.waitFor();
    const [notice] = (await app.request('notice.list', {})).filter(({ text }) => text.includes('missing.log'));
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Logs' }).click();
    const id = notice?.id ?? -1;
    await app.electron.evaluate(
      ({ BrowserWindow }, number) => BrowserWindow.getAllWindows()[0]?.webContents.send('event', 'alert', { id: number }),
      id,
    );
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('missing.log');
  });
});
