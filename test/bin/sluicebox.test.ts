import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFolder } from '../../engine/cli/folder-lock.ts';
import { childrenOf, commandOf, descriptorsOf, familyOf, lives, portsOf, statusOf } from '../processes.ts';
import { until } from '../until.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../bin/sluicebox');
const isLinux = process.platform === 'linux';
/** Time in which a debugger would have opened, on any machine that is not overloaded. */
const DEBUGGER_MS = 300;
const hasSetpriv = existsSync('/usr/bin/setpriv');

let folder: string;
let family: number[] = [];
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-launch-'));
  writeFileSync(at('a.log'), 'one line\n');
  writeFileSync(at('f.js'), 'function process_message() { return 0; }\n');
  writeFileSync(
    at('p.toml'),
    `[svcd]
log_flags = 0
base_dir = ${JSON.stringify(at('base'))}
maxprocs = 1
[in]
type = "FileInput"
paths = [${JSON.stringify(at('a.log'))}]
[command]
type = "ProcessInput"
ticker_interval = 0
[command.command.0]
bin = "/bin/sh"
args = ["-c", "trap '' TERM; sleep 600 & sleep 600; echo never"]
[f]
type = "SandboxFilter"
filename = "f.js"
message_matcher = "TRUE"
`,
  );
});
afterEach(() => {
  for (const pid of family) if (lives(pid)) process.kill(pid, 'SIGKILL');
  family = [];
  rmSync(folder, { recursive: true, force: true });
});

interface Service {
  readonly launcher: number;
  readonly engine: number;
  readonly hosts: number[];
  readonly commands: number[];
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly err: () => string;
}

function launch(
  more: readonly number[] = [],
  [program, ...args] = [process.execPath, LAUNCHER, 'run'],
): { child: ChildProcess; ended: Service['ended']; err: () => string } {
  const stdio = ['ignore', 'ignore', 'pipe', ...Array.from({ length: 37 }, () => 'ignore' as const), ...more] as const;
  const child = spawn(program, [...args, at('p.toml')], { stdio: [...stdio] });
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { child, ended: new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code))), err: () => err };
}

const isHost = ({ command }: { command: string }): boolean => command.includes('--permission') && !command.startsWith('/usr/bin/setpriv');

/** Starts the service; it runs when its host and its command do. */
async function start(more: readonly number[] = []): Promise<Service> {
  const { child, ended, err } = launch(more);
  const launcher = child.pid as number;
  family = [launcher];
  const service = await until(
    () => {
      family = [...new Set([...family, ...familyOf(launcher)])];
      const [process] = childrenOf(launcher);
      const children = process === undefined ? [] : childrenOf(process.pid);
      const hosts = children.filter(isHost).map(({ pid }) => pid);
      const commands = children.filter(({ command }) => command.includes('echo never')).map(({ pid }) => pid);
      const sleeping = commands.flatMap(familyOf).length === 3;
      return hosts.length > 0 && sleeping ? { launcher, engine: process?.pid as number, hosts, commands, ended, err } : null;
    },
    () => `the service: ${err()}`,
  );
  family = familyOf(launcher);
  return service;
}

const allGone = (): Promise<boolean> =>
  until(
    () => !family.some(lives),
    () => `the end of ${family.filter(lives).join()}`,
  );

