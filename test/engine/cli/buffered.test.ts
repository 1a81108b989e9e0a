import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliMain, sluicebox } from './run-cli.ts';

let folder: string;
let running: ChildProcess | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-buffered-'));
});

afterEach(async () => {
  running?.kill('SIGKILL');
  running = null;
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);
const env = (): Record<string, string> => ({ SLUICEBOX_DATA: at('data') });
const runToTheEnd = () => sluicebox(['run', at('p.toml'), '--until-idle'], '', env());
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');
const sizeOf = (name: string): number => (existsSync(at(name)) ? statSync(at(name)).size : 0);

const input = (): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n`;
const fileOutput = (name: string, more: string): string =>
  `[${name}]\ntype = "FileOutput"\npath = ${JSON.stringify(at(`${name}.jsonl`))}\nmessage_matcher = "Type =~ /^(logfile|svc.sandbox-output)$/"\nuse_buffering = true\n${more}`;

/** How often each number was written. */
function numbersIn(name: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, number] of readFileSync(at(name), 'utf8').matchAll(/"Payload":"line (\d+)"/g)) {
    counts.set(Number(number), (counts.get(Number(number)) ?? 0) + 1);
  }
  return counts;
}

/** Kills the service with the file at these sizes. */
async function killedAt(name: string, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    const child = spawn(process.execPath, [cliMain, 'run', at('p.toml')], { env: { ...process.env, ...env() }, stdio: 'ignore' });
    running = child;
    while (sizeOf(name) < size && child.exitCode === null) await delay(2);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

describe('a buffered output', () => {
  it('loses nothing when the service is killed twice', async () => {
    const count = 80_000;
    put('a.log', lines(count));
    put('p.toml', `${input()}${fileOutput('out', '[out.buffering]\nmax_file_size = 2000000\n')}`);
    await killedAt('out.jsonl', [2_000_000, 9_000_000]);
    const result = await runToTheEnd();
    expect(result).toMatchObject({ code: 0 });
    const counts = numbersIn('out.jsonl');
    expect(counts.size).toBe(count);
    // Messages on their way are written again: some chunks of the queue, and those that the input has read in the last second.
    expect([...counts.values()].filter((times) => times > 6)).toEqual([]);
    expect(await readdir(at('data/output_queue/out'))).toHaveLength(2);
  });

  it.each([
    ['shutdown', 1, /\[out\] its buffer is full/],
    ['drop', 0, /\[out\] its buffer is full: \d+ bytes wait; \d+ messages are lost/],
    ['block', 0, /^$/],
  ])('that is full: %s', async (action, code, said) => {
    const count = 30_000;
    put('a.log', lines(count));
    // A script takes its time, so that the buffer fills.
    put('slow.js', `function process_message() { for (let i = 0; i < 3000; i++); return -2; }`);
    const encoder = `[slow]\ntype = "SandboxEncoder"\nfilename = "slow.js"\n`;
    const buffering = `encoder = "slow"\n[out.buffering]\nmax_buffer_size = 1500000\nfull_action = "${action}"\n`;
    put('p.toml', `[svcd]\nlog_flags = 0\n${input()}${encoder}${fileOutput('out', buffering)}`);
    const result = await runToTheEnd();
    expect(result.err).toMatch(said);
    expect(result.code).toBe(code);
  });

  it('goes on after a full buffer has stopped the service', async () => {
    const count = 30_000;
    put('a.log', lines(count));
    put('p.toml', `${input()}${fileOutput('out', '[out.buffering]\nmax_buffer_size = 500000\n')}`);
    let starts = 0;
    for (; starts < 30 && (existsSync(at('out.jsonl')) ? numbersIn('out.jsonl').size : 0) < count; starts++) await runToTheEnd();
    expect(numbersIn('out.jsonl').size).toBe(count);
  });

  it('says what is damaged, and delivers the rest', async () => {
    put('a.log', lines(1000));
    put('p.toml', `[svcd]\nlog_flags = 0\n${input()}${fileOutput('out', '')}`);
    const queue = at('data/output_queue/out');
    await killedAt('out.jsonl', [1]);
    for (const name of (await readdir(queue)).filter((file) => file.endsWith('.log'))) {
      const bytes = readFileSync(join(queue, name));
      if (bytes.length < 10_000) continue;
      bytes.fill(0, 5000, 5010);
      writeFileSync(join(queue, name), bytes);
    }
    for (const name of ['checkpoint.txt', 'appended-0', 'appended-1']) await rm(join(queue, name), { force: true });
    const result = await runToTheEnd();
    expect(result.err).toMatch(/\[out\] \d+ bytes of .*\.log are not a whole record: the file is damaged/);
    expect(numbersIn('out.jsonl').size).toBe(1000);
  });
});

describe('a buffered filter', () => {
  it('sees every message, also those of before it was killed', async () => {
    const count = 40_000;
    put('a.log', lines(count));
    put('echo.js', `function process_message() { inject_payload('txt', '', read_message('Payload')); return 0; }`);
    const filter = `[echo]\ntype = "SandboxFilter"\nfilename = "echo.js"\nmessage_matcher = "Type == 'logfile'"\nuse_buffering = true\n`;
    put(
      'p.toml',
      `${input()}${filter}[out]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.jsonl'))}\nmessage_matcher = "Type == 'svc.sandbox-output'"\n`,
    );
    await killedAt('out.jsonl', [500_000, 2_000_000]);
    expect(await runToTheEnd()).toMatchObject({ code: 0 });
    expect(numbersIn('out.jsonl').size).toBe(count);
  });
});
