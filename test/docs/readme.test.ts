/** Runs the shell commands of the first page as they stand, one after the other, in the folder of the project with a home of their own. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { testMs } from '../patience.ts';
import { freePort } from '../ports.ts';
import { childrenOf } from '../processes.ts';
import { until } from '../until.ts';
import { root } from './walk.ts';

interface Command {
  readonly line: string;
  /** The exit code that its comment names, else 0. */
  readonly code: number;
}

const page = readFileSync(join(root, 'README.md'), 'utf8');

/** The commands of a page's shell blocks; a line that ends with a bar goes on in the next one. */
const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .replaceAll(/\|\s*\n\s*/g, '| ')
    .trim()
    .split('\n')
    .map((line): Command => {
      const [, command = '', comment = ''] = /^(.*?)(?:\s+# (.*))?$/.exec(line) ?? [];
      return { line: command, code: Number(/\(exit code (\d+)\)/.exec(comment)?.[1] ?? 0) };
    }),
);

const home = mkdtempSync(join(tmpdir(), 'sluicebox-readme-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The environment without what points to places of the user. */
const env = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:XDG_|SLUICEBOX_)/.test(name));
  return { ...Object.fromEntries(kept), HOME: home };
};

interface Started {
  readonly pid: number;
  readonly out: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

function start(line: string): Started {
  const child = spawn('sh', ['-c', line], { cwd: root, env: env(), stdio: ['ignore', 'pipe', 'pipe'], timeout: testMs() });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  const err = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => ({ code: code as number | null, out, err: await err }));
  return { pid: child.pid ?? expect.fail(`${line} could not be started`), out: () => out, ended };
}

/** Opens the window, or takes minutes: the end-to-end tests and the run of all checks do that. Its script and its files are looked at. */
const NPM = /^(?:.* \| )?npm (?:ci$|test\b|start\b)/;
/** Goes on until it is interrupted. */
const ENDLESS = /^DISK=sda bin\/sluicebox run resources\/examples\/workstation\.toml$/;
/** Sends to the listener of a window, in place of which the test listens at a port that nobody has. */
const SENDS = /^logger --server 127\.0\.0\.1 --port 5514 --udp /;
const SPECIAL = [NPM, ENDLESS, SENDS];
const matching = (form: RegExp): Command[] => commands.filter(({ line }) => form.test(line));

/** Of Linux are the statistics that a command reads, and the program that another is. */
describe.skipIf(process.platform !== 'linux')('the first page', () => {
  it('has commands of each kind, the easiest one of those without a window first', () => {
    for (const form of SPECIAL) expect(matching(form)).not.toEqual([]);
    const section = /\n## Without a window\n[^]*?```sh\n(.*)\n/.exec(page)?.[1];
    expect(section).toMatch(/^bin\/sluicebox resources\/samples\/gateway\.log /);
  });

  it.each(commands.filter(({ line }) => !SPECIAL.some((form) => form.test(line))))('runs $line', async ({ line, code }) => {
    const result = await start(line).ended;
    expect(result.code, result.err).toBe(code);
    expect(result.out + result.err).not.toBe('');
  });

  it.each(matching(NPM))('names a script and files that are there in $line', ({ line }) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };
    const [, script = '', files = ''] = /npm (\S+)(?: -- (.*))?$/.exec(line) ?? [];
    if (script === 'ci') expect(existsSync(join(root, 'package-lock.json'))).toBe(true);
    else expect(Object.keys(scripts)).toContain(script);
    const named = files.split(' ').filter((file) => file !== '' && file !== '-');
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(matching(ENDLESS))('starts $line, which answers and ends when it is interrupted', async ({ line, code }) => {
    const { pid, out, ended } = start(`exec env ${line}`);
    // The launcher takes signals before it has a child; one that asks for a report does nothing until the engine is ready.
    await until(() => childrenOf(pid).length > 0);
    await until(() => process.kill(pid, 'SIGUSR1') && out().includes('svc.all-report'));
    process.kill(pid, 'SIGINT');
    const result = await ended;
    expect(result.code, result.err).toBe(code);
  });

  it.each(matching(SENDS))('has a listener for syslog receive what $line sends', async ({ line, code }) => {
    const port = await freePort();
    const socket = createSocket('udp4').bind(port, '127.0.0.1');
    await once(socket, 'listening');
    const received = once(socket, 'message');
    const result = await start(line.replace('5514', String(port))).ended;
    expect(result.code, result.err).toBe(code);
    const [datagram] = (await received) as [Buffer];
    socket.close();
    expect(datagram.toString()).toContain('hello from the shell');
  });
});
