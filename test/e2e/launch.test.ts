import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childrenOf, familyOf, lives } from '../processes.ts';
import { until } from '../until.ts';

const START = resolve(import.meta.dirname, '../../scripts/start.mjs');

let config: string;
let family: number[];

/** Its decoder needs a host, where none runs in a thread. */
const LOG = resolve(import.meta.dirname, '../../resources/samples/access.log');

beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'sluicebox-config-'));
  family = [];
});
afterEach(() => {
  for (const pid of family) if (lives(pid)) process.kill(pid, 'SIGKILL');
  rmSync(config, { recursive: true, force: true });
});

/** Starts the window as `npm start` does, with a log, in a process group of its own, and waits for the hosts. */
async function start(): Promise<{ pid: number; ended: Promise<unknown>; err: () => string }> {
  // Without a display it starts one of its own, which has to end as well.
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...own } = process.env;
  const env = { ...own, XDG_CONFIG_HOME: config, CI: '1', SLUICEBOX_BUNDLED_IN_HOSTS: '1' };
  const starter = spawn(process.execPath, [START, LOG], { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const pid = starter.pid as number;
  let err = '';
  starter.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise((done) => starter.once('close', done));
  await until(
    () => {
      family = familyOf(pid);
      return family.some((member) => childrenOf(member).some(({ command }) => command.includes('--permission')));
    },
    () => `the hosts: ${err}`,
  );
  family = familyOf(pid);
  expect(family.length).toBeGreaterThan(3);
  return { pid, ended, err: () => err };
}

const allGone = (): Promise<boolean> =>
  until(
    () => !family.some(lives),
    () => `the end of ${family.filter(lives).join()}`,
  );

describe.runIf(process.platform === 'linux')('a start', () => {
  test('that is killed closes its window and leaves no process behind', async () => {
    const { pid } = await start();
    process.kill(pid, 'SIGKILL');
    await allGone();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('whose whole group gets a %s ends in order and without a word', async (signal) => {
    const { pid, ended, err } = await start();
    const before = err();
    process.kill(-pid, signal);
    expect(await ended).toBe(0);
    await allGone();
    expect(err()).toBe(before);
  });
});

test.runIf(process.platform === 'linux').each([
  ['HOME', '/proc'],
  ['HOME', '/dev/null'],
  ['--user-data-dir', '/proc/none'],
])('a folder for data that takes nothing (%s is %s) is told', async (name, folder) => {
  const given = name === 'HOME' ? [] : [`${name}=${folder}`];
  const env = { ...(name === 'HOME' ? { HOME: folder } : {}), XDG_CONFIG_HOME: '' };
  expect(await refusal(given, env)).toContain(`the folder for the window's data cannot be made: ${name} is "${folder}".`);
});

test.runIf(process.platform === 'linux').each(['/proc/none', '/dev/null'])(
  'a folder for temporary files that takes nothing (%s) is told',
  async (folder) => {
    const data = mkdtempSync(join(tmpdir(), 'sluicebox-launch-'));
    const said = await refusal([`--user-data-dir=${data}`], { TMPDIR: folder });
    rmSync(data, { recursive: true });
    expect(said).toContain(`nothing can be written into the folder for temporary files, "${folder}": E`);
  },
);

/** Starts the application and returns its standard error, once it has refused to start. */
async function refusal(given: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const electron = process.env['SLUICEBOX_ELECTRON'] as string;
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const shell = spawn(electron, [resolve(import.meta.dirname, '../..'), ...root, ...given, '--log-level=3'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect(await new Promise((done) => shell.once('close', done))).toBe(1);
  return said;
}
