import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MODULES } from '../../../engine/ask/host-command.ts';
import { cliMain, fileOf } from '../cli/run-cli.ts';
import { importsOf } from '../module-closure.ts';

it('the process may read all that it imports, and is made anew when that changes', () => {
  const { count, others } = importsOf('ask/host.ts', MODULES);
  expect(others).toEqual([]);
  expect(count).toBeGreaterThan(10);
});

it('queries run from the sources, with nothing kept for the next start', () => {
  const log = fileOf('few.log', 'time=2026-03-17T15:00:01Z level=info msg=a took=3ms\n');
  const { NODE_COMPILE_CACHE: _kept, ...env } = process.env;
  const args = [...process.execArgv, cliMain, 'query', '-q', '--format', 'csv', log, 'SELECT count(*) AS n FROM messages'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect([status, stdout.split(/\r?\n/), stderr]).toEqual([0, ['n', '1', ''], '']);
});
