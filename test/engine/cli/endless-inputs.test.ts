import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../inputs/harness.ts';
import { testMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { startCommand } from './start-command.ts';

/** Arguments of commands that read a file; PATH stands for it. */
const COMMANDS = [
  ['cat', 'PATH'],
  ['check', 'PATH'],
  ['decode', 'PATH'],
  ['detect', 'PATH'],
  ['encode', 'plain_text', 'PATH'],
  ['filter', 'heartbeat', 'PATH'],
  ['import', '--store', 'STORE', 'PATH'],
  ['match', 'TRUE', 'PATH'],
  ['query', 'PATH', 'SELECT 1'],
  ['run', 'PATH'],
  ['sandbox', 'PATH', '--type', 'decoder'],
  ['search', 'a', 'PATH'],
  ['search', '--decode', 'a', 'PATH'],
  ['store', 'list', '--store', 'PATH'],
  ['replay', 'PATH', '--store', 'PATH'],
] as const;

/** Those that read a log as a whole. */
const READERS = COMMANDS.filter(([name, first]) => ['decode', 'import', 'query'].includes(name) || first === 'a');

/** Whether a process handles signals by itself: SIGHUP, the first one, is what it takes on last. */
const isUp = (pid: number | undefined): boolean => existsSync(`/proc/${pid}`) && /^SigCgt:\s*[0-9a-f]*[13579bdf]$/m.test(statusOf(pid));
const statusOf = (pid: number | undefined): string => spawnSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' }).stdout;

/** Expects a command to end soon at a signal. @param path stands for PATH in its arguments */
async function expectEnd(
  args: readonly string[],
  path: string,
  { folder, signal }: { folder: string; signal: NodeJS.Signals },
): Promise<void> {
  const given = args.map((arg) => (arg === 'PATH' ? path : arg === 'STORE' ? join(folder, 'store') : arg));
  await using command = startCommand(given, { cwd: folder });
  let isOver = false;
  const code = command.ended.finally(() => (isOver = true));
  await until(() => isOver || isUp(command.child.pid), `${given.join(' ')} to start`);
  command.child.kill(signal);
  await until(() => isOver, `${given.join(' ')} to end`);
  expect([0, 1, 2, 130]).toContain(await code);
}

const shown = (commands: readonly (readonly string[])[]) => commands.map((args) => ({ args, shown: args.join(' ') }));

describe.runIf(process.platform === 'linux')('a command that reads what has no end', () => {
  for (const [what, signal] of [
    ['a pipe that nobody writes', 'SIGTERM'],
    ['/dev/zero', 'SIGINT'],
  ] as const) {
    it.each(shown(COMMANDS))(`ends at ${signal}, or by itself, when it reads ${what}: $shown`, async ({ args }) => {
      await using folder = await temporaryFolder();
      const pipe = folder.file('pipe');
      spawnSync('mkfifo', [pipe]);
      await expectEnd(args, what === '/dev/zero' ? what : pipe, { folder: folder.path, signal });
    });
  }

  it.each(shown(READERS))('ends at SIGTERM when it reads a pipe that is written without end: $shown', async ({ args }) => {
    await using folder = await temporaryFolder();
    const pipe = folder.file('pipe');
    spawnSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'exec yes "2026-01-01T00:00:00Z info a line" > "$0"', pipe], { stdio: 'ignore' });
    try {
      await expectEnd(args, pipe, { folder: folder.path, signal: 'SIGTERM' });
    } finally {
      writer.kill('SIGKILL');
    }
  });

  it('ends at SIGTERM when it reads a folder of ten thousand files', { timeout: 3 * testMs() }, async () => {
    await using folder = await temporaryFolder();
    const logs = folder.file('logs');
    mkdirSync(logs);
    for (let i = 0; i < 10_000; i++) writeFileSync(join(logs, `${i}.log`), '2026-01-01T00:00:00Z info a line\n');
    for (const args of READERS) await expectEnd(args, logs, { folder: folder.path, signal: 'SIGTERM' });
  });
});
