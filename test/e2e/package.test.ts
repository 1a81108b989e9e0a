import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE } from './support/app.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const ELECTRON = process.env['SLUICEBOX_ELECTRON'] as string;
const run = promisify(execFile);

let folder: string;
let application: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-package-'));
  await run(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'electron-builder', 'cli.js'),
      '--dir',
      `-c.directories.output=${folder}`,
      // The Electron that the other tests use: nothing is downloaded.
      `-c.electronDist=${dirname(ELECTRON)}`,
      `-c.electronVersion=${readFileSync(join(dirname(ELECTRON), 'version'), 'utf8')
        .trim()
        .replace(/^v/, '')}`,
    ],
    { cwd: ROOT },
  );
  application = join(folder, 'linux-unpacked', 'sluicebox');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('starts from its own folder alone, opens the file it is given, and decodes it', async () => {
  const log = join(folder, 'access.log');
  copyFileSync(SAMPLE('access.log'), log);
  const screenshot = join(folder, 'window.png');
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const { stdout } = await run(application, [...root, `--user-data-dir=${join(folder, 'data')}`, log], {
    cwd: folder,
    env: { ...process.env, SLUICEBOX_REPORT: '1', SLUICEBOX_EXIT_AFTER_REPORT: '1', SLUICEBOX_SCREENSHOT: screenshot },
  });
  expect(stdout).toContain(`${log}: 10000 records, 9988 decoded by nginx_access, 12 refused and shown raw`);
  expect(statSync(screenshot).size).toBeGreaterThan(20_000);
});

it('works as a command without a window too', async () => {
  const resources = join(dirname(application), 'resources');
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
