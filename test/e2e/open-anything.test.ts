import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startApp, type App } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { pictureOf } from './support/picture.ts';

const CRON = Array.from({ length: 9 }, (_, i) => `Mar  5 13:07:5${i} box1 cron[17]: job ${i}\n`).join('');

/** Presses keys as a keyboard does: those of the debugger's protocol do not come to the shell. */
const press = (app: App, ...keys: readonly string[]): Promise<void> =>
  app.electron.evaluate(({ BrowserWindow }, pressed) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    for (const keyCode of pressed) {
      const modifiers: 'shift'[] = /^[A-Z]$/.test(keyCode) ? ['shift'] : [];
      contents?.sendInputEvent({ type: 'keyDown', keyCode, modifiers });
      if (keyCode.length === 1) contents?.sendInputEvent({ type: 'char', keyCode, modifiers });
      contents?.sendInputEvent({ type: 'keyUp', keyCode, modifiers });
    }
  }, keys);

describe('opening anything from the window', () => {
  let app: App;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-open-'));
    mkdirSync(join(folder, 'logs', 'sub'), { recursive: true });
    writeFileSync(join(folder, 'logs', 'cron.log'), CRON);
    writeFileSync(join(folder, 'logs', 'cron.log.1'), CRON.replaceAll('Mar  5', 'Mar  4'));
    writeFileSync(join(folder, 'logs', 'sub', 'words.txt'), 'free words\nmore of them\n');
    writeFileSync(join(folder, 'mine.log'), 'A1 | 2021-03-05T13:07:59Z | up\nA2 | 2021-03-05T13:08:00Z | down\n');
    app = await startApp();
    page = app.page;
    await page.getByRole('heading', { name: 'Open a log' }).waitFor();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const picture = (name: string): Promise<void> => pictureOf(app, name);

  test('a typed path is completed, confirmed, shown with its first records, and opened', async () => {
    await app.answer('confirm');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Command' }).fill(join(folder, 'logs', 'cr'));
    await page
      .getByRole('option', { name: join(folder, 'logs', 'cron.log'), exact: false })
      .first()
      .waitFor();
    await picture('palette-path');
    await page.getByRole('combobox', { name: 'Command' }).fill(join(folder, 'lo'));
    await page.getByRole('option', { name: `Open ${join(folder, 'logs')}/` }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('combobox', { name: 'Command' }).inputValue()).toBe(`${join(folder, 'logs')}/`);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Open' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const look = dialog.getByRole('region', { name: 'What it opens' });
    await expect.poll(() => look.innerText()).toMatch(/2 logs[^]*cron\.log\*[^]*job 0[^]*words\.txt[^]*not recognised/);
    expect((await app.questions()).at(-1)).toContain(join(folder, 'logs'));
    await expectNoFindings(page);
    await picture('open-dialog');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    const { sources } = await app.stateWhere(
      (state) => state.sources.length === 2 && state.sources.every((one) => one.state === 'following'),
    );
    expect(sources.map(({ label, records }) => [label, records]).sort()).toEqual([
      ['cron.log*', 18],
      ['words.txt', 2],
    ]);
  });

  test('what is not recognised says so, and is described beside its own lines', async () => {
    const note = page.getByRole('note', { name: 'Not recognised' });
    await expect.poll(() => note.innerText()).toContain('words.txt is not recognised');
    await page.keyboard.press('Control+Alt+O');
    const dialog = page.getByRole('dialog', { name: 'Open' });
    // What the keys themselves have written needs no question.
    const asked = (await app.questions()).length;
    await dialog.getByRole('combobox').focus();
    await press(app, ...join(folder, 'mine.lo'));
    await dialog.getByRole('option', { name: join(folder, 'mine.log'), exact: true }).waitFor();
    await press(app, 'Tab', 'Enter');
    await dialog.getByRole('heading', { name: 'mine.log' }).waitFor();
    await press(app, 'Enter');
    await app.stateWhere(({ sources }) => sources.some(({ label, records }) => label === 'mine.log' && records === 2));
    expect((await app.questions()).slice(asked)).toEqual([]);
    await page.getByRole('button', { name: 'It is all right as it is' }).click();
    await expect.poll(() => note.innerText()).toContain('mine.log is not recognised: only times');
    await picture('not-recognised');
    // In a narrow window the buttons stay together, below the words.
    await app.resize(900, 600);
    const heights = async (): Promise<number> =>
      new Set(
        await note.getByRole('button').evaluateAll((buttons) => buttons.map((one) => Math.round(one.getBoundingClientRect().bottom / 8))),
      ).size;
    await expect.poll(heights).toBe(1);
    await app.resize(1280, 800);
    await note.getByRole('button', { name: 'Describe its lines…' }).click();
    const decoder = page.getByRole('dialog', { name: 'Decoder of mine.log' });
    await expect.poll(() => decoder.getByRole('region', { name: 'The first lines of mine.log' }).innerText()).toContain('A1 | 2021-03-05');
    await decoder.getByRole('button', { name: 'Begin with an expression for them' }).click();
    await decoder.getByLabel(/^pattern/).fill(String.raw`^(?<host>\w+) \| (?<time>\S+) \| (?<message>.*)$`);
    await expect.poll(() => decoder.getByRole('region', { name: 'Preview' }).innerText()).toContain('It decodes the first 2 records.');
    await picture('describe');
    await decoder.getByRole('button', { name: 'Decode anew' }).click();
    await app.stateWhere(({ sources }) => sources.some(({ label, decoder: by }) => label === 'mine.log' && by?.name === 'regex'));
    await expect.poll(() => note.count()).toBe(0);
  });

  test('a file of another machine is read by ssh, which is asked about', async () => {
    const dialog = page.getByRole('dialog', { name: 'Open' });
    await page.keyboard.press('Control+Alt+O');
    await dialog.getByRole('combobox').fill('-oProxyCommand=id:/x');
    await dialog.getByRole('combobox').press('Enter');
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('does not begin with a dash');
    await dialog.getByRole('combobox').fill('web1:/var/log/syslog');
    await dialog.getByRole('combobox').press('Enter');
    const look = dialog.getByRole('region', { name: 'What it opens' });
    await expect.poll(() => look.innerText()).toMatch(/-- web1 'exec tail -n \+1 -F -- '|ssh was not found/);
    await app.answer('cancel');
    if ((await look.innerText()).includes('ssh was not found')) return;
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('was not confirmed');
  });
});

