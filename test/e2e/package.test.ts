import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { SAMPLE } from './support/app.ts';
import { pack, readFuses, type Packaged } from './support/package.ts';

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

let packaged: Packaged;
beforeAll(async () => {
  packaged = await pack();
});
afterAll(() => packaged[Symbol.dispose]());

it('works as a command without a window too', async () => {
  const { folder, resources } = packaged;
  const args = ['--no-warnings', join(resources, 'engine', 'cli', 'main.ts'), 'match', 'Severity <= 3', '-'];
  const child = run(join(resources, 'runtime', 'node'), args, { cwd: folder });
  child.child.stdin?.end('{"Severity":3,"Payload":"kept"}\n{"Severity":6,"Payload":"passed over"}\n');
  const { stdout } = await child;
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([{ Payload: 'kept' }]);
});

it('has the fuses blown that turn Electron into a tool for others', () => {
  expect(readFuses(packaged.binary)).toEqual({
    runAsNode: false,
    cookieEncryption: true,
    nodeOptions: false,
    nodeCliInspect: false,
    embeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  });
});

it('holds one archive, and no tool of the development', () => {
  const { resources } = packaged;
  expect(existsSync(join(resources, 'default_app.asar'))).toBe(false);
  expect(readdirSync(resources).filter((name) => name.endsWith('.asar'))).toEqual(['app.asar']);
  expect(readdirSync(join(resources, 'node_modules'))).not.toEqual(expect.arrayContaining(['electron', 'playwright-core', 'npm', 'vite']));
});

it('lets the sandbox of Chromium have its helper where it needs one, when root installs it', () => {
  expect(statSync(join(packaged.resources, '../chrome-sandbox')).mode & 0o7777).toBe(0o4755);
});

describe('started with all that would make another program of it', () => {
  let child: ChildProcess;
  let page: Page;
  let close: () => Promise<void>;
  let output = '';
  let inspector: number;
  let log: string;
  const planted = (): string => join(packaged.folder, 'planted');

  beforeAll(async () => {
    const { folder, binary, resources } = packaged;
    log = join(folder, 'access.log');
    copyFileSync(SAMPLE('access.log'), log);
    const plant = `require('node:fs').appendFileSync(${JSON.stringify(planted())}, __filename + '\\n');`;
    writeFileSync(join(folder, 'preloaded.cjs'), plant);
    mkdirSync(join(resources, 'app'));
    writeFileSync(join(resources, 'app', 'package.json'), '{ "name": "sluicebox", "main": "index.cjs" }');
    writeFileSync(join(resources, 'app', 'index.cjs'), plant);
    inspector = await freePort();
    const debugging = await freePort();
    const args = [...asRoot, `--inspect=127.0.0.1:${inspector}`, `--remote-debugging-port=${debugging}`];
    child = spawn(binary, [...args, `--user-data-dir=${join(folder, 'data')}`, log], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ELECTRON_RUN_AS_NODE: '1',
        NODE_OPTIONS: `--require=${join(folder, 'preloaded.cjs')}`,
        SLUICEBOX_REPORT: '1',
        SLUICEBOX_SCREENSHOT: join(folder, 'window.png'),
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // The fuse against debuggers shuts Playwright's own way in, too: the page is reached by Chromium's.
    const browser = await until(
      () => chromium.connectOverCDP(`http://127.0.0.1:${debugging}`),
      () => `the window: ${output}`,
    );
    close = () => browser.close();
    page = await until(() => browser.contexts()[0]?.pages()[0], 'the page');
  });

  afterAll(async () => {
    await close();
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(join(packaged.resources, 'app'), { recursive: true });
  });

  it('opens the file that it is given, and decodes it', async () => {
    await until(
      () => output.includes('Screenshot of the window'),
      () => `the report: ${output}`,
    );
    expect(output).toContain(`${log}: 10000 records, 9989 decoded by nginx_access, 11 refused and shown raw`);
    expect(statSync(join(packaged.folder, 'window.png')).size).toBeGreaterThan(20_000);
  });

  it('runs no code from NODE_OPTIONS or from beside its archive, in the engine neither', () => {
    expect(existsSync(planted()) ? readFileSync(planted(), 'utf8') : '').toBe('');
  });

  it('opens no debugger of Node, on SIGUSR1 neither', async () => {
    child.kill('SIGUSR1');
    expect(await page.evaluate('1 + 1')).toBe(2);
    await expect(fetch(`http://127.0.0.1:${inspector}/json`)).rejects.toThrow();
    expect(output).not.toContain('Debugger listening');
  });

  it('shows its own page with its policy, isolated and without Node', async () => {
    expect(page.url()).toBe('app://sluicebox/index.html');
    expect(await page.evaluate('[typeof require, typeof process, typeof module, typeof sluicebox.request]')).toEqual([
      ...['undefined', 'undefined', 'undefined', 'function'],
    ]);
    const policy = await page.evaluate(`fetch('/index.html').then(({ headers }) => headers.get('content-security-policy'))`);
    expect(policy).toContain("default-src 'none'");
  });

  it('reads no files by file://', async () => {
    expect(await page.evaluate(`fetch('file:///etc/passwd').then(() => 'read', () => 'refused')`)).toBe('refused');
    const outcome = `new Promise((done) => { const image = new Image(); image.onload = () => done('shown'); image.onerror = () => done('refused');
      image.src = 'file://${join(packaged.folder, 'window.png')}'; })`;
    expect(await page.evaluate(outcome)).toBe('refused');
  });
});