describe.runIf(isLinux)('a command that prints what it reads', () => {
  it.each([
    ['in a process of its own', LAUNCHER, []],
    ['under the launcher', process.execPath, [LAUNCHER]],
  ])('has a larger young generation: %s', async (_, program, args) => {
    const child = spawn(program, [...args, 'match', 'TRUE'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = new Promise((done) => child.once('exit', done));
    family = [child.pid as number];
    const flags = await until(
      () => {
        family = familyOf(child.pid as number);
        return family.map(commandOf).find((command) => command.includes('in-place.cjs')) ?? null;
      },
      () => 'the command',
    );
    expect(flags).toContain('--min-semi-space-size=8');
    child.stdin.end('one line\n');
    expect(await ended).toBe(0);
  });
});

describe.runIf(isLinux)('the processes of a service', () => {
  it('have no descriptors but their own, gain no rights, and open no debugger', async () => {
    const secret = openSync(at('secret'), 'w');
    const { launcher, engine, hosts, commands, err } = await start([secret]);
    closeSync(secret);
    for (const pid of family.filter((one) => one !== launcher)) expect([...descriptorsOf(pid).values()]).not.toContain(at('secret'));
    for (const pid of commands) expect([...descriptorsOf(pid).keys()]).toEqual([0, 1, 2]);
    for (const pid of hosts) {
      const [, , ...more] = [...descriptorsOf(pid)].sort(([a], [b]) => a - b).map(([, target]) => target);
      expect(more.filter((target) => !/^(socket|pipe|anon_inode):|^\/dev\/(null|shm\/)|\(deleted\)$/.test(target))).toEqual([]);
      if (hasSetpriv) expect(statusOf(pid, 'NoNewPrivs')).toBe('1');
    }
    const own = [launcher, engine, ...hosts];
    for (const pid of own) process.kill(pid, 'SIGUSR1');
    // Node opens its debugger in a thread of its own: what this one says and opens comes later.
    await delay(DEBUGGER_MS);
    expect(own.filter(lives)).toEqual(own);
    expect(own.flatMap(portsOf)).toEqual([]);
    process.kill(launcher, 'SIGTERM');
    await allGone();
    expect(err()).not.toContain('Debugger');
  });

  it('end when their launcher is killed, and give the folder free', async () => {
    const { launcher } = await start();
    process.kill(launcher, 'SIGKILL');
    await allGone();
    claimFolder(at('base'), (text) => expect.fail(text))();
  });

  it.runIf(hasSetpriv)('end when the engine is killed, also a host that does not listen', async () => {
    const service = await start();
    for (const host of service.hosts) process.kill(host, 'SIGSTOP');
    process.kill(service.engine, 'SIGKILL');
    await allGone();
    expect(await service.ended).toBe('SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('end by a %s as soon as there is an engine', async (signal) => {
    const { child, ended } = launch();
    const launcher = child.pid as number;
    family = [launcher];
    await until(() => childrenOf(launcher)[0], 'the engine');
    process.kill(launcher, signal);
    family = familyOf(launcher);
    await until(
      () => {
        for (const pid of [...family]) for (const { pid: below } of childrenOf(pid)) if (!family.includes(below)) family.push(below);
        return !family.some(lives);
      },
      () => `the end of ${family.filter(lives).join()}`,
    );
    expect([signal, 0, 130, 128 + constants.signals[signal]]).toContain(await ended);
  });

  it('go on at a hangup, however early it comes', async () => {
    const { child, ended, err } = launch();
    const launcher = child.pid as number;
    family = [launcher];
    await until(() => childrenOf(launcher)[0], 'the engine');
    const hangups = setInterval(() => void (lives(launcher) && process.kill(launcher, 'SIGHUP')), 20);
    try {
      await until(() => (family = familyOf(launcher)).length > 0 && existsSync(at('base/inputs/in.json')), err);
    } finally {
      clearInterval(hangups);
    }
    process.kill(launcher, 'SIGTERM');
    expect(await ended).toBe(0);
    expect(err()).not.toContain('SIGHUP');
  });

  it('run without a launcher until the inputs are idle, and end alike', async () => {
    const { child, ended, err } = launch([], [LAUNCHER, 'run', '--until-idle']);
    const engine = child.pid as number;
    family = [engine];
    const children = await until(
      () => {
        family = [...new Set([...family, ...familyOf(engine)])];
        const found = childrenOf(engine);
        return found.some(isHost) && found.some(({ command }) => command.includes('echo never')) ? found : null;
      },
      () => `the service: ${err()}`,
    );
    expect(children.filter(({ command }) => command.includes('in-place'))).toEqual([]);
    process.kill(engine, 'SIGUSR1');
    process.kill(engine, 'SIGTERM');
    await allGone();
    expect([0, 130, 143]).toContain(await ended);
    expect(err()).not.toContain('Debugger');
  });
});
