/** Outputs to files whose disk is full for a while: nothing is lost or written twice, and it is said once. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../ports.ts';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { cliMain, sluicebox } from './run-cli.ts';

const PRLIMIT = '/usr/bin/prlimit';
const LIMITABLE = existsSync(PRLIMIT) && existsSync('/bin/bash');
const LIMIT_KIB = 256;
const COUNT = 40_000;

let folder: string;
let running: ChildProcess | null = null;
let said = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-full-'));
  said = '';
});

afterEach(async () => {
  running?.kill('SIGKILL');
  running = null;
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const env = (): Record<string, string> => ({ SLUICEBOX_DATA: at('data') });
const out = (): string => readFileSync(at('out.txt'), 'utf8');
const linesFrom = (first: number, end: number): string => Array.from({ length: end - first }, (_, i) => `line ${first + i}\n`).join('');

function configure(...sections: string[]): void {
  writeFileSync(at('p.toml'), sections.join('\n'));
}

const fileInput = (): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]`;
const target = (): string => `type = "FileOutput"\npath = ${JSON.stringify(at('out.txt'))}\n[RETRIES]\ndelay = "20ms"\nmax_delay = "50ms"`;
const fileOutput = (): string => {
  writeFileSync(at('payload.js'), 'function process_message() { inject_payload("txt", "", `${read_message("Payload")}\\n`); return 0; }\n');
  const encoder = `[payload]\ntype = "SandboxEncoder"\nfilename = ${JSON.stringify(at('payload.js'))}`;
  const matching = `[out]\nmessage_matcher = "Type !~ /^svc/"\nencoder = "payload"`;
  return `${encoder}\n${matching}\n${target().replace('RETRIES', 'out.retries')}`;
};
const scriptOutput = (): string => {
  writeFileSync(at('own.js'), 'function process_message() { write_output(`${read_message("Payload")}\\n`); return 0; }\n');
  const section = `[out]\ntype = "SandboxOutput"\nfilename = ${JSON.stringify(at('own.js'))}\nmessage_matcher = "Type =~ /^logfile$/"`;
  return `${section}\n[out.target]\n${target().replace('RETRIES', 'out.target.retries')}`;
};

/** Starts the service with a limit of the size of its files. */
function runLimited(): Promise<number | null> {
  const limited = [
    '-c',
    `ulimit -S -f ${LIMIT_KIB}; exec "$@"`,
    'limited',
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    cliMain,
  ];
  const child = spawn('/bin/bash', [...limited, 'run', at('p.toml')], {
    env: { ...process.env, ...env() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve) => child.once('close', resolve));
}

function lift(): void {
  execFileSync(PRLIMIT, ['--pid', String(running?.pid), '--fsize=unlimited:']);
}

/** Whether each line was written once, in order; the text is too long to be shown. */
const isWhole = (): boolean => out() === linesFrom(0, COUNT);
const isFull = (): boolean => said.includes('cannot be written (EFBIG');

describe.runIf(LIMITABLE).each([
  ['FileOutput without a buffer', fileOutput],
  ['SandboxOutput with a target', scriptOutput],
])('%s', (_, output) => {
  it('goes on where it was when there is room again', async () => {
    writeFileSync(at('a.log'), linesFrom(0, COUNT));
    configure(fileInput(), output());
    const ended = runLimited();
    await until(isFull);
    expect(out()).toMatch(/line \d+\n$/);
    expect(statSync(at('out.txt')).size).toBeLessThanOrEqual(LIMIT_KIB * 1024);
    lift();
    await until(() => out().endsWith(`line ${COUNT - 1}\n`));
    running?.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(isWhole()).toBe(true);
    expect(said.match(/\[out\] .*/g)).toEqual([expect.stringContaining(at('out.txt')), '[out] is delivered to again']);
  });

  it('has the rest read again when the service stops before', async () => {
    writeFileSync(at('a.log'), linesFrom(0, COUNT));
    configure(fileInput(), output());
    const ended = runLimited();
    await until(isFull);
    running?.kill('SIGTERM');
    await ended;
    const first = out().split('\n').length - 1;
    expect(first).toBeLessThan(COUNT);
    expect(said).toMatch(/\[out\] \d+ messages were not written before the end: those of files are read again at the next start/);
    const { code } = await sluicebox(['run', at('p.toml'), '--until-idle'], '', env());
    expect(code).toBe(0);
    expect(isWhole()).toBe(true);
  });
});

it.runIf(LIMITABLE)('counts what came from a network and could not be written at the stop', async () => {
  const port = await freePort();
  configure(`[in]\ntype = "UdpInput"\naddress = "127.0.0.1:${port}"`, fileOutput());
  writeFileSync(at('out.txt'), 'x'.repeat(LIMIT_KIB * 1024 - 5));
  const ended = runLimited();
  const socket = createSocket('udp4');
  try {
    await until(async () => {
      await new Promise((resolve) => socket.send('datagram\n', port, '127.0.0.1', resolve));
      return isFull();
    });
  } finally {
    socket.close();
  }
  running?.kill('SIGTERM');
  await ended;
  expect(statSync(at('out.txt')).size).toBe(LIMIT_KIB * 1024 - 5);
  expect(said).toMatch(/\[out\] [1-9]\d* messages were not written before the end: .* others are lost/);
});

it.runIf(LIMITABLE)('an edit is applied when the output that waits for its disk goes on', async () => {
  writeFileSync(at('a.log'), linesFrom(0, COUNT));
  configure(fileInput(), fileOutput());
  const ended = runLimited();
  await until(isFull);
  const other = `[other]\ntype = "FileOutput"\npath = ${JSON.stringify(at('other.txt'))}\nmessage_matcher = "FALSE"`;
  configure(fileInput(), fileOutput(), other);
  // It is told when the service has waited for ten seconds itself.
  await until(
    () => said.includes('takes effect as soon as it can'),
    () => said,
    () => 3 * patienceMs(),
  );
  expect(said).toContain('[out] did not finish what was given to it');
  expect(said).not.toContain('has problems');
  lift();
  await until(
    () => existsSync(at('other.txt')),
    () => said,
  );
  await until(() => out().endsWith(`line ${COUNT - 1}\n`));
  running?.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(isWhole()).toBe(true);
});
