import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { DescriptorWriter, isOnDisk } from '../../../engine/outputs/descriptor-writer.ts';
import { until } from '../../until.ts';
import { cliMain } from '../cli/run-cli.ts';

const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: -1 };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-fd-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes lines, in order', async () => {
  const path = join(folder, 'out');
  const fd = openSync(path, 'w');
  const writer = new DescriptorWriter(fd, 'standard output', { retries, onProblem: () => undefined });
  await writer.write(['a', 'b\n', Buffer.from('c')]);
  await writer.write(['d\n']);
  await writer.close();
  expect(isOnDisk(fd)).toBe(true);
  closeSync(fd);
  expect(readFileSync(path, 'utf8')).toBe('a\nb\nc\nd\n');
});

it.runIf(existsSync('/dev/full'))('waits for room, says so once, and gives back what it could not write', async () => {
  const fd = openSync('/dev/full', 'w');
  const said: string[] = [];
  const writer = new DescriptorWriter(fd, 'standard output', { retries, onProblem: (text) => said.push(text) });
  const written = writer.write(['a']);
  written.catch(() => undefined);
  await until(() => said.length === 1);
  expect(said).toEqual([expect.stringMatching(/standard output cannot be written \(ENOSPC.*free some space/)]);
  await writer.close();
  await expect(written).rejects.toThrow(NotDeliveredError);
  closeSync(fd);
});

const PRLIMIT = '/usr/bin/prlimit';

describe.runIf(existsSync(PRLIMIT) && existsSync('/bin/bash'))('standard output to a file whose disk is full', () => {
  const COUNT = 30_000;
  const lines = Array.from({ length: COUNT }, (_, i) => `line ${i}\n`).join('');
  let child: ChildProcess;

  afterEach(() => void child.kill('SIGKILL'));

  it('goes on behind the last byte when there is room again', async () => {
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('a.log'), lines);
    writeFileSync(at('payload.js'), 'function process_message() { inject_payload("txt", "", read_message("Payload")); return 0; }\n');
    writeFileSync(
      at('p.toml'),
      [
        `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]`,
        `[payload]\ntype = "SandboxEncoder"\nfilename = ${JSON.stringify(at('payload.js'))}`,
        '[out]\ntype = "LogOutput"\nmessage_matcher = "Type !~ /^svc/"\nencoder = "payload"\n[out.retries]\ndelay = "20ms"\nmax_delay = "50ms"',
      ].join('\n'),
    );
    let said = '';
    const limited = ['-c', `ulimit -S -f 128; exec "$@" > ${at('out.txt')}`, 'limited'];
    const args = [...limited, process.execPath, '--disable-warning=ExperimentalWarning', cliMain, 'run', at('p.toml')];
    child = spawn('/bin/bash', args, { env: { ...process.env, SLUICEBOX_DATA: at('data') }, stdio: ['ignore', 'inherit', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until(
      () => said.includes('standard output cannot be written (EFBIG'),
      () => said,
    );
    spawnSync(PRLIMIT, ['--pid', String(child.pid), '--fsize=unlimited:']);
    await until(() => readFileSync(at('out.txt'), 'utf8').endsWith(`line ${COUNT - 1}\n`), 'the rest');
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(readFileSync(at('out.txt'), 'utf8') === lines).toBe(true);
    expect(said.match(/\[out\] .*/g)).toEqual([expect.stringContaining('standard output'), '[out] is delivered to again']);
  });
});
