import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../inputs/harness.ts';
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

/** Whether a process handles signals by itself: SIGHUP, the first one, is what it takes on last. */
const isUp = (pid: number | undefined): boolean => existsSync(`/proc/${pid}`) && /^SigCgt:\s*[0-9a-f]*[13579bdf]$/m.test(statusOf(pid));
const statusOf = (pid: number | undefined): string => spawnSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' }).stdout;

describe.runIf(process.platform === 'linux')('a command that reads what has no end', () => {
  for (const [what, signal] of [
    ['a pipe that nobody writes', 'SIGTERM'],
    ['/dev/zero', 'SIGINT'],
  ] as const) {
    it.each(COMMANDS.map((args) => ({ args, shown: args.join(' ') })))(
      `ends at ${signal}, or by itself, when it reads ${what}: $shown`,
      async ({ args }) => {
        await using folder = await temporaryFolder();
        const pipe = folder.file('pipe');
        spawnSync('mkfifo', [pipe]);
        const path = what === '/dev/zero' ? what : pipe;
        const given = args.map((arg) => (arg === 'PATH' ? path : arg === 'STORE' ? join(folder.path, 'store') : arg));
        await using command = startCommand(given, { cwd: folder.path });
        let isOver = false;
        const code = command.ended.finally(() => (isOver = true));
        await until(() => isOver || isUp(command.child.pid), `${given.join(' ')} to start`);
        command.child.kill(signal);
        await until(() => isOver, `${given.join(' ')} to end`);
        expect([0, 1, 2, 130]).toContain(await code);
      },
    );
  }
});
