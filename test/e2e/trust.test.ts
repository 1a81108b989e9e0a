import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requests as known } from '../../engine/api/requests/index.ts';
import { harmTo, hostileRequests, layLinks, layPrey, type Prey } from '../hostile-requests.ts';
import { until } from '../until.ts';
import { SAMPLE, startApp, type App } from './support/app.ts';
import { pictureOf } from './support/picture.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

describe('a page that was taken over', () => {
  let app: App;
  let prey: Prey;
  const answers: unknown[] = [];

  beforeAll(async () => {
    app = await startApp([SAMPLE('syslog.log')]);
    prey = layPrey();
    layLinks(join(app.data, 'scripts'), prey);
    await app.electron.evaluate(({ dialog }) => {
      const places = ((globalThis as { places?: unknown[] }).places = [] as unknown[]);
      dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
      dialog.showSaveDialog = (...given: unknown[]) => {
        places.push((given.at(-1) as { defaultPath: string }).defaultPath);
        return Promise.resolve({ canceled: true, filePath: '' });
      };
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const ask = (name: string, input: unknown): Promise<unknown> =>
    app.page.evaluate(([n, i]) => window.sluicebox.request(n as never, i as never), [name, input] as const);

  test('gets nowhere with any request, and is asked about no more than three times', async () => {
    const { sources } = await app.stateWhere((state) => state.sources.some(({ state: now }) => now === 'following'));
    const requests = hostileRequests(prey, sources[0]?.id ?? 0, join(app.data, 'scripts'));
    for (const name of Object.keys(known) as (keyof typeof requests)[]) {
      for (const { what, input, code } of [{ what: 'nothing', input: null, code: 'request.invalid' }, ...requests[name]]) {
        const answer = await ask(name, input);
        answers.push(answer);
        if (code === null) expect(answer, `${name}: ${what}`).toHaveProperty('value');
        else expect(answer, `${name}: ${what}`).toMatchObject({ failed: { code } });
      }
    }
    expect(harmTo(prey, answers)).toEqual([]);
    expect((await app.questions()).length).toBe(3);
    const places = await app.electron.evaluate(() => (globalThis as { places?: unknown[] }).places);
    expect(places).toEqual(['secret.txt.sluicebox', 'secret.txt', 'foreign.js', 'secret.txt', 'secret.txt']);
  });

  test('opens no file by its path, only what was really dropped', async () => {
    const dropped = join(prey.folder, 'dropped.log');
    writeFileSync(dropped, 'one\n');
    expect(await app.page.evaluate((path) => window.sluicebox.openDropped([new File(['x'], path)]), prey.secret)).toHaveProperty('failed');
    expect(await app.page.evaluate((path) => window.sluicebox.openDropped([path as unknown as File]), prey.secret)).toHaveProperty(
      'failed',
    );
    await app.page.evaluate(() => {
      const field = document.createElement('input');
      field.type = 'file';
      field.id = 'dropped';
      document.body.append(field);
    });
    await app.page.setInputFiles('#dropped', dropped);
    await app.page.evaluate(() => {
      const { files } = document.querySelector('#dropped') as HTMLInputElement;
      const data = new DataTransfer();
      for (const file of files ?? []) data.items.add(file);
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await app.stateWhere(({ sources }) => sources.some(({ location, records }) => location === dropped && records === 1));
    expect((await ask('source.open', { paths: [dropped] })) as object).toHaveProperty('value');
  });

  test('may wait for so many answers at once', async () => {
    const refusals = async (): Promise<Set<string>> => {
      // Refused when so many wait already.
      const revision = await app.request('items.changes', { since: 0 }).then(
        (news) => news.revision,
        () => 0,
      );
      const codes = await app.page.evaluate(async (since) => {
        // There is nothing new, so those that are taken are not answered.
        const waits = Array.from({ length: 300 }, () => window.sluicebox.request('items.changes', { since }));
        const late = new Promise<string>((waited) => setTimeout(waited, 2000, 'taken'));
        const codes = waits.map(async (wait) => {
          const reply = await wait;
          return 'failed' in reply ? reply.failed.code : 'answered';
        });
        return Promise.all(codes.slice(256).map((code) => Promise.race([code, late])));
      }, revision);
      return new Set(codes);
    };
    // Should there be news just then, all that wait are answered at once.
    await expect.poll(refusals).toEqual(new Set(['request.busy']));
  });
});

describe('what has to be confirmed', () => {
  let app: App;
  let marker: string;

  beforeEach(async () => {
    app = await startApp();
    marker = join(app.data, 'marker');
  });
  afterEach(() => app[Symbol.asyncDispose]());

  const run = async (line: string): Promise<void> => {
    await app.page.keyboard.press('Control+Shift+O');
    const form = app.page.getByRole('form', { name: 'Output of a command' });
    await form.getByLabel('Command line').fill(line);
    await form.getByRole('button', { name: 'Run' }).click();
  };

  test('a command is shown whole and runs once it was confirmed; then it is asked about no more', async () => {
    const line = `echo one; touch ${marker}; ${': '.repeat(1000)}`;
    await app.page.getByRole('heading', { name: 'Open a log' }).waitFor();
    await run(line);
    const alert = app.page.getByRole('form', { name: 'Output of a command' }).getByRole('alert');
    await expect.poll(() => alert.innerText()).toMatch(/was not confirmed/);
    await pictureOf(app, 'refused');
    expect(existsSync(marker)).toBe(false);
    await app.answer('confirm');
    await run(line);
    await until(() => existsSync(marker), 'the command');
    const [first, ...parts] = await app.questions();
    expect(first).toMatch(/^Run this command\?\n│ echo one; touch [^]*Part 1 of \d/);
    expect(parts.length).toBeGreaterThan(1);
    const before = (await app.questions()).length;
    await app.request('source.close', { id: (await app.request('engine.state', {})).sources[0]?.id ?? 0 });
    await app.request('source.run', { command: line });
    expect(await app.questions()).toHaveLength(before);
  });

  test('a listener for this machine opens at once, one for all is asked about', async () => {
    await app.request('source.listen', { protocol: 'udp', host: '127.0.0.1', port: 0 });
    expect(await app.questions()).toEqual([]);
    await expect(app.request('source.listen', { protocol: 'udp', host: '0.0.0.0', port: 0 })).rejects.toThrow(/not confirmed/);
    expect(await app.questions()).toEqual([expect.stringMatching(/^Listen on this address\?\n│ UdpInput 0\.0\.0\.0:0/)]);
    await app.answer('confirm');
    await app.request('source.listen', { protocol: 'udp', host: '0.0.0.0', port: 0 });
  });

  test('a workspace file from elsewhere starts nothing that was not confirmed', async () => {
    const { data } = app;
    const path = join(data, 'workspace.toml');
    await until(() => existsSync(path), 'the workspace file');
    await app.electron.close();
    writeFileSync(
      path,
      `${readFileSync(path, 'utf8')}\n[evil]\ntype = "ProcessInput"\nticker_interval = 0\n[evil.command.0]\nbin = "/usr/bin/touch"\nargs = ["${marker}"]\n`,
    );
    for (const how of ['cancel', 'confirm', 'none'] as const) {
      app = await startApp([], data, [], how === 'confirm' ? 'confirm' : 'cancel');
      if (how !== 'none') await until(async () => (await app.questions()).length > 0, 'the question');
      if (how === 'cancel') {
        await until(async () => (await app.request('notice.list', {})).some(({ code }) => code === 'consent.refused'), 'the notice');
        expect(existsSync(marker)).toBe(false);
      } else await app.stateWhere(({ sources }) => sources.some(({ kind, end }) => kind === 'command' && end?.status === 0));
      // Long lines are broken there.
      const questions = (await app.questions()).map((text) => text.replaceAll(/(?<=│ .{60})\n│ /g, ''));
      expect(questions).toEqual(how === 'none' ? [] : [expect.stringContaining(`│ [evil]\nruns the command\n│ /usr/bin/touch ${marker}`)]);
      if (how !== 'none') await app.electron.close();
    }
    expect(existsSync(marker)).toBe(true);
  });
});

test('a folder into which others may write is refused, with what to do', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-e2e-'));
  chmodSync(data, 0o777);
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(process.env['SLUICEBOX_ELECTRON'] as string, [ROOT, ...root, `--user-data-dir=${data}`]);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    await until(
      () => said.includes(`chmod go-w '${data}'`),
      () => `the reason: ${said}`,
    );
    expect(existsSync(join(data, 'workspace.toml'))).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
