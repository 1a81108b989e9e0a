/**
 * Stands in for systemd in tests of pages: `systemctl` and `journalctl` for one service of the unit sluicebox@.service, in a folder that holds what would
 * be the machine's. It obeys what the unit says of commands, variables and folders; who runs it and what is protected it leaves out.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [machine = '', program = '', ...words] = process.argv.slice(2);
const journal = join(machine, 'journal');
const pidFile = join(machine, 'pid');
const [action = '', ...rest] = words.filter((word) => !word.startsWith('-'));
const instance = /^sluicebox@(\w+)$/.exec(rest[0] ?? '')?.[1];

/** The lines of the unit with this key, for the instance, with the machine's folders in place of the system's. */
function values(key: string): string[] {
  const unit = readFileSync(join(machine, 'etc/systemd/system/sluicebox@.service'), 'utf8');
  const lines = [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  return lines.map((line) => line.replaceAll('%i', String(instance)).replaceAll(/\/(etc|opt|var)\//g, `${machine}/$1/`));
}

function environment(): NodeJS.ProcessEnv {
  const files = values('EnvironmentFile').map((path) => path.replace(/^-/, ''));
  const texts = files.filter(existsSync).map((path) => readFileSync(path, 'utf8'));
  const pairs = [...values('Environment'), ...texts.join('\n').split('\n')].filter((line) => line.includes('='));
  return {
    ...process.env,
    ...Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  };
}

function start(): void {
  for (const [key, under] of [
    ['StateDirectory', 'var/lib'],
    ['CacheDirectory', 'var/cache'],
  ] as const)
    for (const name of values(key)) mkdirSync(join(machine, under, name), { recursive: true });
  const options = { cwd: values('WorkingDirectory')[0], env: environment() };
  const log = openSync(journal, 'a');
  for (const command of values('ExecStartPre')) execFileSync('sh', ['-c', command], { ...options, stdio: ['ignore', log, log] });
  const [command = ''] = values('ExecStart');
  const service = spawn('sh', ['-c', `exec ${command}`], { ...options, detached: true, stdio: ['ignore', log, log] });
  writeFileSync(pidFile, String(service.pid));
  service.unref();
}

/** Asks the main process alone to end, as KillMode=mixed does, and waits for it. */
async function stop(): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await delay(20);
  rmSync(pidFile);
}

/** Whether a process runs: one that has ended may still be listed, until its parent asks for it. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

if (program === 'journalctl') process.stdout.write(readFileSync(journal, 'utf8'));
else if (action === 'restart') {
  await stop();
  start();
} else if (action === 'start' || action === 'enable') start();
else if (action === 'stop' || action === 'disable') await stop();
else if (action !== 'daemon-reload') throw new Error(`systemctl ${action}`);
