import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { childrenOf, familyOf, lives } from '../processes.ts';
import { until } from '../until.ts';

const START = resolve(import.meta.dirname, '../../scripts/start.mjs');

test.runIf(process.platform === 'linux')('a start that is killed closes its window and leaves no process behind', async () => {
  const config = mkdtempSync(join(tmpdir(), 'sluicebox-config-'));
  // Without a display it starts one of its own, which has to end as well.
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...own } = process.env;
  const env = { ...own, XDG_CONFIG_HOME: config, CI: '1' };
  const starter = spawn(process.execPath, [START], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const pid = starter.pid as number;
  await until(
    () => familyOf(pid).some((member) => childrenOf(member).some(({ command }) => command.includes('--permission'))),
    'the hosts',
  );
  const family = familyOf(pid);
  process.kill(pid, 'SIGKILL');
  await until(
    () => !family.some(lives),
    () => `the end of ${family.filter(lives).join()}`,
  );
  expect(family.length).toBeGreaterThan(3);
  rmSync(config, { recursive: true, force: true });
});

test.runIf(process.platform === 'linux').each(['/proc', '/dev/null'])('a home folder that takes nothing (%s) is told', async (home) => {
  const electron = process.env['SLUICEBOX_ELECTRON'] as string;
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '' };
  const shell = spawn(electron, [resolve(import.meta.dirname, '../..'), ...root, '--log-level=3'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect(await new Promise((done) => shell.once('close', done))).toBe(1);
  expect(said).toContain(`the folder for the window's data cannot be made: HOME is "${home}".`);
});
