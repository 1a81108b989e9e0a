import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SAMPLE } from './support/app.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Starts the application, lets its page crash so many times, and returns what happened, a line each. @param button the answer to a question */
async function crashing(crashes: number, button: string): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-crash-'));
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const hook = join(import.meta.dirname, 'support', 'crashes.cjs');
  const args = ['-r', hook, ROOT, ...root, '--log-level=3', `--user-data-dir=${data}`, '--', SAMPLE('access.log')];
  const child = spawn(process.env['SLUICEBOX_ELECTRON'] as string, args, {
    env: { ...process.env, SLUICEBOX_TEST_CRASHES: String(crashes), SLUICEBOX_TEST_BUTTON: button },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await text(child.stdout);
  rmSync(data, { recursive: true, force: true });
  return said.trim().split('\n');
}

const asked = (crashes: number): RegExp =>
  new RegExp(`^The page of the window stopped ${crashes} times in a minute \\((crashed|killed)\\)\\.$`);

test('a page that crashes is loaded again with what was open', async () => {
  expect(await crashing(2, 'Quit')).toEqual(['shown', 'shown', 'shown', 'quit']);
});

test('one that crashes again and again is loaded again when someone says so', async () => {
  expect(await crashing(4, 'Load again')).toEqual(['shown', 'shown', 'shown', 'shown', expect.stringMatching(asked(4)), 'shown', 'quit']);
  expect(await crashing(4, 'Quit')).toEqual(['shown', 'shown', 'shown', 'shown', expect.stringMatching(asked(4)), 'quit']);
});