describe('standard input', () => {
  test('is opened when something has come, holds nothing up at the end, and leaves nothing behind', async () => {
    const data = mkdtempSync(join(tmpdir(), 'sluicebox-stdin-'));
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const project = resolve(import.meta.dirname, '..', '..');
    const shell = spawn(
      process.env['SLUICEBOX_ELECTRON'] as string,
      [project, ...root, '--log-level=3', `--user-data-dir=${data}`, '--', '-'],
      {
        env: { ...process.env, SLUICEBOX_REPORT: '1', SLUICEBOX_EXIT_AFTER_REPORT: '1' },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    let said = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    // It stays open, as that of a command that goes on.
    shell.stdin.write(CRON);
    const code = await new Promise((done) => shell.on('close', done));
    expect(said).toMatch(/standard input: 9 records, 9 decoded by syslog/);
    expect(code).toBe(0);
    expect(existsSync(join(data, 'standard-input'))).toBe(false);
    rmSync(data, { recursive: true, force: true });
  });
});

describe('records by their names, and assistants', () => {
  let app: App;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-named-'));
  const lineOf = (at: number, uri: string): string =>
    `203.0.113.${at % 200} - anna [10/Feb/2025:10:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')} +0000] "GET ${uri} HTTP/1.1" 200 12 "-" "curl/8"\n`;

  beforeAll(async () => {
    for (const name of ['web1', 'web2']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'access.log'), Array.from({ length: 300 }, (_, at) => lineOf(at, `/${name}/${at + 1}`)).join(''));
    }
    writeFileSync(join(folder, 'cron.log'), CRON);
    app = await startApp([join(folder, 'web1', 'access.log'), `${join(folder, 'web2', 'access.log')}#120`, join(folder, 'cron.log')]);
    page = app.page;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const inspector = (): Promise<string> => page.getByRole('complementary', { name: 'Inspector' }).innerText();

  test('a record is shown that the command line names, and one that is typed with its file', async () => {
    await expect.poll(inspector).toContain('/web2/120');
    await page.keyboard.press(':');
    const field = page.getByRole('textbox', { name: 'Go to' });
    await field.fill('access.log#7');
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'called so' }).innerText())
      .toContain('web1/access.log and web2/access.log');
    await field.fill('web1/access.log#7');
    await field.press('Enter');
    await expect.poll(inspector).toContain('/web1/7');
    // A second start hands its record to the window that is there.
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const project = resolve(import.meta.dirname, '..', '..');
    const second = [project, ...root, '--log-level=3', `--user-data-dir=${app.data}`, '--', `${join(folder, 'cron.log')}#3`];
    const shell = spawn(process.env['SLUICEBOX_ELECTRON'] as string, second, { stdio: 'ignore' });
    await new Promise((done) => shell.on('close', done));
    await expect.poll(inspector).toContain('job 2');
  });

  test('an assistant asks about what is granted, the window shows it, and opens the records that were named', async () => {
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('region', { name: 'Assistants' });
    await settings.getByRole('checkbox', { name: 'web2/access.log' }).click();
    const given = settings.locator('pre').first();
    await expect.poll(() => given.innerText()).toContain('--user-data-dir');
    const { mcpServers } = JSON.parse(await given.innerText()) as { mcpServers: { sluicebox: { command: string; args: string[] } } };
    const { command, args } = mcpServers.sluicebox;
    await settings.scrollIntoViewIfNeeded();
    await pictureOf(app, 'assistants-settings');
    await expectNoFindings(page);

    const assistant = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((done) => assistant.on('close', done));
    let said = '';
    assistant.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    let asked = 0;
    const ask = async (name: string, question: object): Promise<string> => {
      const id = ++asked;
      assistant.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: question } })}\n`);
      const answer = (): string | undefined => said.split('\n').find((line) => line.includes(`"id":${id},`) && line.endsWith('}'));
      await expect.poll(answer).toBeDefined();
      return answer() ?? '';
    };
    const answered = await ask('search', { text: '/web2/25', limit: 5 });
    expect(answered).toContain('access.log#25');
    expect(answered).not.toMatch(/anna|web1/);
    await ask('search', { where: 'status >' });
    await page.getByRole('button', { name: 'Assistant asked' }).click();
    const dialog = page.getByRole('dialog', { name: 'What assistants asked' });
    await expect.poll(() => dialog.innerText()).toMatch(/where status >[^]*refused[^]*text \/web2\/25[^]*5 rows/);
    await pictureOf(app, 'assistants-asked');
    await expectNoFindings(page);
    await dialog.getByRole('button', { name: 'access.log#250' }).click();
    await expect.poll(inspector).toContain('/web2/250');

    await page.keyboard.press('Control+,');
    await settings.getByRole('button', { name: 'Take it back' }).click();
    await expect.poll(() => settings.getByRole('button', { name: /^Take/ }).count()).toBe(0);
    expect(await ask('search', { text: '/web2/25' })).toContain('Nothing is granted');
    assistant.stdin.end();
    await ended;
  });
});
