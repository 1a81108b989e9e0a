import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { childrenOf, commandOf, descriptorsOf, familyOf, lives, portsOf, statusOf } from '../processes.ts';
import { until } from '../until.ts';
import { SAMPLE, startApp } from './support/app.ts';

/** Time in which a debugger would have opened. */
const DEBUGGER_MS = 300;

describe.runIf(process.platform === 'linux')('the processes below the shell', () => {
  // Without it no host is needed.
  beforeAll(() => void vi.stubEnv('SLUICEBOX_BUNDLED_IN_HOSTS', '1'));
  afterAll(() => void vi.unstubAllEnvs());

  test('have nothing of it open, listen nowhere, and end with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-processes-'));
    writeFileSync(join(folder, 'a.log'), '{"a":1}\n'.repeat(50));
    const app = await startApp([join(folder, 'a.log')]);
    const shell = app.electron.process().pid as number;
    const { pid: engine } = await app.stateWhere(({ sources }) => sources.some(({ records }) => records === 50));
    const hosts = await until(() => {
      const found = childrenOf(engine).filter(({ command }) => command.includes('--permission'));
      return found.every(({ command }) => !command.startsWith('/usr/bin/setpriv')) && found.length > 0 ? found : null;
    }, 'the hosts');
    const below = familyOf(engine);

    // The engine's own are its streams, its channel, and what Node and its inputs open.
    const theirs = new Set(
      [...descriptorsOf(shell).values()].filter((target) => /^(\/|socket:|pipe:)/.test(target) && !target.startsWith('/dev/')),
    );
    const streams = new Set([0, 1, 2].map((stream) => readlinkSync(`/proc/${engine}/fd/${stream}`)));
    for (const pid of below) {
      const shared = [...descriptorsOf(pid)].filter(([, target]) => theirs.has(target) && !streams.has(target));
      expect(shared).toEqual([]);
    }
    for (const { pid } of hosts) expect(statusOf(pid, 'NoNewPrivs')).toBe('1');

    const signalled = [shell, ...below];
    const before = new Map(signalled.map((pid) => [pid, portsOf(pid)]));
    for (const pid of signalled) process.kill(pid, 'SIGUSR1');
    await delay(DEBUGGER_MS);
    for (const pid of signalled) expect([pid, lives(pid), portsOf(pid)]).toEqual([pid, true, before.get(pid)]);

    process.kill(shell, 'SIGKILL');
    await until(
      () => !below.some(lives),
      () => `the end of ${below.filter(lives).join()}`,
    );
    rmSync(folder, { recursive: true, force: true });
    rmSync(app.data, { recursive: true, force: true });
  });

  test('that draw may be killed again and again: the window goes on', async () => {
    await using app = await startApp([SAMPLE('access.log')]);
    const shell = app.electron.process().pid as number;
    const drawing = (): number | null => familyOf(shell).find((pid) => commandOf(pid).includes('--type=gpu-process')) ?? null;
    for (let kills = 0; kills < 4; kills++) {
      const pid = await until(drawing, 'the process that draws');
      process.kill(pid, 'SIGKILL');
      await until(() => !lives(pid), 'its end');
    }
    await app.page.getByRole('button', { name: 'Scripts', exact: true }).click();
    await expect.poll(() => app.page.getByRole('heading', { name: 'Scripts' }).isVisible()).toBe(true);
    await app.page.screenshot();
  });
});
